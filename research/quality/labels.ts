/**
 * Two questions about labels, with the tags of corpora as labels.
 *
 * - intervals: from 60 to 200 labelled documents, do the 90% intervals of `pooledRates` hold the prevalence by all tags (docs/noise.md)?
 *   By anchors that are usable, by all anchors, weak ones too, and where a person labels only six concepts, drawn anew each time among
 *   those of ten documents or more. Each figure is over 20 draws of the labelled documents and all concepts: coverage, and the root
 *   mean square error of ln P(Y). The documents of the test splits of quality.ts are left out.
 * - coverage: do the intervals of adfa evaluate --labels cover (docs/evaluation.md)? It makes 3 fits of 10 to 60 s.
 *
 * Command: npx tsx research/quality/labels.ts intervals|coverage [CORPUS...]
 */
import {hashShare, rng, shuffled} from '../../src/base/numeric/index.ts'
import {percent} from '../../src/base/text/index.ts'
import {learn} from '../../src/learn/learn.ts'
import {pooledRates} from '../../src/learn/noise/index.ts'
import {Encoder, type Evidence, type Row} from '../../src/read/data/index.ts'
import {LabelEvaluator} from '../../src/use/evaluation/index.ts'
import {createPredictor, evenRule} from '../../src/use/prediction/index.ts'
import {mean} from '../spread.ts'
import {chooseCorpora, dataFolder as folder, type QualityCorpus} from './corpora.ts'
import {anchorSource, inTitleOrText, type QualityProblem, readOutside, readRows, splitProblem} from './problem.ts'
import {drawLabelled, labelledTables} from './rates.ts'

const INTERVAL_LABELS = [60, 100, 200]
const INTERVAL_DRAWS = 20
/** Splits that are none of those of quality.ts. */
const INTERVAL_SEED = 99
const LABELS = 150
const COVERAGE_DRAWS = 30
const FIGURES = ['f1', 'precision', 'recall'] as const

/** A question, asked of some corpora, or of all. */
interface Study {
  readonly head: readonly string[]
  readonly corpora?: readonly string[]
  rows(corpus: QualityCorpus): AsyncIterable<readonly (string | number)[]>
}

const studies: Readonly<Record<string, Study>> = {
  intervals: {
    head: ['corpus', 'anchors', ...INTERVAL_LABELS.map(labels => `${labels} labels`)],
    async *rows(corpus) {
      const outside = await readOutside(corpus, folder)
      const variants = [
        {anchors: 'usable', own: corpus, keepsWeak: false, most: Number.POSITIVE_INFINITY},
        {anchors: 'usable, six', own: corpus, keepsWeak: false, most: 6},
        {anchors: 'all', own: corpus, keepsWeak: true, most: Number.POSITIVE_INFINITY},
        {anchors: 'all, title or text', own: inTitleOrText(corpus), keepsWeak: true, most: Number.POSITIVE_INFINITY}
      ]
      for (const {anchors, own, keepsWeak, most} of variants.slice(0, corpus.anchorFields.length > 0 ? 4 : 3)) {
        const problem = await splitProblem(own, outside, {seed: INTERVAL_SEED, folder, keepsWeak})
        yield [corpus.name, anchors, ...INTERVAL_LABELS.map(labels => coverageOf(problem, labels, most))]
      }
    }
  },
  coverage: {
    head: ['corpus', 'figure', 'covered'],
    corpora: ['chest-xray', 'cooking', 'npm-packages'],
    rows: coverage
  }
}

const [name = '', ...corpora] = process.argv.slice(2)
const study = studies[name]
if (study === undefined) throw new Error(`name a study: ${Object.keys(studies).join(', ')}`)
const print = (cells: readonly (string | number)[]) => console.log(`| ${cells.join(' | ')} |`)
print(study.head)
print(study.head.map(() => '---'))
for (const corpus of chooseCorpora(corpora.length > 0 ? corpora : study.corpora))
  for await (const row of study.rows(corpus)) print(row)

function coverageOf({training}: Pick<QualityProblem, 'training'>, labels: number, most: number): string {
  const {documents, lexicon} = training
  const countOf = (has: (document: (typeof documents)[number], i: number) => boolean) =>
    lexicon.anchors.map((_, i) => documents.filter(document => has(document, i)).length)
  const anchoredCounts = countOf(({anchors}, i) => anchors.includes(i))
  const truth = countOf((document, i) => document.labels?.[i] === 1).map(count => count / documents.length)
  const found = Array.from({length: INTERVAL_DRAWS}, (_, draw) => {
    const tables = labelledTables(training, drawLabelled(training, labels, draw))
    const random = rng(draw).stream('concepts')
    const chosen = truth
      .map((p, i) => ({i, place: random.next(), isCommon: p * documents.length >= 10}))
      .filter(({isCommon}) => isCommon || most > truth.length)
      .sort((a, b) => a.place - b.place)
      .slice(0, most)
      .map(({i}) => i)
    const labelled = chosen.flatMap(i => [...tables.subarray(4 * i, 4 * i + 4)])
    const sample = {documentCount: documents.length, anchoredCounts: chosen.map(i => anchoredCounts[i]), labelled}
    return pooledRates(sample).map(({prevalence: {value, low, high}}, at) => {
      const right = truth[chosen[at]]
      return {isHeld: low <= right && right <= high, error: Math.log(value / right)}
    })
  }).flat()
  const error = Math.sqrt(mean(found.map(one => one.error ** 2)))
  return `${mean(found.map(({isHeld}) => Number(isHeld))).toFixed(3)} / ${error.toFixed(3)}`
}

interface Problem {
  readonly rows: readonly Row[]
  readonly anchors: Parameters<typeof learn>[1]
  readonly options: Parameters<typeof learn>[2]
}

async function readProblem(corpus: QualityCorpus): Promise<Problem> {
  const rows = await readRows(corpus, folder)
  const source = await anchorSource(corpus, folder)
  return source.kind === 'given'
    ? {rows, anchors: source.anchors, options: {negation: true}}
    : {rows, anchors: undefined, options: {anchorsFromTags: [...corpus.anchorFields], topTags: 50, minTags: 2}}
}

/** A document as the model sees it. */
interface Judged {
  readonly fired: Evidence['anchors']
  readonly labels: Int8Array
  readonly weights: ArrayLike<number>
}

/** Learns from three quarters of the documents, with the tags of 150 of them as labels. */
async function judged({rows, anchors, options}: Problem) {
  const tagsOf = ({tags = []}: Row) => tags
  const isTraining = ({id}: Row) => hashShare(`split ${id}`, 1000) < 0.75
  const training = rows.filter(isTraining)
  const drawn = training
    .toSorted((a, b) => hashShare(`draw ${a.id}`, 0) - hashShare(`draw ${b.id}`, 0))
    .filter(row => (options?.minTags ?? 0) <= tagsOf(row).length)
    .slice(0, LABELS)
  const known = new Set(rows.flatMap(tagsOf))
  const labels = new Map(
    drawn.map(row => [String(row.id), new Map([...known].map(tag => [tag, tagsOf(row).includes(tag)]))])
  )
  const documents = training.map(({id, text, features, tags}) => ({id, ...Object.fromEntries(text), features, tags}))
  const model = await learn(documents, anchors, {...options, labels, skipBadAnchors: true, words: 'weights'})
  const predictor = createPredictor(model)
  const encoder = new Encoder(model.lexicon)
  const found = rows.flatMap((row): Judged[] => {
    const truth = encoder.labels(row)
    if (!encoder.accepts(row) || truth === undefined) return []
    const evidence = encoder.encode(row)
    return [{fired: evidence.anchors, labels: truth, weights: predictor.posterior(evidence)}]
  })
  return {names: model.concepts.map(({name}) => name), threshold: model.wordModel.threshold ?? 0.5, documents: found}
}

/** Labels drawn again and again from all documents, as adfa label draws them, against the tags of all. */
async function* coverage(corpus: QualityCorpus) {
  const {documents, names, threshold} = await judged(await readProblem(corpus))
  const all = [...names.keys()]
  const least = (5 / LABELS) * documents.length
  const frequent = all.filter(i => documents.filter(({weights}) => weights[i] >= threshold).length >= least)
  const whole = figuresOf(documents, threshold)
  const exact = all.map(i => figuresOf(documents, threshold, [i]))
  const covered = new Map<string, number[]>()
  for (let draw = 0; draw < COVERAGE_DRAWS; draw++) {
    const {micro, macro, concepts} = drawLabels(documents, names, threshold, draw)
    for (const figure of FIGURES) {
      const note = (part: string, {low, high, value}: (typeof micro)['f1'], truth: number) => {
        if (Number.isNaN(value) || Number.isNaN(truth)) return
        const key = `${part}, ${figure}`
        covered.set(key, [...(covered.get(key) ?? []), low <= truth && truth <= high ? 1 : 0])
      }
      note('all decisions', micro[figure], whole[figure])
      note('mean', macro[figure], mean(frequent.map(i => exact[i][figure])))
      for (const [i, own] of concepts.entries()) note('concepts', own[figure], exact[i][figure])
    }
  }
  for (const [part, hits] of covered) yield [corpus.name, part, percent(mean(hits))]
}

function figuresOf(documents: readonly Judged[], threshold: number, concepts?: readonly number[]) {
  let [hits, reported, present] = [0, 0, 0]
  for (const {labels, weights} of documents)
    for (const i of concepts ?? labels.keys()) {
      const isReported = weights[i] >= threshold
      if (isReported) reported++
      present += labels[i]
      if (isReported) hits += labels[i]
    }
  return {f1: (2 * hits) / (reported + present), precision: hits / reported, recall: hits / present}
}

/** 150 whole documents, and three short answers per concept. */
function drawLabels(documents: readonly Judged[], names: readonly string[], threshold: number, seed: number) {
  const order = shuffled([...documents.keys()], rng(seed))
  const whole = new Set(order.slice(0, LABELS))
  const asked = new Map<number, number[]>()
  for (const i of names.keys())
    for (const d of order.filter(at => documents[at].fired.includes(i) && !whole.has(at)).slice(0, 3))
      asked.set(d, [...(asked.get(d) ?? []), i])
  const evaluator = new LabelEvaluator(names, evenRule(names.length, threshold))
  documents.forEach(({weights, fired, labels}, d) => {
    const short = asked.get(d)
    if (whole.has(d)) evaluator.add(weights, fired, labels)
    else if (short === undefined) evaluator.add(weights, fired)
    else {
      const answers = labels.map((label, i) => (short.includes(i) ? label : -1))
      evaluator.add(weights, fired, answers, 'anchored')
    }
  })
  return evaluator.finish(seed).figures
}
