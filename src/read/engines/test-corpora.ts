import {type Rng, randomIndex, rng} from '../../base/numeric/index.ts'
import {type Anchors, anchorRule, parseAnchors} from '../data/index.ts'
import type {AnchorSource, CountingOptions} from './count-with.ts'

/** A small corpus with the way it is counted. */
export interface TestCorpus {
  readonly rows: readonly TestRow[]
  readonly anchors: AnchorSource
  readonly options: Partial<CountingOptions>
}

export interface SqlCorpus extends TestCorpus {
  readonly anchors: AnchorSource & {readonly kind: 'given'}
}

export interface TestRow {
  readonly id?: string
  readonly features: readonly string[]
  readonly title?: string
  readonly text?: string
  readonly tags?: readonly string[]
  readonly votes?: Readonly<Record<string, unknown>>
}

/** Words that a careless engine would stumble over: quotes, escapes, separators, names of properties, every script. */
const HOSTILE: readonly string[] = [
  '',
  ' ',
  '__proto__',
  'constructor',
  'toString',
  "o'brien",
  "'); DROP TABLE documents; --",
  '"',
  '\\',
  "\\'",
  '\\0',
  '\u0000',
  'nul\u0000inside',
  'tab\there',
  'new\nline',
  '%s{x:1}?$1:word',
  '[1,2]',
  'a,b|c;d',
  'NULL',
  'null',
  '\\N',
  'été',
  'e\u0301te\u0301',
  'ß',
  'İ',
  'Σ',
  '患者',
  '👩‍⚕️',
  '\u{1F600}',
  '\uFFFD',
  '\uE000',
  '\u{10FFFD}',
  '0',
  '-1',
  '1e3',
  'true',
  'text:fever',
  'title:fever',
  'x'.repeat(3000)
]

const PLAIN: readonly string[] = ['fever', 'cough', 'pain', 'chest', 'fall', 'etoh', 'drug', 'no', 'a', 'b', 'c', 'd']

/**
 * Random small corpora, the same for the same seed: some empty documents, doubled words, tags, filters, vetoes, anchors that
 * are regular expressions, votes, and now and then more concepts than a machine word has bits. Without `text`, ready-made words alone.
 */
export function drawCorpora(
  count: number,
  {text, seed}: {readonly text: boolean; readonly seed: number}
): TestCorpus[] {
  const random = rng(seed)
  return Array.from({length: count}, (_, at) => {
    const corpus = drawCorpus(random, text, at % 10 === 9)
    return text && at % 8 === 3 ? withVotes(corpus, random) : corpus
  })
}

/** Those that SQL can count: anchors are given and without expressions, and nothing is learned from tags. */
export function drawSqlCorpora(count: number, drawn: Parameters<typeof drawCorpora>[1]): SqlCorpus[] {
  return drawCorpora(count, drawn).flatMap(({rows, anchors: source, options}) => {
    const given = source.kind === 'given' ? source.anchors : []
    const anchors = given.filter(({any, not}) => ![...any, ...not].some(name => /^(\/|votes:)/.test(name)))
    const plain = rows.map(
      ({features, title = '', text = ''}): TestRow => (drawn.text ? {features: [], title, text} : {features})
    )
    const {vocabulary = 3, maxShare = 1, skipBadAnchors = true} = options
    if (anchors.length === 0) return []
    return [{rows: plain, anchors: {kind: 'given', anchors}, options: {vocabulary, maxShare, skipBadAnchors}}]
  })
}

const SOURCES: readonly string[] = ['lf0', 'a=b', '__proto__', '患者']
const VOTES: readonly unknown[] = ['ham', 'spam', 'not spam', true, false, null]

/** The documents with votes, which give the anchors: all classes found, those that are known, or sources that are listed. */
function withVotes({rows, options}: TestCorpus, random: Rng): TestCorpus {
  const pick = <T>(list: readonly T[]): T => list[randomIndex(random, list.length)]
  const drawVotes = () =>
    Object.fromEntries(SOURCES.filter(() => random.next() < 0.5).map(source => [source, pick(VOTES)]))
  const listed = {ham: {votes: SOURCES}, spam: {votes: ['lf0']}, $exclusive: [['ham', 'spam']]}
  const anchors = pick<AnchorSource>([
    {kind: 'votes'},
    anchorRule(parseAnchors('{"$exclusive": [["spam", "ham"]]}', 'anchors.json')),
    anchorRule(parseAnchors(JSON.stringify(listed), 'anchors.json'))
  ])
  return {rows: rows.map(row => ({...row, votes: drawVotes()})), anchors, options: {...options, skipBadAnchors: true}}
}

function drawCorpus(random: Rng, text: boolean, isWide: boolean): TestCorpus {
  const pick = <T>(list: readonly T[]): T => list[randomIndex(random, list.length)]
  const some = (list: readonly string[], most: number) =>
    list.length === 0 ? [] : Array.from({length: randomIndex(random, most + 1)}, () => pick(list))
  const wide = isWide ? Array.from({length: 90 + randomIndex(random, 60)}, (_, at) => `anchor ${at}`) : []
  const words = [...Array.from({length: 6}, () => pick(HOSTILE)), ...PLAIN.slice(randomIndex(random, 6)), ...wide]
  const tags = ['fever', 'chest pain', ...Array.from({length: 3}, () => pick(HOSTILE))].filter(tag => tag !== '')
  const hasTags = random.next() < 0.5
  const rows = Array.from({length: 1 + randomIndex(random, 25) + (isWide ? 20 : 0)}, (_, at): TestRow => {
    const features = random.next() < 0.1 ? [] : [...some(words, 8), ...some(wide, 40)]
    return {
      ...(random.next() < 0.7 ? {id: `${pick(HOSTILE)}${at}`} : {}),
      features,
      ...(text ? {title: some(words, 3).join(' '), text: some(words, 9).join(random.next() < 0.2 ? '. ' : ' ')} : {}),
      ...(hasTags && random.next() < 0.8 ? {tags: some(tags, 3)} : {})
    }
  })
  const byTags = hasTags && random.next() < 0.4
  const anchors: AnchorSource = byTags
    ? {kind: 'tags', fields: ['title', 'text'], topTags: 1 + randomIndex(random, 4)}
    : {kind: 'given', anchors: drawAnchors(random, words)}
  const options = {
    vocabulary: pick([1, 3, 10, 1000]),
    maxShare: pick([0.3, 0.5, 1]),
    skipBadAnchors: random.next() < 0.95,
    ...(hasTags && random.next() < 0.3 ? {minTags: 1, ofTop: 1 + randomIndex(random, 4)} : {}),
    ...(hasTags && random.next() < 0.5 ? {labelShare: 1} : {}),
    ...(text && random.next() < 0.2 ? {labelShare: 0.5, seed: randomIndex(random, 100)} : {}),
    ...(text && random.next() < 0.2 ? {negation: true} : {})
  }
  return {rows, anchors, options}
}

/** Up to six concepts, or one for each of many words; each with one or two features, sometimes a veto or an expression. */
function drawAnchors(random: Rng, words: readonly string[]): Anchors {
  const pick = <T>(list: readonly T[]): T => list[randomIndex(random, list.length)]
  const isWide = words.length > 50
  const names = isWide ? words.slice(-90) : Array.from({length: 2 + randomIndex(random, 5)}, () => pick(words))
  const feature = (name: string) => {
    const draw = random.next()
    if (draw < 0.1 && !isWide) return '/^fe|co.gh/'
    return draw < 0.2 ? `text:${name}` : name
  }
  const entries = [...new Set(names)].map((name, at) => [
    `concept ${at}`,
    {
      any: random.next() < 0.7 ? [feature(name)] : [feature(name), pick(words)],
      ...(random.next() < 0.2 ? {not: [pick(words)]} : {})
    }
  ])
  return parseAnchors(JSON.stringify(Object.fromEntries(entries)), 'anchors.json')
}
