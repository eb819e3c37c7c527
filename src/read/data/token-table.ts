import {growingIntegers} from './growing-array.ts'
import {ownCopy} from './tokenize.ts'

/** Numbers the tokens of each field by first occurrence. */
export class TokenTable {
  readonly #numbers: Map<string, number>[] = []
  readonly #names: string[] = []
  readonly #fields = growingIntegers()

  get size(): number {
    return this.#names.length
  }

  name(token: number): string {
    return this.#names[token]
  }

  field(token: number): number {
    return this.#fields.values[token]
  }

  /** The number of a token, if it has one. */
  find(field: number, name: string): number | undefined {
    return this.#numbers[field]?.get(name)
  }

  /** The number of a token, which is new if need be. */
  numberOf(field: number, name: string): number {
    const known = this.#numbers[field]?.get(name)
    if (known !== undefined) return known
    while (this.#numbers.length <= field) this.#numbers.push(new Map())
    const own = ownCopy(name)
    this.#numbers[field].set(own, this.#names.length)
    this.#fields.push(field)
    return this.#names.push(own) - 1
  }
}
