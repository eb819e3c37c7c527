import type {ChartSeries} from '../../src/app/drawing/index.ts'
import {grouped} from '../../src/base/text/index.ts'
import {fit} from '../../src/learn/fit.ts'
import {type PolytopeName, recoverMoments} from '../../src/learn/moments/index.ts'
import {estimateNoise} from '../../src/learn/noise/index.ts'
import {presets} from '../../src/learn/options.ts'
import {type Counts, countCorpus, dropConcepts} from '../../src/read/counts/index.ts'
import {timed} from '../bench/bench.ts'
import {type Experiment, type Results, type Row, short, significant, type Tables, times} from './experiment.ts'
import {polytopes} from './heldout-likelihood.ts'
import type {Material} from './material.ts'
import {firstOf, splitMaterial, trainingCount} from './split.ts'

export type TimingCell = {
  /** The one pass over the documents, our learner from their counts, or the moments by the paper's method. */
  readonly task: 'counting' | 'learning' | 'conditional-gradient'
  readonly polytope: PolytopeName | 'none'
  /** How many, from the first. */
  readonly concepts: number
  readonly documents: number
  readonly seed: number
  readonly gap?: number
}

/** The paper's method is timed for the polytopes for which the paper uses it. */
const slowPolytopes = ['local', 'marginal'] as const
/** Section 5.3.1, in seconds: "learning a model with 50 concept variables". */
const paperSeconds: Readonly<Partial<Record<PolytopeName, number>>> = {simplex: 30, local: 519, marginal: 6073}
const PAPER_CONCEPTS = 50

const CONCEPTS = [10, 20, 30, 40, 50]
/** Beyond these numbers of concepts a recovery can take minutes. */
const MOST_MARGINAL = 60
const MOST_SLOW = 50
/** With four times the documents, less growth than this counts as none. */
const SMALL_GROWTH = 1.5

/** Section 5.3.1: how long learning takes, by polytope, concepts and documents, and with the paper's method. */
export const timing: Experiment<TimingCell> = {
  name: 'timing',
  title: 'Time to learn, by polytope',
  about: `The paper (Section 5.3.1) reports that learning a model with ${PAPER_CONCEPTS} concepts took 30 s with the simplex, 519 s with the local polytope, and 6,073 s with the marginal polytope. It states neither the computer nor the number of documents, so the ratios to these times are indicative only; the ratios to its method, run here beside ours, are reliable.`,
  isTimed: true,
  claims: [
    {
      where: '5.3.1',
      says: 'Tighter constraints take longer.',
      rule: 'Seconds of moment recovery: simplex, local, marginal.',
      judge(results) {
        const found = (['simplex', 'local', 'marginal'] as const).map(polytope =>
          secondsOf(results, {polytope}, 'moments')
        )
        if (!found.every(value => value !== undefined)) return undefined
        const isRising = found.every((value, at) => at === 0 || value > found[at - 1])
        return {
          verdict: isRising ? 'holds' : 'not',
          shown: found.map(value => value.toPrecision(2)).join(', ')
        }
      }
    },
    {
      where: '5.3.1',
      says: 'After the first pass, time does not depend on the number of documents.',
      rule: 'Holds: a whole fit from four times the documents takes less than 1.5 times as long, with every polytope. Shown: the largest ratio.',
      judge(results) {
        const concepts = Math.max(...sizesOf(results, 'concepts'))
        const [fewest] = sizesOf(results, 'documents')
        const ratios = polytopes.flatMap(polytope => {
          const where = {polytope, concepts}
          const [before, after] = [{...where, documents: fewest}, where].map(each => secondsOf(results, each, 'whole'))
          return before && after ? [after / before] : []
        })
        if (ratios.length === 0) return undefined
        const most = Math.max(...ratios)
        return {verdict: most < SMALL_GROWTH ? 'holds' : most < 4 ? 'partly' : 'not', shown: most.toFixed(2)}
      }
    }
  ],
  cells(material, {seed, gap}) {
    const all = material.lexicon.anchors.length
    const rest = {seed, ...(gap && {gap})}
    const documents = trainingCount(material)
    const counts = [...CONCEPTS.filter(count => count < all), all]
    const learning = (concepts: number, some: number) =>
      polytopes
        .filter(polytope => polytope !== 'marginal' || concepts <= MOST_MARGINAL)
        .map((polytope): TimingCell => ({task: 'learning', polytope, concepts, documents: some, ...rest}))
    const slow = counts
      .filter(concepts => concepts <= MOST_SLOW)
      .flatMap(concepts =>
        slowPolytopes.map(
          (polytope): TimingCell => ({task: 'conditional-gradient', polytope, concepts, documents, ...rest})
        )
      )
    return [
      {task: 'counting', polytope: 'none', concepts: all, documents, seed},
      ...counts.flatMap(concepts => learning(concepts, documents)),
      // After the others, so that warming up does not make few documents look slow.
      ...[documents / 4, documents / 2].flatMap(some => learning(all, Math.round(some))),
      ...slow
    ]
  },
  // Roughly seconds.
  cost({task, polytope, concepts}) {
    if (task === 'conditional-gradient') return 0.1 + 22 * (concepts / 50) ** 2
    return 2 + (polytope === 'marginal' ? 6 * (concepts / 50) ** 2 : 0)
  },
  measure: measureTime,
  figures: (results, {name}) => {
    const concepts = sizesOf(results, 'concepts')
    const line = (label: string, task: TimingCell['task'], polytope: string, what: string): ChartSeries => ({
      name: label,
      points: concepts.flatMap(count => {
        const y = secondsOf(results, {task, polytope, concepts: count}, what)
        return y ? [{x: count, y}] : []
      })
    })
    const ours = (what: string) => polytopes.map(polytope => line(polytope, 'learning', polytope, what))
    const theirs = slowPolytopes.map(polytope =>
      line(`paper's method, ${polytope}`, 'conditional-gradient', polytope, 'moments')
    )
    const printed = Object.entries(paperSeconds).map(([polytope, y]) => ({
      name: `paper, ${polytope}`,
      points: [{x: PAPER_CONCEPTS, y}]
    }))
    return [
      {
        name: 'timing',
        caption: `Seconds by number of concepts, ${name}. Left: the recovery of the moments alone. Right: a whole fit from counts, with the paper's three figures, from an unknown computer.`,
        chart: {
          kind: 'lines',
          title: `Time to learn, ${name}`,
          description: `Seconds by number of concepts for four polytopes, on a logarithmic scale: moment recovery by our solver and by the paper's, and a whole fit beside the three figures that the paper gives for ${PAPER_CONCEPTS} concepts. The tables have the same figures.`,
          x: {label: 'concepts'},
          y: {label: 'seconds', log: true},
          panels: [
            {title: 'moments alone', series: [...ours('moments'), ...theirs]},
            {title: 'whole fit from counts', series: [...ours('whole'), ...printed]}
          ]
        }
      }
    ]
  },
  tables: results => [
    {
      name: 'time',
      caption: `Seconds by number of concepts from the counts of ${grouped(Math.max(...sizesOf(results, 'documents')))} documents, beside the paper's for ${PAPER_CONCEPTS}; moments by the paper's method, conditional gradient to a gap of 0.005, at its gap; where it stopped at its limit of steps, the ratio is a lower bound`,
      head: [
        ...['concepts', 'polytope', 'whole fit, s', 'moments, s', 'gap', 'paper, s', 'paper / whole fit'],
        ...["the paper's method, s", 'its gap', 'ratio of moments']
      ],
      rows: sizesOf(results, 'concepts').flatMap(concepts =>
        polytopes.flatMap(polytope => timeRow(results, polytope, concepts))
      )
    },
    {
      name: 'growth',
      caption: 'Seconds of a whole fit of all concepts by number of documents, from counts',
      head: ['documents', 'anchor patterns', ...polytopes],
      rows: sizesOf(results, 'documents').map(documents => {
        const where = {task: 'learning', concepts: Math.max(...sizesOf(results, 'concepts')), documents}
        return [
          grouped(documents),
          ...[...new Set(results.values('times', 'patterns', where))].map(grouped),
          ...polytopes.map(polytope => shown(secondsOf(results, {...where, polytope}, 'whole')))
        ]
      })
    }
  ],
  notes: results => {
    const [counting] = results.rows('times', {task: 'counting'})
    const rate = Number((Number(counting.documents) / Number(counting.whole)).toPrecision(2))
    return [
      `Times are processor seconds, which other work on the computer does not affect, each the fastest of up to five runs (one run of the paper's method, which is fully corrective conditional gradient with the oracles of this program instead of Gurobi and Toulbar2), with Node ${counting.node}. A fit uses the paper's settings and learns a tree with its words; reading and counting documents are not included. Counting, the one pass over the documents, takes ${shown(Number(counting.whole))} s for ${grouped(Number(counting.documents))} documents in memory: ${grouped(rate)} documents per second.`,
      `Not run: conditional gradient for the simplex, where the paper takes exponentiated gradient, and for the cycle polytope, which it does not time; beyond ${MOST_MARGINAL} concepts the marginal polytope, beyond ${MOST_SLOW} the paper's method. That was stopped after ${slowStepLimit(1)} steps, or fewer for many concepts (${slowStepLimit(PAPER_CONCEPTS)} for ${PAPER_CONCEPTS}).`
    ]
  }
}

/** Numbers of concepts or documents of learning, ascending. */
function sizesOf(results: Results, column: 'concepts' | 'documents'): number[] {
  return [...new Set(results.values('times', column, {task: 'learning'}))].sort((a, b) => a - b)
}

/** Of all documents, and of the number of concepts nearest to the paper's, unless others are asked for. */
function secondsOf(results: Results, where: Readonly<Record<string, string | number>>, what: string) {
  const concepts = sizesOf(results, 'concepts')
  const distance = (count: number) => Math.abs(count - PAPER_CONCEPTS)
  const beside = concepts.reduce((best, count) => (distance(count) < distance(best) ? count : best))
  const documents = Math.max(...sizesOf(results, 'documents'))
  const found: number | undefined = results.values('times', what, {
    ...{task: 'learning', concepts: beside, documents},
    ...where
  })[0]
  return found
}

/** The paper's seconds are for 50 concepts, and are shown only near that number. */
function timeRow(results: Results, polytope: PolytopeName, concepts: number) {
  const of = (task: TimingCell['task'], what: string) => secondsOf(results, {task, polytope, concepts}, what)
  const [whole, moments] = [of('learning', 'whole'), of('learning', 'moments')]
  if (whole === undefined || moments === undefined) return []
  const paper = Math.abs(concepts - PAPER_CONCEPTS) > 5 ? undefined : paperSeconds[polytope]
  const slow = of('conditional-gradient', 'moments')
  const [found] = results.rows('times', {task: 'conditional-gradient', polytope, concepts})
  const atLeast = found?.status === 'step-limit' ? 'at least ' : ''
  return [
    [
      ...[concepts, polytope, short(whole), short(moments), shown(of('learning', 'gap'))],
      ...(paper === undefined ? ['', ''] : [paper, times(paper / whole)]),
      ...(slow === undefined
        ? ['', '', '']
        : [short(slow), shown(of('conditional-gradient', 'gap')), `${atLeast}${times(slow / moments)}`])
    ]
  ]
}

function shown(value: number | undefined): string {
  return value === undefined ? '-' : short(value)
}

/** Limits the paper's method to less than a minute if it does not reach its gap. */
const SLOW_STEP_LIMIT = 400
const SLOW_STEP_CONCEPTS = 30
/** A task is repeated up to `RUNS` times, until `RUN_SECONDS` are over. */
const RUNS = 5
const RUN_SECONDS = 2

/** Time one task, without its preparation. */
export async function measureTime(material: Material, cell: TimingCell): Promise<Tables> {
  const {task, polytope, concepts, documents, seed, gap} = cell
  const corpus = firstOf(splitMaterial(material, seed).training, documents)
  const counts = firstConcepts(countCorpus(corpus), concepts)
  const basis = {node: process.version, patterns: counts.patternCount, words: counts.lexicon.words.length}
  if (task === 'counting' || polytope === 'none')
    return {times: [{...basis, ...NO_MOMENTS, whole: await fastest(() => countCorpus(corpus))}]}
  const time = task === 'learning' ? timeLearning : timeConditionalGradient
  return {times: [{...basis, ...(await time(counts, polytope, gap))}]}
}

const NO_MOMENTS = {moments: null, gap: null, status: null, steps: null}

/** The paper's preset, given rates, a tree: the moments alone, and the whole fit with its words. */
async function timeLearning(counts: Counts, polytope: PolytopeName, gap?: number): Promise<Row> {
  const noise = estimateNoise(counts, 'given')
  const options = {polytope, shrinkage: presets.paper.shrinkage, ...(gap && {gap})}
  const recover = async () => (await recoverMoments(counts, noise, options)).certificate
  const {gap: reached, status, steps} = await recover()
  return {
    whole: await fastest(() => fit(counts, {preset: 'paper', ...options})),
    moments: await fastest(recover),
    gap: significant(reached),
    status,
    steps
  }
}

async function timeConditionalGradient(counts: Counts, polytope: PolytopeName, gap?: number): Promise<Row> {
  const noise = estimateNoise(counts, 'given')
  const {shrinkage} = presets.paper
  const stepLimit = slowStepLimit(counts.lexicon.anchors.length)
  const options = {polytope, shrinkage, gap, stepLimit, solver: 'conditional-gradient'} as const
  const {value, seconds} = await timed(() => recoverMoments(counts, noise, options))
  const {gap: reached, status, steps} = value.certificate
  return {whole: null, moments: significant(seconds), gap: significant(reached), status, steps}
}

/** Steps get slower with the number of concepts, and with the steps before. */
function slowStepLimit(concepts: number): number {
  return Math.round(SLOW_STEP_LIMIT * Math.min(1, SLOW_STEP_CONCEPTS / concepts))
}

function firstConcepts(counts: Counts, concepts: number): Counts {
  const others = counts.lexicon.anchors.slice(concepts).map(({concept}) => ({concept, reason: 'not among the first'}))
  return others.length === 0 ? counts : dropConcepts(counts, others)
}

/** The first runs also warm up the program, so the fastest counts. */
async function fastest(run: () => unknown): Promise<number> {
  let [least, all] = [Number.POSITIVE_INFINITY, 0]
  for (let runs = 0; runs < RUNS && all < RUN_SECONDS; runs++) {
    const {seconds} = await timed(run)
    least = Math.min(least, seconds)
    all += seconds
  }
  return significant(least)
}
