import type { Prompts, Target } from '../model/plan.ts'
import { type Fields, fieldsOf } from './fields.ts'
import type { WireFormat } from './format.ts'
import { WORDS } from './words.ts'

/** Words of the unique beginning, at most: 4 of them tell 2^32 prompts apart, 4 more tell the seeds apart. */
const PREFIX_WORDS = 8
const WORD_LENGTH = 4

/**
 * The bodies of all requests of a load process: one JSON text, made once, in which only the prompt's first words
 * differ from request to request. Neither memory nor `content-length` grows with the run.
 */
export class Bodies {
  /** Null where requests have no body. */
  readonly #template: Buffer | null
  readonly #seed: number
  /** Where the unique words begin, in bytes; -1 when the author's own `body` replaced the prompt. */
  readonly #offset: number
  readonly #words: number

  constructor(format: WireFormat, target: Target, prompts: Prompts, seed: number) {
    this.#seed = mix(seed)
    this.#words = Math.min(PREFIX_WORDS, prompts.inputTokens)
    const prefix = '~'.repeat(Math.max(0, this.#words * (WORD_LENGTH + 1) - 1))
    const prompt = [prefix, ...filler(prompts.inputTokens - this.#words, this.#seed)].join(' ')
    const { outputTokens } = prompts
    const { model, stream, ignoreEos, body } = target
    const asked = format.fields({ model, prompt, outputTokens, stream })
    const fields = laidOver(asked, (ignoreEos && format.ignoreEos?.(outputTokens)) || {})
    this.#template = body === null ? null : Buffer.from(JSON.stringify(laidOver(fields, body)))
    this.#offset = prefix === '' ? -1 : (this.#template?.indexOf(prefix) ?? -1)
  }

  /** A copy for one connection, which lends it to one request after the other; null where requests have no body. */
  create(): Buffer | null {
    return this.#template && Buffer.from(this.#template)
  }

  /** Writes the unique words of a prompt number (a whole number from 0 to 2^32 - 1) into a body. */
  write(body: Buffer | null, prompt: number): void {
    if (this.#offset >= 0) body?.write(this.prefix(prompt), this.#offset, 'latin1')
  }

  /**
   * The first words of a prompt. Two prompts of one seed share no prefix longer than chance, so a server's prefix
   * cache cannot help; two numbers never give the same 4 words, because the mixing is a bijection of 32 bits.
   */
  prefix(prompt: number): string {
    const first = mix((prompt ^ this.#seed) >>> 0)
    const second = mix((first + this.#seed) >>> 0)
    let text = ''
    for (let word = 0; word < this.#words; word++) {
      const bits = word < 4 ? first : second
      text += (word === 0 ? '' : ' ') + WORDS[(bits >>> (8 * (word & 3))) & 0xff]!
    }
    return text
  }
}

/** Fields over others: objects are merged, so that one parameter of a group can be set; all else is replaced. */
function laidOver(under: Fields, over: Fields): Fields {
  const merged = Object.entries(over).map(([name, value]) => {
    const [below, above] = [fieldsOf(under[name]), fieldsOf(value)]
    return [name, below !== null && above !== null ? laidOver(below, above) : value]
  })
  return { ...under, ...Object.fromEntries(merged) }
}

/** Words that follow the prefix; the same in all prompts of a seed, without a period that a tokenizer could merge. */
function filler(count: number, seed: number): string[] {
  const words: string[] = []
  for (let bits = seed; words.length < count; bits = mix(bits + 0x9e3779b9)) words.push(WORDS[bits & 0xff]!)
  return words
}

/** Mixes 32 bits so that each depends on all; a bijection (the finalizer of MurmurHash3). */
function mix(bits: number): number {
  let hash = bits >>> 0
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b)
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35)
  return (hash ^ (hash >>> 16)) >>> 0
}
