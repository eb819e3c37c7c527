/**
 * Do suggestions recover a member that was removed from an anchor? One member of every anchor that has two or more
 * is removed and looked for, then the next, with and without the similarity of names. Results are kept in
 * suggestions.json, from which the table of suggestions.md is made.
 *
 * Command: npx tsx research/figures/suggestions.ts FILE.jsonl.gz... [--concepts 50] [--skip 0] [--vocabulary 2000]
 */
import {existsSync, readFileSync} from 'node:fs'
import {basename} from 'node:path'
import {parseArgs} from 'node:util'
import {gunzipSync} from 'node:zlib'
import {countCorpus} from '../../src/read/counts/index.ts'
import {
  type Anchors,
  anchorsFromTags,
  buildCorpus,
  type Corpus,
  parseAnchors,
  tokenize
} from '../../src/read/data/index.ts'
import {suggestAnchors} from '../../src/use/advice/index.ts'
import {fillPage, markdownTable, readKept, writeKept} from '../page.ts'
import {mean} from '../spread.ts'

const {positionals, values} = parseArgs({
  allowPositionals: true,
  options: {
    concepts: {type: 'string', default: '50'},
    skip: {type: 'string', default: '0'},
    vocabulary: {type: 'string', default: '2000'}
  }
})
const FIELDS = ['title', 'text']
const TOP = 10
const MEMBERS_AT_MOST = 6

const kept = new URL('suggestions.json', import.meta.url)
let all = readKept<readonly Figure[]>(kept, [])

for (const path of positionals) {
  const [concepts, skip, vocabulary] = [values.concepts, values.skip, values.vocabulary].map(Number)
  const figures = measureSuggestions(path, {concepts, skip, vocabulary})
  all = [...all.filter(({corpus}) => corpus !== figures[0].corpus), ...figures]
  writeKept(kept, all)
}
fillPage('research/figures/suggestions.md', {'table: suggestions': tableOf(all)})

function tableOf(figures: readonly Figure[]): string {
  const share = (part: number, whole: number) => (part / whole).toFixed(2)
  const rows = [...new Set(figures.map(({corpus}) => corpus))].map(corpus => {
    const own = figures.filter(figure => figure.corpus === corpus)
    const [by, without] = [true, false].map(names => own.find(figure => figure.names === names) as Figure)
    const {documents, concepts, asked, offered} = by
    return [
      ...[corpus, documents, concepts, asked, share(offered, asked)],
      `**${share(by.inTen, asked)}** (${share(by.inTen, offered)})`,
      share(by.asFirst, asked),
      `${share(without.inTen, asked)} (${share(without.inTen, offered)})`,
      share(without.asFirst, asked),
      `${by.precisionOfFirst.toFixed(2)}, ${by.precisionOfNext.toFixed(2)}`
    ]
  })
  const header = [
    ...['corpus', 'documents', 'concepts', 'asked', 'among the words', 'in ten', 'first', 'in ten, no names'],
    ...['first, no names', 'have the concept']
  ]
  return markdownTable(header, rows)
}

/** Which concepts: `concepts` of the commonest tags, after the first `skip`; 2,000 words per field, for example. */
interface SuggestionProblem {
  readonly concepts: number
  readonly skip: number
  readonly vocabulary: number
}

interface Figure {
  readonly corpus: string
  readonly documents: number
  readonly concepts: number
  readonly names: boolean
  /** Members removed, one after another, from every anchor that has two or more. */
  readonly asked: number
  /** Those of them that are then in the vocabulary. */
  readonly offered: number
  /** Those that return, among the first ten and as the first. */
  readonly inTen: number
  readonly asFirst: number
  /** Documents with the first suggestion that have the concept by their tags, and with the second and third: means. */
  readonly precisionOfFirst: number
  readonly precisionOfNext: number
}

interface TaggedRow {
  readonly id: string
  readonly title: string
  readonly text: string
  readonly tags: readonly string[]
}

/** Remove members from all anchors of two or more, round by round, and look for them, with and without names. */
function measureSuggestions(path: string, problem: SuggestionProblem): Figure[] {
  const {concepts, skip, vocabulary} = problem
  const name = basename(path).replace(/\.jsonl\.gz$/, '')
  const corpus = skip === 0 ? name : `${name}, tags ${skip + 1}-${skip + concepts}`
  const {rows, anchors: wanted} = readRows(path, problem)
  const {anchors} = buildCorpus(rows, wanted, {text: FIELDS, vocabulary: 1, skipBadAnchors: true}).lexicon
  const memberCount = Math.min(MEMBERS_AT_MOST, Math.max(...anchors.map(({any}) => any.length)))
  const rounds = Array.from({length: memberCount}, (_, round) => takeAway(rows, anchors, round, vocabulary))
  return [true, false].map(names => {
    const answers = rounds.map(({removed, corpus}) => ask(removed, corpus, names))
    const sum = (value: (answer: Answer) => number) => answers.reduce((total, answer) => total + value(answer), 0)
    return {
      corpus,
      documents: rows.length,
      concepts: anchors.length,
      names,
      asked: sum(({ranks}) => ranks.length),
      offered: sum(({offered}) => offered),
      inTen: sum(({ranks}) => ranks.filter(rank => rank >= 0).length),
      asFirst: sum(({ranks}) => ranks.filter(rank => rank === 0).length),
      precisionOfFirst: mean(answers.flatMap(({precisions}) => precisions.flatMap(list => list.slice(0, 1)))),
      precisionOfNext: mean(answers.flatMap(({precisions}) => precisions.flatMap(list => list.slice(1, 3))))
    }
  })
}

/** Rows with their anchors: of FILE.anchors.json beside them, or else of the commonest tags, in documents with two of those. */
function readRows(path: string, {concepts, skip}: SuggestionProblem): {rows: TaggedRow[]; anchors: Anchors} {
  const lines = gunzipSync(readFileSync(path)).toString().trimEnd().split('\n')
  const rows = lines.map(line => {
    const {id, title, text, tags} = JSON.parse(line) as TaggedRow
    return {id, title, text, tags}
  })
  const anchorsPath = path.replace(/\.jsonl\.gz$/, '.anchors.json')
  if (existsSync(anchorsPath)) return {rows, anchors: parseAnchors(readFileSync(anchorsPath, 'utf8'), anchorsPath)}
  const counts = new Map<string, number>()
  for (const {tags} of rows) for (const tag of new Set(tags)) counts.set(tag, (counts.get(tag) ?? 0) + 1)
  const ranked = [...counts].sort(([a, x], [b, y]) => y - x || (a < b ? -1 : 1)).map(([tag]) => tag)
  const common = new Set(ranked.slice(0, 200))
  return {
    rows: rows.filter(({tags}) => new Set(tags.filter(tag => common.has(tag))).size >= 2),
    anchors: anchorsFromTags(ranked.slice(skip, skip + concepts), FIELDS)
  }
}

interface Round {
  /** The member removed from each concept, if it has two or more. */
  readonly removed: ReadonlyMap<string, string>
  readonly corpus: Corpus
}

/** The corpus read by anchors without member number `round`, which becomes an ordinary word, phrases too. */
function takeAway(rows: readonly TaggedRow[], anchors: Anchors, round: number, vocabulary: number): Round {
  const removed = new Map(
    anchors.filter(({any}) => any.length > Math.max(1, round)).map(({concept, any}) => [concept, any[round]])
  )
  const left = anchors.map(anchor => ({
    ...anchor,
    any: anchor.any.filter(name => name !== removed.get(anchor.concept))
  }))
  const phrases = [...removed.values()].map(withoutField).filter(name => /[ -]/.test(name))
  return {removed, corpus: buildCorpus(rows, left, {text: FIELDS, vocabulary, phrases, skipBadAnchors: true})}
}

interface Answer {
  /** The rank of each removed member, or -1. */
  readonly ranks: readonly number[]
  readonly offered: number
  /** Of each concept and suggestion: the share of its documents that have the concept. */
  readonly precisions: readonly (readonly number[])[]
}

function ask(removed: ReadonlyMap<string, string>, corpus: Corpus, useNames: boolean): Answer {
  const found = suggestAnchors(countCorpus(corpus), {perConcept: TOP, useNames})
  const asked = found.flatMap(({concept, words}) => {
    const feature = removed.get(concept)
    return feature === undefined ? [] : [{feature, words: words.map(({word}) => word)}]
  })
  const precision = tagPrecision(corpus)
  return {
    ranks: asked.map(({feature, words}) => words.findIndex(word => isSame(word, feature))),
    offered: asked.filter(({feature}) => corpus.lexicon.words.some(word => isSame(word, feature))).length,
    precisions: found.map(({concept, words}) => words.slice(0, 3).map(({word}) => precision(concept, word)))
  }
}

/** Whether a word is the removed member; a member without a field matches any. */
function isSame(word: string, feature: string): boolean {
  const spelled = (name: string) => tokenize(withoutField(name).toLowerCase().replaceAll('-', ' ')).join(' ')
  return spelled(word) === spelled(feature) && (withoutField(feature) === feature || fieldOf(word) === fieldOf(feature))
}

function withoutField(name: string): string {
  return name.replace(/^(?:title|text):/, '')
}

function fieldOf(name: string): string {
  return name.slice(0, name.indexOf(':'))
}

function tagPrecision({lexicon, documents}: Corpus): (concept: string, word: string) => number {
  const concepts = new Map(lexicon.anchors.map(({concept}, i) => [concept, i]))
  const words = new Map(lexicon.words.map((word, j) => [word, j]))
  return (concept, word) => {
    const [i, j] = [concepts.get(concept) ?? -1, words.get(word) ?? -1]
    const having = documents.filter(({words}) => words.includes(j))
    return having.filter(({labels}) => labels?.[i] === 1).length / having.length
  }
}
