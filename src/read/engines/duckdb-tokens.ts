import {type FeatureReader, type LexiconBuilder, valueFieldNames} from '../data/index.ts'
import type {DuckDbSession, StatementControl} from './duckdb-session.ts'
import {FeatureRoles} from './feature-roles.ts'

/** A name out of a table, its number there, and in how many documents it occurs. */
export interface Token {
  readonly code: number
  readonly name: string
  readonly documents: number
}

/** The rows of `tokens` or `tags`, the commonest first. */
export async function* readNames(
  session: DuckDbSession,
  table: 'tokens' | 'tags',
  control: StatementControl
): AsyncGenerator<Token> {
  const name = table === 'tokens' ? 'token' : 'tag'
  const sql = `SELECT rowid::UINTEGER, ${name}, documents::DOUBLE FROM ${table} ORDER BY documents DESC`
  for await (const [codes, names, documents] of session.columns(sql, control))
    for (let at = 0; at < codes.length; at++)
      yield {code: Number(codes[at]), name: String(names[at]), documents: Number(documents[at])}
}

/** The rows of `tokens` that have roles, as they go back to DuckDB. */
export class RoleCodes {
  readonly codes: number[] = []
  readonly numbers: number[] = []
  readonly roles: FeatureRoles

  constructor(reader: FeatureReader) {
    this.roles = new FeatureRoles(reader)
  }

  /** Look at a feature; whether it is no word, since an expression takes it. */
  add({code, name}: Token): boolean {
    const role = this.roles.find(name)
    if (role === undefined) return false
    this.codes.push(code)
    this.numbers.push(role.number)
    return role.isTaken
  }
}

/**
 * The words that a vocabulary may be made of, out of features that come the commonest first: in each place (`features`, and each
 * category, number and list) as many as are wanted, and all that are as common as the last. So few are held, however many there are.
 */
export class CommonWords {
  readonly #places: {readonly tokens: string[]; readonly counts: number[]}[]
  readonly #prefixes: readonly string[]
  readonly #isWanted: (token: Token, isValue: boolean) => boolean
  readonly #fieldCount: number
  readonly #limit: number

  constructor({options: {text}}: LexiconBuilder, reader: FeatureReader, documentCount: number) {
    this.#fieldCount = text.fields.length
    this.#limit = text.vocabulary
    this.#prefixes = valueFieldNames(text).map(name => `${name}:`)
    this.#places = Array.from({length: this.#fieldCount + 1 + this.#prefixes.length}, () => ({tokens: [], counts: []}))
    this.#isWanted = ({name, documents}, isValue) =>
      (isValue ? documents < documentCount : documents / documentCount <= text.maxShare) &&
      !reader.isAnchor(this.#fieldCount, name)
  }

  add(token: Token): void {
    const value = this.#prefixes.findIndex(prefix => token.name.startsWith(prefix))
    const {tokens, counts} = this.#places[this.#fieldCount + 1 + value]
    if (tokens.length >= this.#limit && token.documents < counts[counts.length - 1]) return
    if (!this.#isWanted(token, value >= 0)) return
    tokens.push(token.name)
    counts.push(token.documents)
  }

  finish(): {tokens: readonly string[]; counts: Float64Array}[] {
    return this.#places.map(({tokens, counts}) => ({tokens, counts: Float64Array.from(counts)}))
  }
}
