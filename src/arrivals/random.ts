/** A number in [0, 1), uniform, with 53 random bits. */
export type Random = () => number

/** Rounds thrown away after seeding, so that close seeds share no beginning (chosen as sfc32's author does). */
const WARM_UP = 12

/**
 * The random numbers of a seed, the same on every machine: sfc32 (128 bits of state, period at least 2^32), seeded
 * with SplitMix32's finaliser.
 *
 * Numbers beyond the seed name a stream of their own, for example a step and a purpose. Each is read as an unsigned
 * 32-bit integer (-1 is 4294967295) and mixed into all four words of the state by a bijection, so streams that differ
 * in one number alone never coincide. Not for secrets.
 *
 * @see Chris Doty-Humphrey, PractRand (sfc32); Steele, Lea, Flood, "Fast Splittable Pseudorandom Number Generators"
 */
export function seededRandom(seed: number, ...stream: readonly number[]): Random {
  const words = [seed, ...stream]
  // Lanes start at the fractional bits of the square roots of 2, 3, 5 and 7: any four distinct numbers would do.
  const lane = (start: number) => words.reduce((hash, word) => mix(hash ^ word), start)
  let a = lane(0x6a09e667)
  let b = lane(0xbb67ae85)
  let c = lane(0x3c6ef372)
  let counter = lane(0xa54ff53a)
  const next = () => {
    const out = (a + b + counter) | 0
    counter = (counter + 1) | 0
    a = b ^ (b >>> 9)
    b = (c + (c << 3)) | 0
    c = (((c << 21) | (c >>> 11)) + out) | 0
    return out >>> 0
  }
  for (let i = 0; i < WARM_UP; i++) next()
  return () => ((next() >>> 5) * 2 ** 26 + (next() >>> 6)) * 2 ** -53
}

/**
 * An unsigned 32-bit seed out of a text, for specs that name none: FNV-1a over the UTF-16 code units, and a
 * finaliser, since FNV alone leaves the last characters in the low bits.
 *
 * @see Fowler, Noll, Vo, draft-eastlake-fnv
 */
export function seedOf(text: string): number {
  let hash = 0x811c9dc5
  for (let i = 0; i < text.length; i++) hash = Math.imul(hash ^ text.charCodeAt(i), 0x01000193)
  return mix(hash)
}

/**
 * SplitMix's step in 32 bits: every bit of the input reaches every bit of the output, and no two inputs share one.
 *
 * @see Chris Wellons, Hash Prospector: the multipliers
 */
function mix(word: number): number {
  let hash = (word + 0x9e3779b9) | 0
  hash = Math.imul(hash ^ (hash >>> 16), 0x21f0aaad)
  hash = Math.imul(hash ^ (hash >>> 15), 0x735a2d97)
  return (hash ^ (hash >>> 15)) >>> 0
}
