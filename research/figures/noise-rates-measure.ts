import {basename} from 'node:path'
import {hashShare} from '../../src/base/numeric/index.ts'
import {fit} from '../../src/learn/fit.ts'
import {type AnchorEstimates, type AnchorScores, noiseTable, scoreAnchors} from '../../src/learn/noise/index.ts'
import {type Counts, dropConcepts} from '../../src/read/counts/index.ts'
import {type Corpus, encodeCorpus, parseAnchors, type Row, rowKey} from '../../src/read/data/index.ts'
import {type AnchorSource, countDocuments} from '../../src/read/engines/index.ts'
import {openDocuments, readTextFile} from '../../src/read/files/index.ts'
import {evaluate} from '../../src/use/evaluation/index.ts'
import {
  autoEstimate,
  cellsOf,
  type Estimate,
  isWeak,
  labelledTable,
  mean,
  point,
  withEstimates
} from './noise-rates-estimates.ts'

/** How the rates were estimated, and their effect. */
export interface Figure {
  readonly corpus: string
  readonly concepts: number
  readonly documents: number
  readonly method: string
  /** Labelled documents; 0 for methods without labels. */
  readonly labels: number
  readonly draws: number
  /** Of log P(A)/p, capped at 0.98, over concepts and draws that have an estimate. */
  readonly rmsError: number
  readonly bias: number
  /** Root mean square error of log p, whatever the rate. */
  readonly prevalenceError: number
  /** The share of concepts that have an estimate. */
  readonly available: number
  /** Coverage of the 90% intervals; undefined where there is no interval. */
  readonly coverage: number | undefined
  /** Of held-out documents, with a model fitted with these rates, those without an estimate at the mean of the others. */
  readonly lastTag: number
  readonly logLikelihood: number
  readonly averagePrecision: number
}

export interface NoiseProblem {
  readonly corpus: string
  readonly counts: Counts
  readonly scores: AnchorScores
  readonly training: Corpus
  readonly heldOut: Corpus
  readonly truth: readonly {readonly prevalence: number; readonly precision: number; readonly firing: number}[]
}

const TRAINING_SHARE = 0.75
const FIELDS = ['title', 'text']
/** Documents with `minTags` of the 200 commonest tags; anchors: the tag's own name in `fields`, or those of a file. */
export async function readProblem(
  path: string,
  fields: readonly string[],
  minTags: number,
  anchorsFile?: string
): Promise<NoiseProblem> {
  const documents = openDocuments([path], {fields: FIELDS})
  const rows: Row[] = []
  for await (const batch of documents.batches()) rows.push(...batch)
  await documents.close()
  const isTraining = (row: Row) => hashShare(rowKey(row), 0) < TRAINING_SHARE
  const source: AnchorSource =
    anchorsFile === undefined
      ? {kind: 'tags', fields, topTags: 50}
      : {kind: 'given', anchors: parseAnchors(await readTextFile(anchorsFile), anchorsFile)}
  const all = await countDocuments(
    {
      batches: async function* () {
        yield rows.filter(isTraining)
      }
    },
    source,
    {fields: FIELDS, minTags, skipBadAnchors: true, labelShare: 1}
  )
  const weak = all.lexicon.anchors.filter((_, i) => isWeak(all, i))
  const counts =
    weak.length === 0
      ? all
      : dropConcepts(
          all,
          weak.map(({concept}) => ({concept, reason: 'weak'}))
        )
  const training = encodeCorpus(rows.filter(isTraining), counts.lexicon)
  const name = basename(path).replace(/\.jsonl(\.gz)?$/, '')
  return {
    corpus: anchorsFile === undefined && fields.join() !== 'title' ? `${name} (${fields.join(' or ')})` : name,
    counts,
    scores: scoreAnchors(training),
    training,
    heldOut: encodeCorpus(
      rows.filter(row => !isTraining(row)),
      counts.lexicon
    ),
    truth: counts.lexicon.anchors.map((_, i) => {
      const {positives, hits, fired, labelled} = cellsOf(counts, i)
      return {prevalence: positives / labelled, precision: hits / fired, firing: fired / labelled}
    })
  }
}

/** Methods without labels, and `exact` rates. */
export async function measureUnlabelled(problem: NoiseProblem): Promise<Figure[]> {
  const {counts, scores, truth} = problem
  const bare = {...counts, labelled: new Float64Array(counts.labelled.length)}
  const table = noiseTable(bare, {scores})
  const half = table.map(({firing}) => ({prevalence: point(firing / 0.5), precision: undefined}))
  const exact = truth.map(({prevalence, precision}) => ({prevalence: point(prevalence), precision: point(precision)}))
  return [
    await figure(problem, 'exact', 0, [exact]),
    await figure(problem, 'constant 1/2', 0, [half]),
    ...(await Promise.all(
      (['guess', 'positive-only', 'irreducible', 'pair'] as const).map(method =>
        figure(problem, method, 0, [table.map(row => row.estimates.find(estimate => estimate.method === method))])
      )
    )),
    await figure(problem, 'auto', 0, [table.map(autoEstimate)])
  ]
}

/** Methods with labelled documents, redrawn each time. */
export async function measureLabelled(problem: NoiseProblem, labels: number, draws: number): Promise<Figure[]> {
  const tables = Array.from({length: draws}, (_, draw) => labelledTable(problem, labels, draw))
  const by = (estimate: (row: AnchorEstimates) => Estimate | undefined) => tables.map(({table}) => table.map(estimate))
  const of = (method: string) => by(row => row.estimates.find(estimate => estimate.method === method))
  return [
    await figure(
      problem,
      'each concept by itself',
      labels,
      tables.map(({raw}) => raw)
    ),
    await figure(problem, 'pooled', labels, of('pooled')),
    await figure(problem, 'auto', labels, by(autoEstimate))
  ]
}

async function figure(
  problem: NoiseProblem,
  method: string,
  labels: number,
  draws: readonly (readonly (Estimate | undefined)[])[]
): Promise<Figure> {
  const {corpus, counts, truth} = problem
  const errors = draws.flatMap(estimates =>
    estimates.flatMap((estimate, i) =>
      estimate
        ? [logRate(truth[i].firing / estimate.prevalence.value) - logRate(truth[i].firing / truth[i].prevalence)]
        : []
    )
  )
  const missed = draws.flatMap(estimates =>
    estimates.flatMap((estimate, i) => (estimate ? [Math.log(estimate.prevalence.value / truth[i].prevalence)] : []))
  )
  const covered = draws.flatMap(estimates =>
    estimates.flatMap((estimate, i) => {
      if (estimate === undefined || estimate.prevalence.low === estimate.prevalence.high) return []
      const {low, high} = estimate.prevalence
      return [truth[i].prevalence >= low && truth[i].prevalence <= high ? 1 : 0]
    })
  )
  const results = await Promise.all(draws.slice(0, FITTED_DRAWS).map(estimates => outcome(problem, estimates)))
  return {
    corpus,
    concepts: truth.length,
    documents: counts.documentCount,
    method,
    labels,
    draws: draws.length,
    rmsError: Math.sqrt(mean(errors.map(error => error ** 2))),
    bias: mean(errors),
    prevalenceError: Math.sqrt(mean(missed.map(error => error ** 2))),
    available: errors.length / (truth.length * draws.length),
    coverage: covered.length === 0 ? undefined : mean(covered),
    lastTag: mean(results.map(({lastTag}) => lastTag.accuracy)),
    logLikelihood: mean(results.map(({tagLogLikelihood}) => tagLogLikelihood)),
    averagePrecision: mean(results.map(({tagging}) => tagging.averagePrecision))
  }
}

/** A fit takes longer than an estimate. */
const FITTED_DRAWS = 3
async function outcome({counts, heldOut, truth}: NoiseProblem, estimates: readonly (Estimate | undefined)[]) {
  const firing = truth.map(shares => shares.firing)
  // By noisy-or links with shrinkage, as the figures on the page were measured.
  const options = {noise: 'given', words: 'noisy-or', wordShrinkage: 1} as const
  return evaluate(await fit(withEstimates(counts, firing, estimates), options), heldOut)
}

/** Learning accepts no rate above 0.98, so errors beyond it do no harm. */
function logRate(rate: number): number {
  return Math.log(Math.min(rate, 0.98))
}
