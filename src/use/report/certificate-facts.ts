import {counted, grouped} from '../../base/text/index.ts'
import type {ConceptIntervals, FitIntervals} from '../../learn/bootstrap.ts'
import type {FitCertificate} from '../../learn/fit.ts'
import type {Model} from '../../learn/model/index.ts'
import type {RateInterval} from '../../learn/noise/index.ts'
import type {PairCertificate} from '../../learn/robust/index.ts'
import type {SourceFigures, SourceGroup} from '../../learn/votes/index.ts'
import type {TableStatement} from '../../read/counts/index.ts'

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
  /** Of votes. */
  readonly sources: readonly SourceFacts[] | undefined
  /** For a model from released tables: a description of them. */
  readonly tables: string | undefined
}

/** The sources of votes of an exclusive group, or of a concept. */
export type SourceFacts = SourceGroup<SourceFigures>

type NoiseCertificate = FitCertificate['noise']
type ConceptNoise = NoiseCertificate['concepts'][number]

export interface NoiseFacts extends Pick<NoiseCertificate, 'method' | 'labelledCount'> {
  readonly clipped: readonly string[]
  readonly concepts: ReadonlyMap<string, ConceptNoise>
}

/** A short answer labels a document for one concept, so concepts may differ in their number of labelled documents. */
export function labelledText({labelledCount}: Pick<NoiseFacts, 'labelledCount'>): string {
  return `up to ${counted(labelledCount, 'labelled document')} per concept`
}

export interface IntervalFacts extends Pick<FitIntervals, 'level' | 'replicates' | 'refused'> {
  readonly concepts: ReadonlyMap<string, ConceptIntervals>
  /** By {@link edgeKey}: the share of the replicates that have this edge. */
  readonly edges: ReadonlyMap<string, number>
}

/** The same for both directions. */
export function edgeKey(a: string, b: string): string {
  return JSON.stringify([a, b].sort())
}

export function certificateFacts({certificate}: Pick<Model, 'certificate'>): CertificateFacts {
  const tables = read<NonNullable<FitCertificate['tables']>>(certificate.tables, {
    number: ['maxOrder', 'numbers', 'withheld'],
    list: ['sites']
  })
  return {
    noise: noiseFacts(certificate.noise),
    moments: read(certificate.moments, {string: ['status'], number: ['objective', 'gap', 'steps']}),
    structure: structureFacts(certificate.structure),
    loadings: read(certificate.loadings, {
      string: ['estimator'],
      number: ['failures', 'failuresAboveOne', 'words', 'leaksAtFloor']
    }),
    intervals: intervalFacts(certificate.intervals),
    sources: sourceFacts(certificate.sources),
    tables: tables && describeTables(tables)
  }
}

function structureFacts(value: unknown): FitCertificate['structure'] | undefined {
  const structure = read<FitCertificate['structure']>(value, {string: ['status', 'method']})
  return structure?.method === 'pairs'
    ? read<PairCertificate>(value, {number: ['couplings', 'edges', 'couplingShare', 'residual']})
    : structure
}

function noiseFacts(value: unknown): NoiseFacts | undefined {
  const members: Members<NoiseCertificate> = {
    string: ['method'],
    number: ['labelledCount'],
    list: ['clippedPrevalence', 'concepts']
  }
  const noise = read(value, members)
  if (noise === undefined) return undefined
  const {method, labelledCount, clippedPrevalence: clipped} = noise
  const concepts = readAll<ConceptNoise>(noise.concepts, {
    string: ['concept'],
    object: ['precision', 'prevalence'],
    list: ['sources']
  })
  // A method that was asked for by name is the only source.
  const sourced = (each: ConceptNoise) => (method === 'auto' ? each : {...each, sources: [method]}) as ConceptNoise
  return {method, labelledCount, clipped, concepts: new Map(concepts.map(each => [each.concept, sourced(each)]))}
}

function intervalFacts(value: unknown): IntervalFacts | undefined {
  const intervals = read<FitIntervals>(value, {
    number: ['level', 'replicates', 'refused'],
    list: ['concepts', 'edges']
  })
  if (intervals === undefined) return undefined
  const {level, replicates, refused} = intervals
  const rates = ['prevalence', 'truePositive', 'falsePositive'] as const
  const concepts = readAll<ConceptIntervals>(intervals.concepts, {string: ['name'], list: rates})
  const edges = readAll<FitIntervals['edges'][number]>(intervals.edges, {
    string: ['parent', 'child'],
    number: ['confidence']
  }).map(({parent, child, confidence}) => [edgeKey(parent, child), confidence] as const)
  return {level, replicates, refused, concepts: new Map(concepts.map(each => [each.name, each])), edges: new Map(edges)}
}

const INTERVAL: Members<RateInterval> = {number: ['value', 'low', 'high']}

function sourceFacts(value: unknown): SourceFacts[] | undefined {
  const groups = readAll<SourceFacts>(Array.isArray(value) ? value : [], {list: ['classes', 'sources']})
  const facts = groups.flatMap(({alpha, sources, ...group}) => {
    const sound = readAll<SourceFigures>(sources, {
      string: ['source', 'basis'],
      number: ['votes', 'coverage', 'labelled']
    }).filter(
      ({accuracy}) =>
        read(accuracy, INTERVAL) ?? (accuracy?.low === undefined && read<RateInterval>(accuracy, {number: ['value']}))
    )
    const shown = sound.map(({mostWrong, ...source}) => ({
      ...source,
      ...(mostWrong && read(mostWrong, {string: ['vote', 'truth'], number: ['share']}) && {mostWrong})
    }))
    return shown.length === 0 ? [] : [{...group, ...(typeof alpha === 'number' && {alpha}), sources: shown}]
  })
  return facts.length === 0 ? undefined : facts
}

/** Names of members by the kind of value they must hold. */
type Members<T> = {readonly [Kind in 'number' | 'string' | 'object' | 'list']?: readonly (keyof T)[]}

/** The value as a `T`, if it is an object whose `members` hold values of their kinds. */
function read<T>(value: unknown, members: Members<T>): T | undefined {
  if (kindOf(value) !== 'object') return undefined
  const object = value as T
  const isSound = Object.entries(members).every(([kind, names]) => names.every(name => kindOf(object[name]) === kind))
  return isSound ? object : undefined
}

function readAll<T>(values: readonly unknown[], members: Members<T>): T[] {
  return values.flatMap(value => read(value, members) ?? [])
}

function kindOf(value: unknown): string {
  return value === null ? 'null' : Array.isArray(value) ? 'list' : typeof value
}

/** For reports: "tables of at most 2 anchors or words from 3 sites; cells below 10 withheld: 312 of 25,000 numbers". */
export function describeTables({maxOrder, numbers, withheld, sites}: TableStatement): string {
  const limits = [...new Set(sites.map(({minCell}) => minCell).filter(minCell => minCell > 1))].sort((a, b) => a - b)
  const figures = `${grouped(withheld)} of ${grouped(numbers)} numbers`
  return [
    `tables of at most ${counted(maxOrder, 'anchor or word', 'anchors or words')} from ${counted(sites.length, 'site')}`,
    limits.length === 0 ? 'nothing withheld' : `cells below ${limits.join(' or ')} withheld: ${figures}`
  ].join('; ')
}
