/** A document as people read it: its text with words marked, its concepts, and why one is likely. */
import {AdfaError, nearestName} from '../../base/checks/index.ts'
import {createInference} from '../../learn/inference/index.ts'
import {type Model, topWords} from '../../learn/model/index.ts'
import {
  type Anchors,
  createFeaturePlacer,
  DocumentIndex,
  type FeatureSpan,
  type Lexicon,
  type PlacedField,
  pickTextOptions,
  type Row,
  type SeenFeature,
  type VocabularyOptions
} from '../../read/data/index.ts'
import {explain} from '../../use/prediction/index.ts'
import {readableExplanation} from '../present/index.ts'
import {type Reading, readOptionsOf} from '../project/index.ts'
import {type Documents, firstRows, type Source} from './documents.ts'
import {type Facts, labelReader, lastModel} from './facts.ts'

/** One field of a document. */
export interface TextPart extends PlacedField {
  readonly spans: readonly TextSpan[]
}

export interface TextSpan extends FeatureSpan {
  /** Log-odds for the concept asked about. */
  readonly weight?: number
}

/**
 * Ready-made features often name their kind before a colon: `dispensed:thiamine`, `neg:fevers`. People read the kind once, above
 * the features that share it; what is negated reads "no fevers".
 */
export interface NamedFeature {
  /** What stands before the colon; undefined where there is none. */
  readonly group: string | undefined
  readonly name: string
  readonly isNegated: boolean
}

/** A word and a colon with something behind it that is no blank and no slash: times and addresses have no group. */
const GROUPED = /^(\p{L}[\p{L}\d_-]*):([^\s/].*)$/su

export function namedFeature(feature: string): NamedFeature {
  const [, group, name = feature] = GROUPED.exec(feature) ?? []
  return {group, name, isNegated: group === 'neg'}
}

/** "thiamine", "no fevers". */
export function readableFeature(feature: string): string {
  const {name, isNegated} = namedFeature(feature)
  return isNegated ? `no ${name}` : name
}

/** A lexicon that knows nothing but these. */
function bareLexicon(options: VocabularyOptions, known: Partial<Pick<Lexicon, 'anchors' | 'words'>> = {}): Lexicon {
  const reading = pickTextOptions(options)
  return {anchors: [], words: [], phrases: options.phrases, reading, filter: undefined, skipped: [], ...known}
}

/** Where features are in a row. Before there are anchors, all is plain. */
export function createReader({documents, results: {encoded}}: Pick<Facts, 'documents' | 'results'>) {
  const place = createFeaturePlacer(encoded?.lexicon ?? bareLexicon(documents.options))
  const plain = ({text}: FeatureSpan): TextSpan => ({text, kind: 'plain'})
  return (row: Row): TextPart[] => place(row).map(part => (encoded ? part : {...part, spans: part.spans.map(plain)}))
}

/** What each word adds to the log-odds of a concept, in documents as they are in general. */
function weightsOf(model: Model, concept: string): ReadonlyMap<string, number> {
  const i = model.concepts.findIndex(({name}) => name === concept)
  const {wordModel, lexicon} = model
  if (i < 0) return new Map()
  if (wordModel.kind === 'noisy-or')
    return new Map(topWords(model, i, TOP_WORDS).map(({word, weight}) => [word, weight]))
  return new Map(lexicon.words.map((word, j) => [word, wordModel.weights[i][j]]))
}

const TOP_WORDS = 200

/** Weaker words are not marked. */
const WORTH_MARKING = 0.1

/** The parts of a text with weights of their words for a concept. */
export function weighWords(parts: readonly TextPart[], weights: ReadonlyMap<string, number>): TextPart[] {
  const mark = (span: TextSpan): TextSpan => {
    const weight = span.kind === 'word' && span.feature !== undefined ? (weights.get(span.feature) ?? 0) : 0
    return Math.abs(weight) < WORTH_MARKING ? span : {...span, weight}
  }
  return parts.map(part => ({...part, spans: part.spans.map(mark)}))
}

/** Characters of a line, and words that are marked in it. */
const LINE_LENGTH = 240
const MARKED = 6

/** Lines of a list: the beginning of each document, with the strongest words for the concept marked. */
export function createLiner(facts: Facts, concept: string | undefined) {
  const {documents, results} = facts
  const read = createReader(facts)
  const model = results.learned?.model
  const weights = model === undefined || concept === undefined ? new Map<string, number>() : weightsOf(model, concept)
  return (at: number) => {
    const parts = clipped(weighWords(read(documents.row(at)), weights))
    const sizes = parts.flatMap(({spans}) => spans.map(({weight = 0}) => Math.abs(weight)))
    const least = sizes.sort((a, b) => b - a)[MARKED - 1] ?? 0
    const marked = ({weight = 0, ...span}: TextSpan): TextSpan =>
      weight === 0 || Math.abs(weight) < least ? span : {...span, weight}
    return {
      at,
      name: documents.name(at),
      parts: parts.map(part => ({...part, spans: part.spans.map(marked)}))
    }
  }
}

/** The parts up to the length of a line. */
function clipped(parts: readonly TextPart[]): TextPart[] {
  let left = LINE_LENGTH
  const cut = (span: TextSpan): TextSpan[] => {
    const text = span.text.slice(0, Math.max(0, left))
    left -= span.text.length + 1
    return text === '' ? [] : [{...span, text}]
  }
  return parts.map(part => ({...part, spans: part.spans.flatMap(cut)})).filter(({spans}) => spans.length > 0)
}

/** A document with the probability of every concept, most probable first. */
export type DocumentView = ReturnType<typeof documentView>

export function documentView(facts: Facts, at: number) {
  const {documents, results} = facts
  checkNumber(documents, at)
  const {learned} = results
  const probabilities = learned ? createInference(learned.model).posterior(learned.evidence(at)).probabilities : []
  const concepts = (learned?.model.concepts ?? []).map(({name}, i) => {
    const label = labelReader(facts, name)(at)
    return {name, probability: probabilities[i], ...(label !== undefined && {label})}
  })
  return {
    at,
    name: documents.name(at),
    parts: createReader(facts)(documents.row(at)),
    concepts: concepts.sort((a, b) => b.probability - a.probability)
  }
}

function checkNumber({numbered}: Documents, at: number): void {
  if (!(Number.isSafeInteger(at) && at >= 0 && at < numbered))
    throw new AdfaError('bad-option', `there is no document number ${at}; there are ${numbered}`)
}

export type ExplanationView = ReturnType<typeof explanationView>

export function explanationView(
  {documents, results}: Facts,
  at: number,
  concept: string,
  known: Readonly<Record<string, boolean>>
) {
  checkNumber(documents, at)
  const {model, evidence} = lastModel(results)
  const states = model.concepts.map(({name}) => (Object.hasOwn(known, name) ? Number(known[name]) : -1))
  const others = states.map((state, i) => (model.concepts[i].name === concept ? -1 : state))
  const explanation = explain(model, evidence(at), concept, {known: Int8Array.from(others)})
  const {probabilities} = createInference(model).posterior(evidence(at), Int8Array.from(states))
  const words = explanation.contributions.flatMap(item =>
    item.kind === 'word' && item.present ? [[item.word, item.logOdds] as const] : []
  )
  const readable = readableExplanation(model, explanation)
  const contributions = readable.contributions.map(item =>
    item.kind === 'concept' ? {...item, sharedWords: item.sharedWords.map(readableFeature)} : item
  )
  return {
    at,
    explanation: {...readable, contributions},
    weights: new Map(words),
    probabilities: Object.fromEntries(model.concepts.map(({name}, i) => [name, probabilities[i]]))
  }
}

/** Characters around a match. */
const AROUND = 60

/** The end of a text, from the beginning of a word on. */
function lastWords(text: string): string {
  return text.length <= AROUND ? text : text.slice(-AROUND).replace(/^\S*\s+(?:\u00b7\s)?/, '')
}

/** The first place of a feature in a row. */
export function spansAround(row: Row, feature: string, options: VocabularyOptions) {
  const anchors = [{concept: 'this', any: [feature], not: [], rates: undefined}]
  const parts = createFeaturePlacer(bareLexicon(options, {anchors}))(row)
  for (const {isText, spans} of parts) {
    const at = spans.findIndex(({kind}) => kind === 'anchor')
    if (at < 0) continue
    const texts = spans.map(({text}) => (isText ? text : readableFeature(text)))
    // Single features have dots between them, as everywhere.
    const dot = isText ? '' : ' \u00b7 '
    const before = texts.slice(0, at).map(text => text + dot)
    const after = texts.slice(at + 1).map(text => dot + text)
    return {before: lastWords(before.join('')), match: texts[at], after: after.join('').slice(0, AROUND)}
  }
  return {before: '', match: '', after: ''}
}

/** A frequent feature of nearly this spelling. */
export function nearestFeature(feature: string, documents: Documents): string | undefined {
  const wanted = feature.toLowerCase()
  const {text: fields} = documents.options
  const seen = new Map<string, number>()
  for (const {name, documents: count} of documents.index.words()) {
    const field = fields.find(prefix => name.startsWith(`${prefix}:`))
    const word = field === undefined ? name : name.slice(field.length + 1)
    if (word[0] === wanted[0] && Math.abs(word.length - wanted.length) <= 2)
      seen.set(word, Math.max(count, seen.get(word) ?? 0))
  }
  const names = [...seen].sort((a, b) => b[1] - a[1]).map(([name]) => name)
  return nearestName(wanted, names)
}

const SHOWN = 20
/** Rows from which shares of words are estimated. */
const SURVEYED = 200
const DROPPED = 20
/** Words and stretches between them that are shown of a field. */
const SPANS = 400

export type Preview = Awaited<ReturnType<typeof preview>>

export async function preview(source: Source, reading: Reading, anchors: Anchors) {
  const options = readOptionsOf(reading)
  const rows = await firstRows(source, reading, SURVEYED)
  const index = new DocumentIndex(options)
  for (const row of rows) index.add(row)
  const words = [...index.words()].sort((a, b) => b.documents - a.documents)
  const isFrequent = ({documents}: SeenFeature) => documents > options.maxShare * rows.length
  const kept = words.filter(word => !isFrequent(word)).map(({name}) => name)
  const lexicon = bareLexicon(options, {anchors: anchors.filter(({any}) => any.length > 0), words: kept.sort()})
  const place = createFeaturePlacer(lexicon)
  const cut = (spans: readonly FeatureSpan[]): readonly FeatureSpan[] =>
    spans.length <= SPANS ? spans : [...spans.slice(0, SPANS), {text: ' …', kind: 'plain'}]
  return {
    rows: rows.slice(0, SHOWN).map((row, at) => ({
      name: String(row.id ?? at + 1),
      parts: place(row).map(part => ({...part, spans: cut(part.spans)}))
    })),
    surveyed: rows.length,
    kept: kept.length,
    dropped: words
      .filter(isFrequent)
      .slice(0, DROPPED)
      .map(({name, documents}) => ({word: name, share: documents / rows.length}))
  }
}
