/** The bytes of a body, or of its beginning, that are kept until it is judged. */
export class KeptBody {
  #pieces: Uint8Array[] = []
  #bytes = 0

  /**
   * Keeps bytes until there are `most` of them, to the byte: a verdict must not depend on how the body was cut.
   * @returns whether all were kept
   */
  keep(bytes: Uint8Array, most: number): boolean {
    const room = most - this.#bytes
    const isAll = bytes.length <= room
    if (room > 0) this.#pieces.push(isAll ? bytes : bytes.subarray(0, room))
    this.#bytes += Math.min(bytes.length, room)
    return isAll
  }

  text(): string {
    return Buffer.concat(this.#pieces).toString()
  }

  clear(): void {
    if (this.#bytes === 0) return
    this.#pieces = []
    this.#bytes = 0
  }
}
