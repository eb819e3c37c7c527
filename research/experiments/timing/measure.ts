import {fit} from '../../../src/learn/fit.ts'
import {type PolytopeName, recoverMoments, type SolveStatus} from '../../../src/learn/moments/index.ts'
import {estimateNoise} from '../../../src/learn/noise/index.ts'
import {presets} from '../../../src/learn/options.ts'
import {type Counts, countCorpus, dropConcepts} from '../../../src/read/counts/index.ts'
import type {Corpus} from '../../../src/read/data/index.ts'
import {significant} from '../experiment.ts'
import type {Material} from '../material.ts'
import {firstOf, splitMaterial} from '../split.ts'

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

export type TimingResult = {
  /** Of Node. */
  readonly node: string
  /** Anchor patterns: learning iterates over these instead of documents. */
  readonly patterns: number
  readonly words: number
  /** Seconds of counting or of a whole fit from counts; null for the paper's method. */
  readonly whole: number | null
  /** Seconds of moment recovery alone. */
  readonly moments: number | null
  readonly gap: number | null
  readonly status: SolveStatus | null
  readonly steps: number | null
}

/** Limits the paper's method to less than a minute if it does not reach its gap. */
const SLOW_STEP_LIMIT = 400
const SLOW_STEP_CONCEPTS = 30
/** A task is repeated up to `RUNS` times, until `RUN_SECONDS` are over. */
const RUNS = 5
const RUN_SECONDS = 2

/** Time one task, without its preparation. */
export async function measureTime(material: Material, cell: TimingCell): Promise<TimingResult> {
  const {task, polytope, concepts, documents, seed, gap} = cell
  const corpus = firstOf(splitMaterial(material, seed).training, documents)
  const counts = firstConcepts(countCorpus(corpus), concepts)
  const basis = {node: process.version, patterns: counts.patternCount, words: counts.lexicon.words.length}
  if (task === 'counting' || polytope === 'none') return {...basis, ...(await timeCounting(corpus))}
  const time = task === 'learning' ? timeLearning : timeConditionalGradient
  return {...basis, ...(await time(counts, polytope, gap))}
}

type Times = Omit<TimingResult, 'node' | 'patterns' | 'words'>

const NO_MOMENTS = {moments: null, gap: null, status: null, steps: null}

async function timeCounting(corpus: Corpus): Promise<Times> {
  return {...NO_MOMENTS, whole: await fastest(() => countCorpus(corpus))}
}

/** The paper's preset, given rates, a tree: the moments alone, and the whole fit with its words. */
async function timeLearning(counts: Counts, polytope: PolytopeName, gap?: number): Promise<Times> {
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

async function timeConditionalGradient(counts: Counts, polytope: PolytopeName, gap?: number): Promise<Times> {
  const noise = estimateNoise(counts, 'given')
  const {shrinkage} = presets.paper
  const stepLimit = slowStepLimit(counts.lexicon.anchors.length)
  const options = {polytope, shrinkage, gap, stepLimit, solver: 'conditional-gradient'} as const
  const began = clock()
  const {gap: reached, status, steps} = (await recoverMoments(counts, noise, options)).certificate
  return {whole: null, moments: significant(clock() - began), gap: significant(reached), status, steps}
}

/** Steps get slower with the number of concepts, and with the steps before. */
export function slowStepLimit(concepts: number): number {
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
    const began = clock()
    await run()
    const seconds = clock() - began
    least = Math.min(least, seconds)
    all += seconds
  }
  return significant(least)
}

/** Seconds of processor time, which other work of the computer does not affect. */
function clock(): number {
  const {user, system} = process.cpuUsage()
  return (user + system) / 1e6
}
