import type {Model} from '../../learn/model/index.ts'
import {describeTables, type NoiseStatement} from '../../read/counts/index.ts'
import type {Estimate} from './report-words.ts'

/**
 * What the certificate of a model says, as far as the model has one: it is plain JSON, and models that were composed or drawn have none. What is
 * missing or malformed is left out, for a report has to show what there is.
 */
export interface CertificateFacts {
  readonly noise: NoiseFacts | undefined
  readonly moments: MomentFacts | undefined
  readonly structure: StructureFacts | undefined
  readonly loadings: LoadingFacts | undefined
  readonly intervals: IntervalFacts | undefined
  readonly refinement: {readonly steps: number; readonly documents: number} | undefined
  /** Of a model from released tables: what they are, in words. */
  readonly tables: string | undefined
}

export interface NoiseFacts {
  readonly method: string
  readonly labelledCount: number
  readonly clipped: readonly string[]
  readonly concepts: ReadonlyMap<string, NoiseOfConcept>
}

export interface NoiseOfConcept {
  readonly sources: readonly string[]
  readonly isGuess: boolean
  readonly disagreement: number
  readonly prevalence: Estimate
  readonly precision: Estimate
}

export interface MomentFacts {
  readonly status: string
  readonly objective: number
  readonly gap: number
  readonly heuristicGap: number | undefined
  readonly steps: number
}

export interface StructureFacts {
  readonly status: string
  readonly method: string
  readonly score: number | undefined
  readonly gap: number | undefined
}

export interface LoadingFacts {
  readonly estimator: string
  readonly failures: number
  readonly failuresAboveOne: number
  readonly words: number
  readonly leaksAtFloor: number
  readonly kept: number | undefined
  readonly sigmas: number | undefined
}

export type Range = readonly [low: number, high: number]

export interface IntervalFacts {
  readonly level: number
  readonly replicates: number
  readonly refused: number
  readonly concepts: ReadonlyMap<string, Readonly<Record<'prevalence' | 'truePositive' | 'falsePositive', Range>>>
  /** By {@link edgeKey}: the share of the replicates that join the two. */
  readonly edges: ReadonlyMap<string, number>
}

/** The same for both directions. */
export function edgeKey(a: string, b: string): string {
  return JSON.stringify([a, b].sort())
}

export function certificateFacts({certificate}: Pick<Model, 'certificate'>): CertificateFacts {
  return {
    noise: noiseFacts(objectOf(certificate.noise)),
    moments: momentFacts(objectOf(certificate.moments)),
    structure: structureFacts(objectOf(certificate.structure)),
    loadings: loadingFacts(objectOf(certificate.loadings)),
    intervals: intervalFacts(objectOf(certificate.intervals)),
    refinement: refinementFacts(objectOf(certificate.refinement)),
    tables: tableFacts(objectOf(certificate.tables))
  }
}

function noiseFacts(noise: JsonObject | undefined): NoiseFacts | undefined {
  if (noise === undefined) return undefined
  const concepts = objectsOf(noise.concepts).map((entry): [string, NoiseOfConcept] => [
    textOf(entry.concept),
    {
      sources: listOf(noise.method === 'auto' ? entry.sources : [noise.method]).map(textOf),
      isGuess: entry.isGuess === true,
      disagreement: numberOf(entry.disagreement) ?? 0,
      prevalence: estimateOf(objectOf(entry.prevalence)),
      precision: estimateOf(objectOf(entry.precision))
    }
  ])
  return {
    method: textOf(noise.method),
    labelledCount: numberOf(noise.labelledCount) ?? 0,
    clipped: listOf(noise.clippedPrevalence).map(textOf),
    concepts: new Map(concepts)
  }
}

function momentFacts(moments: JsonObject | undefined): MomentFacts | undefined {
  const [objective, gap] = [numberOf(moments?.objective), numberOf(moments?.gap)]
  if (moments === undefined || objective === undefined || gap === undefined) return undefined
  const heuristicGap = numberOf(moments.heuristicGap)
  return {status: textOf(moments.status), objective, gap, heuristicGap, steps: numberOf(moments.steps) ?? 0}
}

function structureFacts(structure: JsonObject | undefined): StructureFacts | undefined {
  if (structure === undefined) return undefined
  const {status, method, score, gap} = structure
  return {status: textOf(status), method: textOf(method), score: numberOf(score), gap: numberOf(gap)}
}

function loadingFacts(loadings: JsonObject | undefined): LoadingFacts | undefined {
  if (loadings === undefined) return undefined
  const gate = objectOf(loadings.gate)
  const count = (name: string) => numberOf(loadings[name]) ?? 0
  return {
    estimator: textOf(loadings.estimator),
    failures: count('failures'),
    failuresAboveOne: count('failuresAboveOne'),
    words: count('words'),
    leaksAtFloor: count('leaksAtFloor'),
    kept: numberOf(gate?.kept),
    sigmas: numberOf(gate?.sigmas)
  }
}

function intervalFacts(intervals: JsonObject | undefined): IntervalFacts | undefined {
  const [level, replicates] = [numberOf(intervals?.level), numberOf(intervals?.replicates)]
  if (intervals === undefined || level === undefined || replicates === undefined) return undefined
  const range = (value: unknown): Range => {
    const [low, high] = listOf(value).map(numberOf)
    return [low ?? Number.NaN, high ?? Number.NaN]
  }
  const concepts = objectsOf(intervals.concepts).map(
    ({name, prevalence, truePositive, falsePositive}) =>
      [
        textOf(name),
        {prevalence: range(prevalence), truePositive: range(truePositive), falsePositive: range(falsePositive)}
      ] as const
  )
  const edges = objectsOf(intervals.edges).map(
    ({parent, child, confidence}) => [edgeKey(textOf(parent), textOf(child)), numberOf(confidence) ?? 0] as const
  )
  return {
    level,
    replicates,
    refused: numberOf(intervals.refused) ?? 0,
    concepts: new Map(concepts),
    edges: new Map(edges)
  }
}

function refinementFacts(refinement: JsonObject | undefined): CertificateFacts['refinement'] {
  const [steps, documents] = [numberOf(refinement?.steps), numberOf(refinement?.documents)]
  return steps === undefined || documents === undefined ? undefined : {steps, documents}
}

function tableFacts(tables: JsonObject | undefined): string | undefined {
  const [maxOrder, numbers, withheld] = [tables?.maxOrder, tables?.numbers, tables?.withheld].map(numberOf)
  if (maxOrder === undefined || numbers === undefined || withheld === undefined) return undefined
  const sites = objectsOf(tables?.sites).map(site => ({
    name: textOf(site.name),
    documents: numberOf(site.documents) ?? 0,
    minCell: numberOf(site.minCell) ?? 0,
    noise: noiseStatement(objectOf(site.noise))
  }))
  return describeTables({maxOrder, numbers, withheld, sites})
}

function noiseStatement(noise: JsonObject | undefined): NoiseStatement | undefined {
  if (noise === undefined) return undefined
  const [epsilon, delta] = [noise.epsilon, noise.delta].map(value => numberOf(value) ?? Number.NaN)
  const mechanism = noise.mechanism === 'laplace' ? 'laplace' : 'gaussian'
  return {mechanism, epsilon, delta, mostAnchors: 0, mostWords: 0, parts: [], isRehearsal: noise.isRehearsal === true}
}

type JsonObject = Readonly<Record<string, unknown>>

function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function objectOf(value: unknown): JsonObject | undefined {
  return isObject(value) ? value : undefined
}

function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : []
}

function objectsOf(value: unknown): JsonObject[] {
  return listOf(value).filter(isObject)
}

function numberOf(value: unknown): number | undefined {
  return typeof value === 'number' ? value : undefined
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : ''
}

/** What is known without doubt has no range. */
function estimateOf(interval: JsonObject | undefined): Estimate {
  const [value, low, high] = [interval?.value, interval?.low, interval?.high].map(numberOf)
  const estimate = {value: value ?? Number.NaN}
  return low === undefined || high === undefined || low === high ? estimate : {...estimate, range: [low, high]}
}
