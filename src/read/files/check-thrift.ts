/**
 * Walk over a record in Thrift's compact form, in which Parquet keeps its directory, and throw when it does not fit its
 * bytes. Damaged lengths would otherwise send the library that reads it round in circles.
 */
export function checkThrift(bytes: Uint8Array): void {
  let at = 0

  function move(count: number): void {
    if (count > bytes.length - at) throw new Error(`${count} bytes are announced where ${bytes.length - at} are left`)
    at += count
  }

  function byte(): number {
    move(1)
    return bytes[at - 1]
  }

  /** Seven bits a byte, the lowest first; the eighth says that there is more. */
  function whole(): number {
    let value = 0
    for (let scale = 1; ; scale *= 128) {
      const next = byte()
      value += (next & 127) * scale
      if (next < 128) return value
      if (scale > 2 ** 63) throw new Error('a whole number has no end')
    }
  }

  function record(): void {
    for (let head = byte(); head !== 0; head = byte()) {
      // The number of the field follows when it is not told by its distance from the last.
      if (head >> 4 === 0) whole()
      // The truth of a field stands in its type.
      if ((head & 15) > 2) value(head & 15)
    }
  }

  function list(): void {
    const head = byte()
    const count = head >> 4 === 15 ? whole() : head >> 4
    if (count > bytes.length - at)
      throw new Error(`a list of ${count} is announced where ${bytes.length - at} bytes are left`)
    for (let done = 0; done < count; done++) value(head & 15)
  }

  function value(type: number): void {
    if (type <= 3) move(1)
    else if (type <= 6) whole()
    else if (type === 7) move(8)
    else if (type === 8) move(whole())
    else if (type === 9) list()
    else if (type === 12) record()
    else throw new Error(`there is no type ${type}`)
  }

  record()
}
