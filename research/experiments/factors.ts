import {readFileSync} from 'node:fs'
import {log} from '../../src/base/numeric/index.ts'
import {percent} from '../../src/base/text/index.ts'
import {fit} from '../../src/learn/fit.ts'
import type {Model} from '../../src/learn/model/index.ts'
import {countCorpus} from '../../src/read/counts/index.ts'
import type {Lexicon} from '../../src/read/data/index.ts'
import {spreadOf, spreadText} from '../spread.ts'
import {type Experiment, type Results, type Row, significant, type Tables} from './experiment.ts'
import {anchorsWithTagRates, type Material, oracleModel} from './material.ts'

type FactorMethod = 'paper' | 'robust' | 'oracle'

export type FactorsCell = {
  /** The oracle: the paper's estimator with the true tags in place of anchors. */
  readonly method: FactorMethod
  readonly seed: number
}

/**
 * How the words of a concept are ranked: by lowest failure, as in the paper; by information about the concept, in nats;
 * by what they add to the log-odds in predictions.
 */
type Ranking = 'failure' | 'information' | 'weights'

/** A list of words for every concept. */
type WordList = {readonly method: FactorMethod; readonly ranking: Ranking}

/** Relative cost: seconds for 24,000 documents, 50 concepts and 1,000 words. */
const COSTS: Readonly<Record<FactorMethod, number>> = {paper: 1.5, robust: 12, oracle: 1.5}

const names = {
  ...{paper: 'ADFA, tree (paper)', robust: 'ADFA, robust', oracle: 'true tags (oracle)'},
  ...{failure: 'lowest failure', information: 'most informative', weights: 'largest log-odds'}
} as const
const nameOf = ({method, ranking}: WordList) => `${names[method]}: ${names[ranking]}`

const shownLists: readonly WordList[] = [
  {method: 'paper', ranking: 'failure'},
  {method: 'robust', ranking: 'failure'},
  {method: 'robust', ranking: 'weights'},
  {method: 'oracle', ranking: 'failure'}
]

/** Lists compared with those of the true tags under the same ranking; log-odds are compared with the most informative words. */
const comparedLists: readonly WordList[] = [
  {method: 'paper', ranking: 'failure'},
  {method: 'robust', ranking: 'failure'},
  {method: 'paper', ranking: 'information'},
  {method: 'robust', ranking: 'information'},
  {method: 'robust', ranking: 'weights'}
]

const clipNames = ['failures', 'failuresAboveOne', 'failuresBelowFloor', 'failuresUndefined', 'words', 'leaksAtFloor']
const WORDS_PER_CONCEPT = 10
/** How many concepts are drawn: the most frequent by their tags. */
const DRAWN_CONCEPTS = 12

/** Section 5.4 and the supplement: the words of every concept. A cell learns them with one method. */
export const factors: Experiment<FactorsCell> = {
  name: 'factors',
  title: 'Words of the concepts',
  about:
    'Section 5.4 of the paper and its supplement list the words with the lowest failure probabilities for every concept, learned with the tree estimator. Here anchors are not among the words; they have their own column.',
  claims: [],
  cells: (_, {seed}) => (Object.keys(COSTS) as FactorMethod[]).map(method => ({method, seed})),
  cost: ({method}) => COSTS[method],
  measure: measureFactors,
  figures: (results, material) => {
    const {anchors} = material.lexicon
    const drawn = commonestConcepts(material)
    const which = drawn.length < anchors.length ? `the ${drawn.length} most frequent concepts` : 'all concepts'
    const bars = (
      name: string,
      list: WordList,
      [what, x]: readonly [string, {label: string; percent?: true}],
      length: (value: number) => number
    ) => {
      const title = `Words of ${which}. ${nameOf(list)}`
      const description = `The words of each concept, in order of rank, and ${what}.`
      const panels = drawn.map(concept => ({
        title: concept,
        bars: results.rows('words', {...list, concept}).map(({word, value}) => ({
          name: shownWord(`${word}`, material.lexicon),
          value: length(Number(value)),
          group: 'word'
        }))
      }))
      const chart = {kind: 'bars', title, description, x, panels} as const
      return {name, caption: `${title}.`, chart}
    }
    const alone = [
      'the probability that the concept alone switches the word on',
      {label: 'switched on by it alone', percent: true}
    ] as const
    const [paper, , robust] = shownLists
    return [
      bars('words-paper', paper, alone, failure => 1 - failure),
      bars(
        'words-robust',
        robust,
        ['what the word adds to the log-odds of the concept', {label: 'added log-odds'}],
        weight => weight
      )
    ]
  },
  tables: (results, {lexicon}) => [
    {
      name: 'agreement',
      caption:
        'How many of the words of a concept, at most ten, are also in another list: mean over the concepts, with its standard error in brackets, in units of the last digit',
      head: ['words', 'also from the true tags', "also in the paper's tables"],
      rows: comparedLists.map(list => {
        const ranking = list.ranking === 'weights' ? 'information' : list.ranking
        const fromTags = sharedWords(results, list, concept => wordsOf(results, {method: 'oracle', ranking}, concept))
        const inPaper = sharedWords(results, list, printedWords, word => shownWord(word, {...lexicon, words: []}))
        return [nameOf(list), spreadText(spreadOf(fromTags), 2), spreadText(spreadOf(inPaper), 2)]
      })
    },
    {
      name: 'clips',
      caption:
        'Estimates that had to be clipped. A failure above 1 means that the concept seems to suppress the word, which a noisy-or cannot express',
      head: ['method', 'failures above 1', 'at the floor', 'undefined', 'leaks at the floor', 'links per concept'],
      rows: results
        .rows('clips')
        .map(({method, concepts, links, failures, words, ...clips}) => [
          names[method as FactorMethod],
          ...['failuresAboveOne', 'failuresBelowFloor', 'failuresUndefined'].map(name => share(clips[name], failures)),
          share(clips.leaksAtFloor, words),
          (Number(links) / Number(concepts)).toFixed(1)
        ])
    },
    {
      name: 'words',
      caption: 'The words of every concept, in order of rank, and its anchors',
      head: ['concept', 'anchors', ...shownLists.map(nameOf), 'printed in the paper'],
      rows: lexicon.anchors.map(({concept, any}) => [
        concept,
        any.map(word => shownWord(word, lexicon)).join(', '),
        ...shownLists.map(list =>
          wordsOf(results, list, concept)
            .map(word => shownWord(word, lexicon))
            .join(', ')
        ),
        printedWords(concept)?.join(', ')
      ])
    }
  ],
  notes: () => []
}

/** Learns the words of every concept from all documents. */
export async function measureFactors(material: Material, {method, seed}: FactorsCell): Promise<Tables> {
  const {lexicon, documents} = material
  const corpus = {lexicon: {...lexicon, anchors: anchorsWithTagRates(lexicon, documents)}, documents}
  const counts = countCorpus(corpus)
  const paper = await fit(counts, {preset: 'paper', seed})
  const oracle = await oracleModel(paper, corpus)
  const robust = () => fit(counts, {noise: 'given', seed}, {documents: corpus})
  const model = method === 'paper' ? paper : method === 'oracle' ? oracle : await robust()
  const links = model.loadings.failure.filter(f => f < 1).length
  const certificate = Object(model.certificate.loadings) as Readonly<Record<string, number>>
  const clips = Object.fromEntries(clipNames.map(name => [name, certificate[name]]))
  return {
    words: rankedWords(model, oracle),
    clips: [{documents: documents.length, concepts: model.concepts.length, links, ...clips}]
  }
}

/** Lists of words in order of rank: fewer than ten where no more are linked to a concept. */
function rankedWords({concepts, loadings, wordModel, lexicon, ...rest}: Model, oracle: Model): Row[] {
  const model = {concepts, loadings, wordModel, lexicon, ...rest}
  const n = loadings.wordCount
  const failure = (i: number, j: number) => loadings.failure[i * n + j]
  /** Ties by name: words are sorted by name. */
  const ranked = (ranking: Ranking, least: number, value: (i: number, j: number) => number, sign: 1 | -1 = 1): Row[] =>
    concepts.flatMap(({name}, i) =>
      lexicon.words
        .map((word, j) => ({word, j, value: value(i, j)}))
        .filter(each => sign * each.value > least)
        .sort((a, b) => sign * (b.value - a.value) || a.j - b.j)
        .slice(0, WORDS_PER_CONCEPT)
        .map(({word, j, value: found}, at) => ({
          ...{concept: name, ranking, rank: at + 1, word, value: significant(found, 5)},
          failure: significant(failure(i, j), 5),
          oracleFailure: significant(oracle.loadings.failure[i * n + j], 5)
        }))
    )
  const rows = [
    ...ranked('failure', -1, failure, -1),
    ...ranked('information', 0, (i, j) => informationOf(model, i, j))
  ]
  return wordModel.kind === 'weights' ? [...rows, ...ranked('weights', 0, (i, j) => wordModel.weights[i][j])] : rows
}

/** KL divergence, in nats, of the word given the concept from the word alone; concepts are taken as independent. */
function informationOf(
  {concepts, loadings: {failure, leak, wordCount: n}}: Pick<Model, 'concepts' | 'loadings'>,
  i: number,
  j: number
): number {
  const f = failure[i * n + j]
  if (f === 1) return 0
  const absence = concepts.reduce((share, {prevalence: p}, k) => share * (1 - p + p * failure[k * n + j]), 1 - leak[j])
  const p = 1 - absence * f
  return p * log(p / (1 - absence)) + absence * f * log(f)
}

function wordsOf(results: Results, list: WordList, concept: string): string[] {
  return results.rows('words', {...list, concept}).map(({word}) => `${word}`)
}

/** How many words of each concept are also in another list, of the concepts that have one. */
function sharedWords(
  results: Results,
  list: WordList,
  others: (concept: string) => readonly string[] | undefined,
  spelled: (word: string) => string = word => word
): number[] {
  return results.distinct<string>('words', 'concept').flatMap(concept => {
    const known = others(concept)
    const own = new Set(wordsOf(results, list, concept).map(spelled))
    return known === undefined ? [] : [[...own].filter(word => known.includes(word)).length]
  })
}

/**
 * The words in the paper's tables of learned concepts (supplement), in order of weight: those of Stack Overflow, then those
 * of its emergency department. Misprints are kept; a word printed twice is listed once.
 */
const printed = new Map(
  readFileSync(new URL('printed-words.txt', import.meta.url), 'utf8')
    .trimEnd()
    .split('\n')
    .map(line => line.split(': '))
    .map(([concept, ...rest]) => [concept, rest.join(': ').split(', ')])
)

/** The words that the paper prints for a concept of this name, if any. */
function printedWords(concept: string): readonly string[] | undefined {
  return printed.get(concept.toLowerCase())
}

/** `title:python` as "python": where words come from several text fields, those of all but the last with their field. */
function shownWord(word: string, {reading: text, words}: Pick<Lexicon, 'reading' | 'words'>): string {
  const fieldOf = (name: string) => text.text.find(field => name.startsWith(`${field}:`))
  const field = fieldOf(word)
  if (field === undefined) return word
  const used = text.text.filter(each => words.some(name => fieldOf(name) === each))
  const plain = word.slice(field.length + 1)
  return used.slice(0, -1).includes(field) ? `${plain} (${field})` : plain
}

function commonestConcepts({lexicon, documents}: Material): string[] {
  const tagged = lexicon.anchors.map((_, i) => documents.filter(({labels}) => labels?.[i] === 1).length)
  const order = [...tagged.keys()].sort((a, b) => tagged[b] - tagged[a] || a - b)
  return order.slice(0, DRAWN_CONCEPTS).map(i => lexicon.anchors[i].concept)
}

function share(count: Row[string], all: Row[string]): string {
  return percent(Number(all) === 0 ? 0 : Number(count) / Number(all))
}
