/**
 * One pass over documents that learns which words there are, in how many documents, and with which other words those
 * occur that may be forms of given names.
 *
 * How alike the documents of two words a and b are: d_aj = (P(j|a) - P(j)) / sd(j), the excess of word j beside a in
 * standard deviations. If a share s of the documents of b are like those of a and the rest like any, d_b = s d_a, so
 * s = sum_j d_aj d_bj / sum_j d_aj^2, the denominator less its noise, 1 / N_a for each word j.
 *
 * Memory: one entry per distinct word, and for each possible form the words beside it in its first documents.
 */
import {
  createFieldScanner,
  fieldsOf,
  isFunctionWord,
  isNegated,
  nameParts,
  type Row,
  type TextOptions,
  tokenParts
} from '../../read/data/index.ts'
import {namesOf, nameWords} from './name-similarity.ts'
import {type Company, formKind, type Vocabulary} from './word-forms.ts'

/** Documents of a word from which its company is learned; more add little. */
const COMPANY_DOCUMENTS = 2000
/** The words beside a word in fewer documents are chance. */
const LEAST_DOCUMENTS = 10
/** Words expected in fewer documents beside the word tell nothing about it. */
const LEAST_EXPECTED = 0.5

/** A word, and how many documents have it. */
interface Word {
  documents: number
  /** Whether it is one of another name, in one field alone. */
  readonly isCopy: boolean
  /** If it may be a form of a name: the words of the documents of it that were looked at. */
  readonly company?: {documents: number; readonly beside: Map<Word, number>}
}

/** Counts words, and the company of those that may be forms of `names`; phrases among the names are counted as such. */
export class VocabularySurvey {
  readonly #fields: readonly string[]
  readonly #reading: TextOptions
  /** `title:` for each text field that a name is bound to: words of such a field are also counted apart. */
  readonly #prefixes: readonly (string | undefined)[]
  readonly #scan: ReturnType<typeof createFieldScanner>
  readonly #targets: readonly (readonly string[])[]
  readonly #beginnings: ReadonlySet<string>
  readonly #words = new Map<string, Word>()
  #documents = 0

  constructor(names: readonly string[], reading: TextOptions) {
    this.#fields = fieldsOf(reading).fieldNames
    this.#reading = reading
    this.#prefixes = reading.text
      .map(field => `${field}:`)
      .map(prefix => (names.some(name => name.startsWith(prefix)) ? prefix : undefined))
    this.#scan = createFieldScanner([], reading)
    this.#targets = names.flatMap(namesOf).map(name => nameWords(name, this.#fields))
    this.#beginnings = new Set(
      this.#targets.flatMap(words => {
        const joined = words.join('')
        return Array.from({length: joined.length}, (_, at) => joined.slice(0, at + 1))
      })
    )
  }

  add(row: Row): void {
    this.#documents++
    const present = new Set(row.features.map(feature => this.#wordOf(feature)))
    for (const [field, name] of this.#reading.text.entries()) {
      const content = row.text.get(name) ?? ''
      const {tokens, marks} = this.#scan(this.#reading.keepCase ? content : content.toLowerCase(), field)
      // A negated mention breaks a phrase and is no mention of the word.
      const isLost = (at: number) => marks !== undefined && isNegated(marks, at, at + 1)
      const prefix = this.#prefixes[field]
      for (const found of this.#readText(tokens.map(({token}, at) => (isLost(at) ? [] : tokenParts(token))))) {
        present.add(this.#wordOf(found))
        if (prefix !== undefined) present.add(this.#wordOf(`${prefix}${found}`, true))
      }
    }
    for (const word of present) word.documents++
    for (const {company} of present) {
      if (company === undefined || company.documents === COMPANY_DOCUMENTS) continue
      company.documents++
      for (const other of present) company.beside.set(other, (company.beside.get(other) ?? 0) + 1)
    }
  }

  vocabulary(): Vocabulary {
    return {
      documentCount: this.#documents,
      fields: this.#fields,
      documents: new Map([...this.#words].map(([name, {documents}]) => [name, documents])),
      company: (word, form) => this.#company(word, form)
    }
  }

  /** Words, and runs of words that spell a name or a form of it ("chest pains", "e mail" for "email"). */
  *#readText(tokens: readonly (readonly string[])[]): Generator<string> {
    for (const [from, parts] of tokens.entries()) {
      if (parts.length === 0) continue
      yield parts.join(' ')
      let run = parts
      for (let to = from + 1; to < tokens.length && this.#beginnings.has(run.join('')); to++) {
        if (tokens[to].length === 0) break
        run = [...run, ...tokens[to]]
        if (this.#isPhrase(run)) yield run.join(' ')
      }
    }
  }

  #isPhrase(run: readonly string[]): boolean {
    return this.#targets.some(words =>
      words.length === run.length ? isNamed(words, run) : words.join('') === run.join('') && !run.some(isFunctionWord)
    )
  }

  #wordOf(name: string, isCopy = false): Word {
    const known = this.#words.get(name)
    if (known !== undefined) return known
    const words = nameWords(name, this.#fields)
    const isRelated = this.#targets.some(target => isNamed(target, words))
    const word: Word = {documents: 0, isCopy, ...(isRelated && {company: {documents: 0, beside: new Map()}})}
    this.#words.set(name, word)
    return word
  }

  #company(name: string, form: string): Company | undefined {
    const [a, b] = [name, form].map(one => this.#words.get(one) ?? this.#words.get(spelled(one)))
    const [x, y] = [a?.company, b?.company]
    if (a === undefined || x === undefined || y === undefined) return undefined
    // The documents of the more frequent of the two are better known.
    const [model, other] = x.documents >= y.documents ? [x, y] : [y, x]
    const N = this.#documents
    let [product, square, noise] = [0, 0, 0]
    for (const [word, count] of model.beside) {
      const p = word.documents / N
      if (word === a || word === b || word.isCopy || p === 1 || model.documents * p < LEAST_EXPECTED) continue
      const excess = (count / model.documents - p) / Math.sqrt(p * (1 - p))
      product += (excess * ((other.beside.get(word) ?? 0) / other.documents - p)) / Math.sqrt(p * (1 - p))
      square += excess ** 2
      noise += 1 / model.documents
    }
    const signal = square - noise
    const isKnown = signal > 0 && model.documents >= LEAST_DOCUMENTS
    return {
      documents: y.documents,
      together: y.beside.get(a) ?? 0,
      expected: (y.documents * a.documents) / N,
      share: isKnown ? product / signal : 0,
      error: isKnown ? Math.sqrt(square / other.documents) / signal : Number.POSITIVE_INFINITY
    }
  }
}

/** A name as text spells it here: "chest-pain" and "chest pain" are one phrase to a reader of documents. */
function spelled(name: string): string {
  return nameParts(name).join(' ')
}

function isNamed(target: readonly string[], words: readonly string[]): boolean {
  return target.join('') === words.join('') || formKind(target, words) !== undefined
}
