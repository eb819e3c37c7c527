import type {Counts} from '../../read/counts/index.ts'
import {byCodeUnit, fieldsOf, type Lexicon, type Row} from '../../read/data/index.ts'
import {type AnchorStatistics, anchorStatistics} from './anchor-statistics.ts'
import {barredWords} from './barred-words.ts'
import {fieldOf, withoutField} from './name-similarity.ts'
import {VocabularySurvey} from './vocabulary-survey.ts'
import {type Vocabulary, type WordForm, wordForms} from './word-forms.ts'

/** Forms of the members of an anchor that are not in it yet. */
export interface ConceptForms {
  readonly concept: string
  /** The most frequent first. */
  readonly forms: readonly WordForm[]
}

/** A form in a larger share of the documents marks no concept. */
const LARGEST_SHARE = 0.5

/**
 * The forms for the anchors of counts. With the documents, or a sample of them, the words beside each form are evidence;
 * counts alone know only how often a word occurs where an anchor fires.
 */
export function findForms(counts: Counts, rows?: readonly Row[]): ConceptForms[] {
  const vocabulary = rows === undefined ? countedVocabulary(anchorStatistics(counts)) : sampledVocabulary(rows, counts)
  return anchorForms(counts.lexicon, vocabulary)
}

/**
 * Sound forms of the members of each anchor (`wordForms`), in the field of the member. Left out: what is in an anchor or
 * its "not" already, and forms of members of two concepts.
 */
function anchorForms(lexicon: Lexicon, vocabulary: Vocabulary): ConceptForms[] {
  const {anchors, reading} = lexicon
  const field = (name: string) => fieldOf(name, fieldsOf(reading).fieldNames)
  const found = anchors.map(({any}) => {
    const forms = any.flatMap(member =>
      wordForms(member, vocabulary).filter(({feature, isSound}) => isSound && field(feature) === field(member))
    )
    return new Map(forms.map(form => [form.feature, form]))
  })
  const features = [...new Set(found.flatMap(forms => [...forms.keys()]))]
  const {member, veto} = barredWords(lexicon, features)
  const claims = features.map(feature => found.filter(forms => forms.has(feature)).length)
  return anchors.map(({concept}, i) => {
    const forms = features.flatMap((feature, at) => {
      const form = found[i].get(feature)
      if (form === undefined || form.documents > LARGEST_SHARE * vocabulary.documentCount) return []
      return member[at] === 1 || veto[i][at] === 1 || claims[at] > 1 ? [] : [form]
    })
    return {concept, forms: forms.sort((a, b) => b.documents - a.documents || byCodeUnit(a.feature, b.feature))}
  })
}

/**
 * The vocabulary of documents, with the company of all words that may be forms of the anchors. Numbers of documents are
 * those of all documents where `rows` are a sample of them.
 */
function sampledVocabulary(rows: readonly Row[], {lexicon, documentCount}: Counts): Vocabulary {
  const members = lexicon.anchors.flatMap(({any}) => any)
  const survey = new VocabularySurvey(members, lexicon.reading)
  for (const row of rows) survey.add(row)
  const vocabulary = survey.vocabulary()
  const scale = rows.length === 0 ? 1 : documentCount / rows.length
  const scaled = [...vocabulary.documents].map(([word, count]) => [word, Math.round(count * scale)] as const)
  return {...vocabulary, documentCount, documents: new Map(scaled), isSampled: rows.length < documentCount}
}

/** The vocabulary of counts, which know only how often a word occurs where an anchor fires. */
function countedVocabulary(statistics: AnchorStatistics): Vocabulary {
  const {counts, n, N, fired, words, anchoredWords} = statistics
  const {lexicon} = counts
  const fields = fieldsOf(lexicon.reading).fieldNames
  const documents = new Map<string, number>()
  const ids = new Map<string, number>()
  const see = (name: string, j: number) => {
    // A word of several fields is in at least as many documents as in any of them.
    if (words[j] <= (documents.get(name) ?? 0)) return
    documents.set(name, words[j])
    ids.set(name, j)
  }
  lexicon.words.forEach((word, j) => {
    see(word, j)
    see(withoutField(word, lexicon.reading.text), j)
  })
  return {
    documentCount: N,
    fields,
    documents,
    company: (word, form) => {
      const i = lexicon.anchors.findIndex(({any}) => any.includes(word))
      const j = ids.get(form) ?? -1
      if (i < 0 || j < 0) return undefined
      const expected = (words[j] * fired[i]) / N
      const together = anchoredWords[i * n + j]
      return {documents: words[j], together, expected, share: 0, error: Number.POSITIVE_INFINITY}
    }
  }
}
