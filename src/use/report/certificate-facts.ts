import type {FitCertificate} from '../../learn/fit.ts'
import type {Model} from '../../learn/model/index.ts'
import type {RefinementCertificate} from '../../learn/training/index.ts'
import {describeTables} from '../../read/counts/index.ts'

/**
 * The certificate of a model as far as it has one. It is plain JSON, and composed or sampled models have none, so parts that are
 * missing or malformed are left out: a report shows what there is.
 */
export interface CertificateFacts {
  readonly noise: NoiseFacts | undefined
  readonly moments: FitCertificate['moments'] | undefined
  readonly structure: FitCertificate['structure'] | undefined
  readonly loadings: FitCertificate['loadings'] | undefined
  readonly intervals: IntervalFacts | undefined
  readonly refinement: RefinementCertificate | undefined
  /** For a model from released tables: a description of them. */
  readonly tables: string | undefined
}

type NoiseCertificate = FitCertificate['noise']
type ConceptNoise = NoiseCertificate['concepts'][number]

export interface NoiseFacts extends Pick<NoiseCertificate, 'method' | 'labelledCount'> {
  readonly clipped: readonly string[]
  readonly concepts: ReadonlyMap<string, ConceptNoise>
}

export type Range = readonly [low: number, high: number]

/** What `adfa fit --intervals` writes. */
interface IntervalCertificate {
  readonly level: number
  readonly replicates: number
  readonly refused: number
  readonly concepts: readonly ConceptRanges[]
  readonly edges: readonly {readonly parent: string; readonly child: string; readonly confidence: number}[]
}

interface ConceptRanges extends Readonly<Record<'prevalence' | 'truePositive' | 'falsePositive', Range>> {
  readonly name: string
}

export interface IntervalFacts extends Pick<IntervalCertificate, 'level' | 'replicates' | 'refused'> {
  readonly concepts: ReadonlyMap<string, ConceptRanges>
  /** By {@link edgeKey}: the share of the replicates that link the two. */
  readonly edges: ReadonlyMap<string, number>
}

/** The same for both directions. */
export function edgeKey(a: string, b: string): string {
  return JSON.stringify([a, b].sort())
}

export function certificateFacts({certificate}: Pick<Model, 'certificate'>): CertificateFacts {
  const tables = read<NonNullable<FitCertificate['tables']>>(certificate.tables, {
    maxOrder: 'number',
    numbers: 'number',
    withheld: 'number',
    sites: 'list'
  })
  return {
    noise: noiseFacts(certificate.noise),
    moments: read<FitCertificate['moments']>(certificate.moments, {
      status: 'string',
      objective: 'number',
      gap: 'number',
      steps: 'number'
    }),
    structure: read<FitCertificate['structure']>(certificate.structure, {status: 'string', method: 'string'}),
    loadings: read<FitCertificate['loadings']>(certificate.loadings, {
      estimator: 'string',
      failures: 'number',
      failuresAboveOne: 'number',
      words: 'number',
      leaksAtFloor: 'number'
    }),
    intervals: intervalFacts(certificate.intervals),
    refinement: read<RefinementCertificate>(certificate.refinement, {steps: 'number', documents: 'number'}),
    tables: tables && describeTables(tables)
  }
}

function noiseFacts(value: unknown): NoiseFacts | undefined {
  const noise = read<NoiseCertificate>(value, {
    method: 'string',
    labelledCount: 'number',
    clippedPrevalence: 'list',
    concepts: 'list'
  })
  if (noise === undefined) return undefined
  const {method, labelledCount, clippedPrevalence: clipped} = noise
  const concepts = readAll<ConceptNoise>(noise.concepts, {concept: 'string', precision: 'object', sources: 'list'})
  // A method that was asked for by name is the only source.
  const sourced = (each: ConceptNoise) => (method === 'auto' ? each : {...each, sources: [method]}) as ConceptNoise
  return {method, labelledCount, clipped, concepts: new Map(concepts.map(each => [each.concept, sourced(each)]))}
}

function intervalFacts(value: unknown): IntervalFacts | undefined {
  const intervals = read<IntervalCertificate>(value, {
    level: 'number',
    replicates: 'number',
    refused: 'number',
    concepts: 'list',
    edges: 'list'
  })
  if (intervals === undefined) return undefined
  const {level, replicates, refused} = intervals
  const concepts = readAll<ConceptRanges>(intervals.concepts, {
    name: 'string',
    prevalence: 'list',
    truePositive: 'list',
    falsePositive: 'list'
  })
  const edges = readAll<IntervalCertificate['edges'][number]>(intervals.edges, {
    parent: 'string',
    child: 'string',
    confidence: 'number'
  }).map(({parent, child, confidence}) => [edgeKey(parent, child), confidence] as const)
  return {level, replicates, refused, concepts: new Map(concepts.map(each => [each.name, each])), edges: new Map(edges)}
}

type Kind = 'number' | 'string' | 'object' | 'list'

/** The value as a `T`, if it is an object whose `members` are what they should be. */
function read<T>(value: unknown, members: {readonly [Name in keyof T]?: Kind}): T | undefined {
  if (kindOf(value) !== 'object') return undefined
  const object = value as T
  const names = Object.keys(members) as (keyof T)[]
  return names.every(name => kindOf(object[name]) === members[name]) ? object : undefined
}

function readAll<T>(values: readonly unknown[], members: {readonly [Name in keyof T]?: Kind}): T[] {
  return values.flatMap(value => read(value, members) ?? [])
}

function kindOf(value: unknown): string {
  return value === null ? 'null' : Array.isArray(value) ? 'list' : typeof value
}
