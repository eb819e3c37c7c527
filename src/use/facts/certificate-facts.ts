import {counted, grouped} from '../../base/text/index.ts'
import type {ConceptIntervals, FitIntervals} from '../../learn/bootstrap.ts'
import type {FitCertificate} from '../../learn/fit.ts'
import type {Model} from '../../learn/model/index.ts'
import type {PairCertificate} from '../../learn/robust/index.ts'
import type {Accuracy, SourceFigures, SourceGroup} from '../../learn/votes/index.ts'
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

const RATE_SOURCES: ReadonlyMap<string, string> = new Map([
  ['given', 'the anchors file'],
  ['labels', 'labelled documents'],
  ['pooled', 'labelled documents'],
  ['pair', 'the members of its anchor, compared with each other'],
  ['irreducible', 'the words that occur with the anchor'],
  ['positive-only', 'the words that occur with the anchor'],
  ['auto', 'given rates where there are any, else labelled documents, else a guess that nobody has measured'],
  ['guess', 'a guess'],
  ['balance', 'the votes for all classes, of which exactly one holds; they are not measured']
])

/** What the rates of an anchor are from, by the method or the source that the certificate names. */
export function rateSource(name: string): string {
  return RATE_SOURCES.get(name) ?? name
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
  const {noise, moments, structure, loadings, intervals, sources, tables} = certificate
  const released = read<TableStatement>(tables, {maxOrder: 0, numbers: 0, withheld: 0, sites: []})
  const counts = {failures: 0, failuresAboveOne: 0, words: 0, leaksAtFloor: 0}
  const graph = read<FitCertificate['structure']>(structure, {status: '', method: ''})
  const pairs = {couplings: 0, edges: 0, couplingShare: 0, residual: 0}
  return {
    noise: noiseFacts(noise),
    moments: read<FitCertificate['moments']>(moments, {status: '', objective: 0, gap: 0, steps: 0}),
    structure: graph?.method === 'pairs' ? read<PairCertificate>(graph, pairs) : graph,
    loadings: read<FitCertificate['loadings']>(loadings, {estimator: '', ...counts}),
    intervals: intervalFacts(intervals),
    sources: sourceFacts(sources),
    tables: released && describeTables(released)
  }
}

function noiseFacts(value: unknown): NoiseFacts | undefined {
  const noise = read<NoiseCertificate>(value, {method: '', labelledCount: 0, clippedPrevalence: [], concepts: []})
  if (noise === undefined) return undefined
  const {method, labelledCount, clippedPrevalence: clipped} = noise
  const concepts = readAll<ConceptNoise>(noise.concepts, {concept: '', precision: {}, prevalence: {}, sources: []})
  // A method that was asked for by name is the only source.
  const sourced = (each: ConceptNoise) => (method === 'auto' ? each : {...each, sources: [method]}) as ConceptNoise
  return {method, labelledCount, clipped, concepts: new Map(concepts.map(each => [each.concept, sourced(each)]))}
}

function intervalFacts(value: unknown): IntervalFacts | undefined {
  const intervals = read<FitIntervals>(value, {level: 0, replicates: 0, refused: 0, concepts: [], edges: []})
  if (intervals === undefined) return undefined
  const rates = {name: '', prevalence: [], truePositive: [], falsePositive: []}
  const concepts = readAll<ConceptIntervals>(intervals.concepts, rates)
  const edges = readAll<FitIntervals['edges'][number]>(intervals.edges, {parent: '', child: '', confidence: 0})
  return {
    ...intervals,
    concepts: new Map(concepts.map(each => [each.name, each])),
    edges: new Map(edges.map(({parent, child, confidence}) => [edgeKey(parent, child), confidence]))
  }
}

function sourceFacts(value: unknown): SourceFacts[] | undefined {
  const groups = readAll<SourceFacts>(Array.isArray(value) ? value : [], {classes: [], sources: []})
  const facts = groups.flatMap(({alpha, sources: all, ...group}) => {
    const figures = {source: '', basis: '', votes: 0, coverage: 0, labelled: 0, accuracy: {}}
    const sources = readAll<SourceFigures>(all, figures)
      .filter(({accuracy}) => read<Accuracy>(accuracy, accuracy.low === undefined ? {value: 0} : INTERVAL))
      .map(({mostWrong, ...source}) => ({
        ...source,
        ...(mostWrong && read(mostWrong, {vote: '', truth: '', share: 0}) && {mostWrong})
      }))
    return sources.length === 0 ? [] : [{...group, ...(typeof alpha === 'number' && {alpha}), sources}]
  })
  return facts.length === 0 ? undefined : facts
}

const INTERVAL = {value: 0, low: 0, high: 0}

/** The value as a `T`, if it is an object with members of the kinds that the `sample` has: numbers, strings, objects, lists. */
function read<T>(value: unknown, sample: {readonly [Name in keyof T]?: unknown}): T | undefined {
  if (kindOf(value) !== 'object') return undefined
  const object = value as T
  const isSound = (Object.keys(sample) as (keyof T)[]).every(name => kindOf(object[name]) === kindOf(sample[name]))
  return isSound ? object : undefined
}

function readAll<T>(values: readonly unknown[], sample: {readonly [Name in keyof T]?: unknown}): T[] {
  return values.flatMap(value => read(value, sample) ?? [])
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
