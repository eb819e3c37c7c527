/**
 * Four questions about labels and what people can tell, with the tags of corpora as labels.
 *
 * - intervals: from 60 to 200 labelled documents, do the 90% intervals of `pooledRates` hold the prevalence by all tags (docs/noise.md)?
 *   By anchors that are usable, by all anchors, weak ones too, and where a person labels only six concepts, drawn anew each time among
 *   those of ten documents or more. Each figure is over 20 draws of the labelled documents and all concepts: coverage, and the root
 *   mean square error of ln P(Y).
 * - person-time: what helps most for the time that a person gives where there are no labels (docs/noise.md)? Last tag and F1 of held-out
 *   documents by estimated prevalences of all or of the most frequent concepts (log-normal errors of 30%), exact ones, the mean number
 *   of tags per document, ten labels for the concept whose anchor seems to miss most documents, and 30, 60 or 100 labelled documents.
 * - choice: with 150 labels, would another threshold or word model, chosen by them, do better on held-out documents (docs/words.md)?
 * - coverage: do the intervals of adfa evaluate --labels cover (docs/evaluation.md)?
 *
 * The first two leave out the documents of the test splits of quality.ts. A fit takes 10 to 60 s: `choice` makes 18, `coverage` 3.
 *
 * Command: npx tsx research/quality/labels.ts intervals|person-time|choice|coverage [CORPUS...]
 */
import {hashShare, rng, shuffled} from '../../src/base/numeric/index.ts'
import {percent} from '../../src/base/text/index.ts'
import {fit} from '../../src/learn/fit.ts'
import {learn} from '../../src/learn/learn.ts'
import {type AnchorScores, noiseTable, pooledRates, scoreAnchors} from '../../src/learn/noise/index.ts'
import {bestThreshold} from '../../src/learn/robust/index.ts'
import {Encoder, type Evidence, parseRow, type Row} from '../../src/read/data/index.ts'
import {LabelEvaluator, openEvaluation} from '../../src/use/evaluation/index.ts'
import {createPredictor, evenRule} from '../../src/use/prediction/index.ts'
import {emergencyModel, generateDocuments} from '../../src/use/synthetic/index.ts'
import {mean} from '../spread.ts'
import {dataFolder as folder, type QualityCorpus} from './corpora.ts'
import {anchorSource, inTitleOrText, type QualityProblem, readOutside, readRows, splitProblem} from './problem.ts'
import {
  autoEstimate,
  cellsOf,
  drawLabelled,
  type Estimate,
  labelledTable,
  labelledTables,
  point,
  withEstimates
} from './rates.ts'
import {runStudy} from './study.ts'

const INTERVAL_LABELS = [60, 100, 200]
const INTERVAL_DRAWS = 20
/** Splits that are none of those of quality.ts. */
const INTERVAL_SEED = 99
const TIME_SEEDS = [17, 18]
const WAYS_LABELS = [30, 60, 100]
const ANSWER_ERROR = 0.3
const LABELS = 150
const THRESHOLDS = Array.from({length: 46}, (_, at) => 0.05 + 0.01 * at)
const COVERAGE_DRAWS = 30
const FIGURES = ['f1', 'precision', 'recall'] as const
const LABELLED = ['chest-xray', 'cooking', 'npm-packages']

await runStudy({
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
  'person-time': {
    head: ['corpus', 'seed', 'a person gives', 'last tag', 'F1'],
    async *rows(corpus) {
      const outside = await readOutside(corpus, folder)
      for (const seed of TIME_SEEDS) {
        const problem = await splitProblem(corpus, outside, {seed, folder, mostDocuments: 6000})
        for (const [way, estimates] of waysOf(problem))
          yield [corpus.name, seed, way, ...(await predicted(problem, estimates)).map(figure => figure.toFixed(3))]
      }
    }
  },
  choice: {
    head: ['corpus', 'split', 'word weights', 'threshold by labels', 'best threshold', 'noisy-or links'],
    corpora: LABELLED,
    async *rows(corpus) {
      yield* choices(corpus.name, await readProblem(corpus), 5)
    },
    async *last() {
      const truth = emergencyModel()
      const anchors = truth.lexicon.anchors.map(anchor => ({...anchor, rates: undefined}))
      const rows = Array.from(generateDocuments(truth, 8000, rng(1)), row => parseRow(row, {text: []}, row.id))
      yield* choices('emergency', {rows, anchors, options: {}}, 3)
    }
  },
  coverage: {
    head: ['corpus', 'figure', 'covered'],
    corpora: LABELLED,
    rows: coverage
  }
})

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

type Estimates = readonly (Estimate | undefined)[]

function bounded(prevalence: number): number {
  return Math.min(0.45, Math.max(prevalence, 1e-4))
}

/** A standard normal variable by two uniform ones (Box and Muller). */
function normal(first: number, second: number): number {
  return Math.sqrt(-2 * Math.log(1 - first)) * Math.cos(2 * Math.PI * second)
}

function waysOf(problem: QualityProblem): [string, Estimates][] {
  const {counts, training, firing, seed} = problem
  const scores = scoreAnchors(training)
  const free = noiseTable({...counts, labelled: new Float64Array(counts.labelled.length)}).map(autoEstimate)
  const guess = free.map((estimate, i) => estimate?.prevalence.value ?? 2 * firing[i])
  const truth = firing.map((_, i) => cellsOf(counts, i).positives / counts.documentCount)
  const random = rng(seed).stream('answers')
  const answers = truth.map(p => bounded(p * Math.exp(ANSWER_ERROR * normal(random.next(), random.next()))))
  const frequent = firing.map((_, i) => i).sort((a, b) => firing[b] - firing[a])
  const given = (prevalences: readonly number[], which: readonly number[]): Estimates =>
    free.map((estimate, i) =>
      which.includes(i) ? {prevalence: point(prevalences[i]), precision: estimate?.precision} : estimate
    )
  const scaled = guess.map((p, i) => bounded(Math.max(firing[i], (p * mean(truth)) / mean(guess))))
  return [
    ['nothing', free],
    ['5 estimates', given(answers, frequent.slice(0, 5))],
    ['all estimates', given(answers, frequent)],
    ['all exact', given(truth, frequent)],
    ['tags per document', given(scaled, frequent)],
    ['10 labels, worst concept', labelWorstConcept(problem, scores, free)],
    ...WAYS_LABELS.map((labels): [string, Estimates] => [
      `${labels} labels`,
      labelledTable({counts, scores, training}, labels, seed).table.map(autoEstimate)
    ])
  ]
}

/**
 * Draws ten of the documents that score like those where the anchor fires, although it does not, for the concept that has most of
 * them. The share of the ten that have the concept tells how many documents the anchor misses there.
 */
function labelWorstConcept({training, firing, seed}: QualityProblem, scores: AnchorScores, free: Estimates): Estimates {
  const missed = training.lexicon.anchors.map(({concept}) => {
    const {logOdds = new Float32Array(), fired = []} = scores.get(concept) ?? {}
    const whereFired = logOdds.filter((_, d) => fired[d] === 1).sort()
    const usual = whereFired[whereFired.length >> 1]
    return training.documents.filter((_, d) => fired[d] === 0 && logOdds[d] >= usual)
  })
  const worst = missed.reduce((best, {length}, i) => (length > missed[best].length ? i : best), 0)
  const random = rng(seed).stream('worst')
  const asked = missed[worst]
    .map(document => ({document, place: random.next()}))
    .sort((a, b) => a.place - b.place)
    .slice(0, 10)
  const share = asked.filter(({document}) => document.labels?.[worst] === 1).length / Math.max(1, asked.length)
  const precision = free[worst]?.precision
  const found = firing[worst] * (precision?.value ?? 1)
  const prevalence = point(bounded(found + (share * missed[worst].length) / training.documents.length))
  return free.map((estimate, i) => (i === worst ? {prevalence, precision} : estimate))
}

/** Last tag and F1. */
async function predicted({counts, training, heldOut, firing}: QualityProblem, estimates: Estimates): Promise<number[]> {
  const documents = training.documents.map(document => ({...document, labels: undefined}))
  const rated = withEstimates(counts, firing, estimates)
  const model = await fit(rated, {noise: 'given'}, {documents: {...training, documents}})
  const evaluation = openEvaluation(model, undefined, {own: createPredictor(model)})
  for (const document of heldOut.documents) if (document.labels !== undefined) evaluation.add(document, document.labels)
  const {lastTag, tagging} = evaluation.finish().baselines.own
  return [lastTag.accuracy, tagging.atThreshold.microF1]
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
  readonly role: 'labelled' | 'training' | 'held out'
  readonly fired: Evidence['anchors']
  readonly labels: Int8Array
  readonly weights: ArrayLike<number>
  readonly links: ArrayLike<number>
}

/** Learns from three quarters of the documents (`split`), with the tags of 150 of them (`draw`) as labels. */
async function judged({rows, anchors, options}: Problem, split: number, draw: number) {
  const tagsOf = ({tags = []}: Row) => tags
  const isTraining = ({id}: Row) => hashShare(`split ${id}`, 1000 + split) < 0.75
  const training = rows.filter(isTraining)
  const drawn = training
    .toSorted((a, b) => hashShare(`draw ${a.id}`, draw) - hashShare(`draw ${b.id}`, draw))
    .filter(row => (options?.minTags ?? 0) <= tagsOf(row).length)
    .slice(0, LABELS)
  const known = new Set(rows.flatMap(tagsOf))
  const labels = new Map(
    drawn.map(row => [String(row.id), new Map([...known].map(tag => [tag, tagsOf(row).includes(tag)]))])
  )
  const documents = training.map(({id, text, features, tags}) => ({id, ...Object.fromEntries(text), features, tags}))
  const model = await learn(documents, anchors, {...options, labels, skipBadAnchors: true, words: 'weights'})
  const [weights, links] = [createPredictor(model), createPredictor(model, {wordModel: 'noisy-or'})]
  const encoder = new Encoder(model.lexicon)
  const found = rows.flatMap((row): Judged[] => {
    const truth = encoder.labels(row)
    if (!encoder.accepts(row) || truth === undefined) return []
    const evidence = encoder.encode(row)
    const role = labels.has(String(row.id)) ? 'labelled' : isTraining(row) ? 'training' : 'held out'
    const posteriors = {weights: weights.posterior(evidence), links: links.posterior(evidence)}
    return [{role, fired: evidence.anchors, labels: truth, ...posteriors}]
  })
  return {names: model.concepts.map(({name}) => name), threshold: model.wordModel.threshold ?? 0.5, documents: found}
}

async function* choices(name: string, problem: Problem, splits: number) {
  const f1 = (some: readonly Judged[], threshold: number) => figuresOf(some, threshold).f1
  for (let split = 0; split < splits; split++) {
    const {documents, threshold} = await judged(problem, split, split)
    const [labelled, heldOut] = (['labelled', 'held out'] as const).map(role =>
      documents.filter(one => one.role === role)
    )
    const best = (some: readonly Judged[]) => THRESHOLDS.toSorted((a, b) => f1(some, b) - f1(some, a))[0]
    const columns = documents.filter(({role}) => role !== 'held out').map(({links}) => Float64Array.from(links))
    const byLinks = figuresOf(heldOut, bestThreshold(columns), undefined, 'links').f1
    const figures = [threshold, best(labelled), best(heldOut)].map(one => f1(heldOut, one))
    yield [name, split, ...[...figures, byLinks].map(figure => figure.toFixed(4))]
  }
}

/** Labels drawn again and again from all documents, as adfa label draws them, against the tags of all. */
async function* coverage(corpus: QualityCorpus) {
  const {documents, names, threshold} = await judged(await readProblem(corpus), 0, 0)
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

function figuresOf(
  documents: readonly Judged[],
  threshold: number,
  concepts?: readonly number[],
  by: 'weights' | 'links' = 'weights'
) {
  let [hits, reported, present] = [0, 0, 0]
  for (const {labels, [by]: posterior} of documents)
    for (const i of concepts ?? labels.keys()) {
      const isReported = posterior[i] >= threshold
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
