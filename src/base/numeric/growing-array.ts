import {AdfaError} from '../checks/index.ts'
import {grouped} from '../text/index.ts'

/** The most that 32-bit indices can address. */
const MOST = 2 ** 32 - 1

/** A typed array that grows as it is filled. `values` is replaced when it grows: do not keep it across a call. */
export class GrowingArray<T extends Uint8Array | Uint32Array | Float64Array> {
  readonly #make: (size: number) => T
  values: T
  length = 0

  constructor(make: (size: number) => T, capacity = 1024) {
    this.#make = make
    this.values = make(capacity)
  }

  /** Make room for `more` values from `length` on; returns the array to write them into. */
  reserve(more: number): T {
    const needed = this.length + more
    if (needed > this.values.length) {
      if (needed > MOST)
        throw new AdfaError(
          'bad-option',
          `more than ${grouped(MOST)} numbers in one list; count fewer documents at a time (adfa count --shard), or fewer anchors or words`
        )
      const longer = this.#make(Math.max(needed, 2 * this.values.length))
      longer.set(this.values.length === this.length ? this.values : this.values.subarray(0, this.length))
      this.values = longer
    }
    return this.values
  }

  push(value: number): void {
    this.reserve(1)[this.length++] = value
  }

  /** The length afterwards. */
  append(more: ArrayLike<number>, from = 0, to = more.length): number {
    const values = this.reserve(to - from)
    let {length} = this
    // One call copies a long list faster; a short one takes longer to prepare it than to copy it.
    if (to - from > 32 && more instanceof Uint32Array) values.set(more.subarray(from, to), length)
    else for (let at = from; at < to; at++) values[length++] = more[at]
    this.length += to - from
    return this.length
  }

  /** The filled part; a large array is not copied, as its rest was never written and takes no memory. */
  finish(): T {
    const isLarge = this.length > 100_000 && 2 * this.length > this.values.length
    return (isLarge ? this.values.subarray(0, this.length) : this.values.slice(0, this.length)) as T
  }
}

export const growingIntegers = (capacity?: number) => new GrowingArray(size => new Uint32Array(size), capacity)
export const growingNumbers = (capacity?: number) => new GrowingArray(size => new Float64Array(size), capacity)
