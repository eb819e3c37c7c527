import type {LexiconBuilder} from '../data/index.ts'
import type {RoleTable} from './clickhouse-roles.ts'
import {badToken, decodeToken, type TokenCount} from './clickhouse-tokens.ts'

/** The commonest words, as many as the vocabulary takes, with all that are as common as the last. */
export class VocabularyCollector {
  readonly #maxShare: number
  readonly #vocabulary: number
  readonly #features: number
  readonly #roles: RoleTable
  readonly #where: string
  #kept: TokenCount[] = []
  /** Words in fewer documents do not count any more. */
  #least = 0
  documents = 0

  constructor(builder: LexiconBuilder, roles: RoleTable, where: string) {
    const {maxShare, vocabulary, fields} = builder.options.text
    this.#maxShare = maxShare
    this.#vocabulary = vocabulary
    this.#features = fields.length
    this.#roles = roles
    this.#where = where
  }

  add(token: TokenCount): void {
    const {hex, documents} = token
    if (hex === undefined) {
      this.documents = documents
      return
    }
    // A word that an anchor's expression takes is an anchor, however rare.
    if (this.#roles.reader.hasPatterns && this.#roles.see(hex, this.#where)?.isTaken) return
    if (documents < this.#least || documents / this.documents > this.#maxShare) return
    const name = decodeToken(hex)
    if (name !== undefined && this.#roles.reader.isAnchor(this.#features, name)) return
    this.#kept.push(token)
    if (this.#kept.length >= 4 * this.#vocabulary + 1000) this.#prune()
  }

  /** Whether words in fewer documents than this one are of no use, so that a list by frequency may end here. */
  isEnough({documents}: TokenCount): boolean {
    if (this.#roles.reader.hasPatterns || this.#kept.length < this.#vocabulary) return false
    return documents < this.#kept[this.#vocabulary - 1].documents
  }

  finish(): {tokens: string[]; counts: Float64Array} {
    this.#prune()
    const tokens = this.#kept.map(({hex = ''}) => {
      const name = decodeToken(hex)
      if (name === undefined) throw badToken(hex, 'word', this.#where)
      return name
    })
    return {tokens, counts: Float64Array.from(this.#kept, ({documents}) => documents)}
  }

  #prune(): void {
    if (this.#kept.length <= this.#vocabulary) return
    const ranked = Float64Array.from(this.#kept, ({documents}) => documents).sort()
    this.#least = ranked[ranked.length - this.#vocabulary]
    this.#kept = this.#kept.filter(({documents}) => documents >= this.#least)
  }
}
