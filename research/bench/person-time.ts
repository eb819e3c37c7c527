/**
 * Question: what helps most where there are no labels, for the time that a person gives? Compared by the last tag and F1 of held-out
 * documents: estimated prevalences of all or of the most frequent concepts (log-normal errors of 30%), exact ones, the mean number
 * of tags per document, ten labels for the concept whose anchor seems to miss most documents, and 30, 60 or 100 labelled documents.
 *
 * Documents of the test splits of research/quality are left out. About a minute per corpus.
 *
 * Command: npx tsx research/bench/person-time.ts [--corpora a,b] [--data DIR] [--seed 17]
 */
import {parseArgs} from 'node:util'
import {rng} from '../../src/base/numeric/index.ts'
import {fit} from '../../src/learn/fit.ts'
import {type AnchorScores, noiseTable, scoreAnchors} from '../../src/learn/noise/index.ts'
import {openEvaluation} from '../../src/use/evaluation/index.ts'
import {createPredictor} from '../../src/use/prediction/index.ts'
import {chooseCorpora} from '../quality/corpora.ts'
import {folderOf, type QualityProblem, readOutside, splitProblem} from '../quality/problem.ts'
import {autoEstimate, cellsOf, type Estimate, labelledTable, point, withEstimates} from '../quality/rates.ts'

const {values} = parseArgs({
  options: {corpora: {type: 'string'}, data: {type: 'string'}, seed: {type: 'string', default: '17'}}
})
const folder = folderOf(values.data)
const seed = Number(values.seed)
const MAX_DOCUMENTS = 6000
const ANSWER_ERROR = 0.3
const MAX_PREVALENCE = 0.45
const LABELS = [30, 60, 100]
const WORST_LABELS = 10

const rows = []
for (const corpus of chooseCorpora(values.corpora?.split(','))) {
  const problem = await splitProblem(corpus, await readOutside(corpus, folder), {
    seed,
    folder,
    mostDocuments: MAX_DOCUMENTS
  })
  const figures: [string, string][] = []
  for (const [name, estimates] of ways(problem)) figures.push([name, await figure(problem, estimates)])
  rows.push({corpus: corpus.name, ...Object.fromEntries(figures)})
}
console.table(rows)

type Estimates = readonly (Estimate | undefined)[]

function ways(problem: QualityProblem): [string, Estimates][] {
  const {counts, training, firing} = problem
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
  const total = (list: readonly number[]) => list.reduce((sum, p) => sum + p, 0)
  const scaled = guess.map((p, i) => bounded(Math.max(firing[i], (p * total(truth)) / total(guess))))
  return [
    ['nothing', free],
    ['5 estimates', given(answers, frequent.slice(0, 5))],
    ['all estimates', given(answers, frequent)],
    ['all exact', given(truth, frequent)],
    ['tags per document', given(scaled, frequent)],
    ['10 labels, worst concept', labelWorstConcept(problem, scores, free)],
    ...LABELS.map((labels): [string, Estimates] => [
      `${labels} labels`,
      labelledTable({counts, scores, training}, labels, seed).table.map(autoEstimate)
    ])
  ]
}

/**
 * Draws ten of the documents that score like those where the anchor fires, although it does not, for the concept that has most of
 * them. The share of the ten that have the concept tells how many documents the anchor misses there.
 */
function labelWorstConcept({training, firing}: QualityProblem, scores: AnchorScores, free: Estimates): Estimates {
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
    .slice(0, WORST_LABELS)
  const share = asked.filter(({document}) => document.labels?.[worst] === 1).length / Math.max(1, asked.length)
  const precision = free[worst]?.precision
  const found = firing[worst] * (precision?.value ?? 1)
  const prevalence = point(bounded(found + (share * missed[worst].length) / training.documents.length))
  return free.map((estimate, i) => (i === worst ? {prevalence, precision} : estimate))
}

async function figure({counts, training, heldOut, firing}: QualityProblem, estimates: Estimates): Promise<string> {
  const documents = training.documents.map(document => ({...document, labels: undefined}))
  const model = await fit(
    withEstimates(counts, firing, estimates),
    {noise: 'given'},
    {documents: {...training, documents}}
  )
  const evaluation = openEvaluation(model, undefined, {own: createPredictor(model)})
  for (const document of heldOut.documents) if (document.labels !== undefined) evaluation.add(document, document.labels)
  const {lastTag, tagging} = evaluation.finish().baselines.own
  return `${lastTag.accuracy.toFixed(3)} / ${tagging.atThreshold.microF1.toFixed(3)}`
}

function bounded(prevalence: number): number {
  return Math.min(MAX_PREVALENCE, Math.max(prevalence, 1e-4))
}

/** Returns a standard normal variable by two uniform ones (Box and Muller). */
function normal(first: number, second: number): number {
  return Math.sqrt(-2 * Math.log(1 - first)) * Math.cos(2 * Math.PI * second)
}
