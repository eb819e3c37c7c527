/**
 * Forms of a word among the features of a corpus: plurals and inflections ("falls", "falling"), words of the same stem
 * ("canadian" for "canada") and other spellings ("e-mail" for "email", "colour" for "color").
 *
 * Letters alone cannot tell "canadian" from "university" for "universe": a word of the same stem or another spelling is a
 * form only where documents show that the two go together, in the same documents or with the same words.
 */
import {isSpellingVariant} from '../../base/checks/index.ts'
import {byCodeUnit} from '../../read/data/index.ts'
import {shareInterval} from './anchor-statistics.ts'
import {isEmptyName, nameSimilarity, nameWords, stemLengths} from './name-similarity.ts'

/** The words that anchors may be made of, and how many documents have each. */
export interface Vocabulary {
  readonly documentCount: number
  /** Whether numbers of documents are estimates from a sample. */
  readonly isSampled?: boolean
  /** The fields in front of the names of features. */
  readonly fields: readonly string[]
  /** Documents with each feature: `fever` and `chest pain` in any text field, `text:fever` in one, `sex:m`. */
  readonly documents: ReadonlyMap<string, number>
  /** How two features occur together; undefined where nothing is known about one of them. */
  readonly company?: (word: string, form: string) => Company | undefined
}

/** How two features go together in documents. */
export interface Company {
  /** Documents with the form; those of them that have both, and how many would by chance. */
  readonly documents: number
  readonly together: number
  readonly expected: number
  /** The share of the form's documents that look like those of the word: 1 for the same words beside it, 0 for any. */
  readonly share: number
  /** The standard error of the share. */
  readonly error: number
}

export type FormKind = 'inflected' | 'stem' | 'spelling'

/** A form of a word. */
export interface WordForm {
  readonly feature: string
  readonly documents: number
  readonly kind: FormKind
  /** Whether documents show that it goes with the word; undefined where they are too few to tell, or not known. */
  readonly goesTogether: boolean | undefined
  /** Whether to take it: documents confirm it, or it is an inflection that they do not contradict. Never a short word with one letter changed. */
  readonly isSound: boolean
  /** Documents that have both words, and how many would by chance, where they show that the two go together. */
  readonly beside?: {readonly together: number; readonly expected: number}
  /** Whether `documents` is an estimate from a sample. */
  readonly isSampled: boolean
}

/** All forms of a word or phrase in the vocabulary: sound ones first, then those in most documents. */
export function wordForms(word: string, vocabulary: Vocabulary): WordForm[] {
  const {fields, documents} = vocabulary
  const words = nameWords(word, fields)
  const found: WordForm[] = []
  for (const [feature, own] of spellings(vocabulary)) {
    const kind = formKind(words, own)
    if (kind === undefined || isEmptyName(feature, fields)) continue
    if ((documents.get(feature) ?? 0) >= LEAST_DOCUMENTS[kind]) found.push(judge(word, feature, kind, vocabulary))
  }
  return found.sort(
    (a, b) => Number(b.isSound) - Number(a.isSound) || b.documents - a.documents || byCodeUnit(a.feature, b.feature)
  )
}

/** The words of every name of a vocabulary: they are compared with each member of each anchor. */
const known = new WeakMap<Vocabulary, ReadonlyMap<string, readonly string[]>>()

function spellings(vocabulary: Vocabulary): ReadonlyMap<string, readonly string[]> {
  const {fields, documents} = vocabulary
  const found = known.get(vocabulary) ?? new Map(Array.from(documents.keys(), name => [name, nameWords(name, fields)]))
  known.set(vocabulary, found)
  return found
}

/** How a name of these words is a form of another; undefined if it is none. */
export function formKind(a: readonly string[], b: readonly string[]): FormKind | undefined {
  if (a.length === 0 || b.length === 0) return undefined
  const [x, y] = [a.join(''), b.join('')]
  if (x === y) return a.length === b.length ? undefined : 'spelling'
  if (x[0] !== y[0]) return undefined
  const similarity = nameSimilarity(a, b)
  if (similarity === 'inflected' || isInflection(x, y)) return 'inflected'
  if (similarity === 'stem') return 'stem'
  return isSpellingVariant(x, y) ? 'spelling' : undefined
}

/** Endings of inflected words, and what they may replace: bak-ed, bak-ing, bak-e; appl-ied, appl-y; fever's. */
const INFLECTIONS: ReadonlySet<string> = new Set(["'s", "'", 's', 'es', 'ed', 'ing', 'ings', 'ied', 'ies'])
const PLAIN_ENDINGS: ReadonlySet<string> = new Set(['', 'e', 'y'])
const SHORTEST_WORD = 4

function isInflection(a: string, b: string): boolean {
  // A stem loses its "e" (bak-ing).
  return stemLengths(a, b, SHORTEST_WORD - 1).some(end => {
    const [x, y] = [a, b].map(word => ending(word, end))
    if (end < SHORTEST_WORD && x !== 'e' && y !== 'e') return false
    return INFLECTIONS.has(x) ? INFLECTIONS.has(y) || PLAIN_ENDINGS.has(y) : INFLECTIONS.has(y) && PLAIN_ENDINGS.has(x)
  })
}

/** What follows the stem; its last letter may be doubled before it: scan-n-ed. */
function ending(word: string, stemLength: number): string {
  const rest = word.slice(stemLength)
  return rest.length > 2 && rest[0] === word[stemLength - 1] && !/[aeiou]/.test(rest[0]) ? rest.slice(1) : rest
}

/** A form in fewer documents is not worth asking about. */
const LEAST_DOCUMENTS: Readonly<Record<FormKind, number>> = {inflected: 2, stem: 3, spelling: 3}
/** Documents of both, and how much more often than by chance (at the lower end of a 90% interval), that link two words. */
const LEAST_TOGETHER = 3
const LEAST_LIFT = 3
/** The least share of the form's documents that look like the word's, this many standard errors from 0. */
const LEAST_SHARE = 0.25
const ERRORS = 3

function judge(word: string, feature: string, kind: FormKind, vocabulary: Vocabulary): WordForm {
  const documents = vocabulary.documents.get(feature) ?? 0
  const company = vocabulary.company?.(word, feature)
  const goesTogether = company && isTogether(company)
  const isSound = (goesTogether ?? kind === 'inflected') && !(kind === 'spelling' && isShort(word, feature, vocabulary))
  const beside = company !== undefined && isBeside(company) && {together: company.together, expected: company.expected}
  const isSampled = vocabulary.isSampled ?? false
  return {feature, documents, kind, goesTogether, isSound, ...(beside && {beside}), isSampled}
}

/** Whether one letter may make another word of a short one: "string" and "strong", "pasta" and "paste"; not "color" and "colour". */
function isShort(word: string, feature: string, {fields}: Vocabulary): boolean {
  const [x, y] = [word, feature].map(name => nameWords(name, fields).join('').replace('our', 'or'))
  return x !== y && Math.max(x.length, y.length) < SHORTEST_SPELLED
}

const SHORTEST_SPELLED = 8

/** False only where the share is surely too low. */
function isTogether(company: Company): boolean | undefined {
  const {share, error} = company
  if (isBeside(company) || (share >= LEAST_SHARE && share >= ERRORS * error)) return true
  return share + ERRORS * error < LEAST_SHARE ? false : undefined
}

function isBeside({together, documents, expected}: Company): boolean {
  return together >= LEAST_TOGETHER && shareInterval(together, documents).low * documents >= LEAST_LIFT * expected
}
