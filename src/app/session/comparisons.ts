/** Two models side by side. Both may be learned first, on a solver of their own. */
import {AdfaError} from '../../base/checks/index.ts'
import {loadModel, type Model} from '../../learn/model/index.ts'
import {Encoder} from '../../read/data/index.ts'
import {
  type Comparison,
  type Crossing,
  compareModels,
  crossedDocuments,
  matchConcepts,
  type Scores
} from '../../use/comparison/index.ts'
import {type FitSettings, nowNames, type Project, snapshotOf} from '../project/index.ts'
import {encodeProject} from './encode.ts'
import {type Facts, readyModel, thresholdOf} from './facts.ts'
import {probabilitiesOf} from './pipeline.ts'
import type {Job} from './work.ts'

/** One side of a comparison: the model as it is, a snapshot, or the project learned with other settings. */
export type Side =
  | {readonly kind: 'now'}
  | {readonly kind: 'snapshot'; readonly name: string}
  | {readonly kind: 'fit'; readonly fit: FitSettings}

/** "before", "the model as it is", "learned with structure tree". */
export function sideTitle(side: Side): string {
  if (side.kind === 'snapshot') return side.name
  if (side.kind === 'now') return 'the model as it is'
  const words = Object.entries(side.fit).map(([name, value]) => `${name} ${value}`)
  return `learned with ${words.join(', ') || 'the default settings'}`
}

export interface ComparisonView {
  readonly sides: readonly [a: Side, b: Side]
  /** As the library gives it, with the documents that cross the threshold. */
  readonly comparison: Comparison
  /** The concepts of B that the project has, by the names of B: what they are called today. */
  readonly today: ReadonlyMap<string, string>
}

/** A side with its model. */
interface Compared {
  readonly model: Model
  /** What its concepts are called today. */
  today(name: string): string
  readonly hash: string | undefined
  readonly scores: Scores
}

/** The comparison, and the documents that cross the threshold, by concept as it is called today. */
export async function compareSides(
  job: Job,
  facts: Facts,
  sides: readonly [Side, Side]
): Promise<{readonly view: ComparisonView; readonly crossed: ReadonlyMap<string, Crossing>}> {
  const a = await comparedSide(job, facts, sides[0])
  const b = await comparedSide(job, facts, sides[1])
  const scores = [a.scores, b.scores] as const
  const renamed = renames(a, b)
  const comparison = compareModels(a.model, b.model, {renamed, isSameDocuments: a.hash === b.hash, scores})
  const names = b.model.concepts.map(({name}) => [name, b.today(name)] as const)
  const crossings = crossedDocuments(matchConcepts(a.model, b.model, renamed), ...scores)
  const known = new Set(facts.project.anchors.map(({concept}) => concept))
  return {
    view: {sides, comparison, today: new Map(names.filter(([, name]) => known.has(name)))},
    crossed: new Map(crossings.map(crossing => [names[crossing.match[1]][1], crossing]))
  }
}

async function comparedSide(job: Job, facts: Facts, side: Side): Promise<Compared> {
  const {documents, project, results, work} = facts
  const {model, of = project, today = (name: string) => name} = await modelOf(job, facts, side)
  const read = new Encoder(model.lexicon).encode
  const progress = (share: number) => work.progress({words: 'scoring documents', share})
  const {scored} = results
  const probabilities =
    scored?.learned.model === model
      ? scored.probabilities
      : await probabilitiesOf(job, model, documents.count, at => read(documents.row(at)), progress)
  const scores = {conceptCount: model.concepts.length, threshold: thresholdOf(model), probabilities}
  return {model, today, hash: of.documents?.hash, scores}
}

/** The model of a side; `of` is its project where that is another one. */
async function modelOf(
  job: Job,
  facts: Facts,
  side: Side
): Promise<Pick<Compared, 'model'> & Partial<Pick<Compared, 'today'>> & {readonly of?: Omit<Project, 'snapshots'>}> {
  const {project} = facts
  if (side.kind === 'now') return readyModel(facts)
  if (side.kind === 'fit') return {model: await learned(job, facts, {...project, fit: side.fit})}
  const snapshot = snapshotOf(project, side.name)
  const names = nowNames(snapshot)
  const model =
    snapshot.model === undefined
      ? await learned(job, facts, snapshot.project)
      : loadModel(snapshot.model, `the snapshot "${side.name}"`)
  return {model, of: snapshot.project, today: name => names.get(name) ?? name}
}

/** The model of another project of the same documents. */
async function learned(job: Job, {documents, project}: Facts, other: Project): Promise<Model> {
  if (JSON.stringify(other.reading) !== JSON.stringify(project.reading))
    throw new AdfaError(
      'bad-option',
      'the snapshot has no model, and documents are now read in another way; change that back, or compare another snapshot'
    )
  const {counts, sample, sampleRows: rows, options} = encodeProject(documents, other, 0, undefined)
  const {model} = await job.value(job.solver().learn({counts, sample, rows, options}))
  return model
}

/** Concepts that have other names on the two sides and the same name today. */
function renames(a: Compared, b: Compared): ReadonlyMap<string, string> {
  const others = new Map(b.model.concepts.map(({name}) => [b.today(name), name]))
  return new Map(
    a.model.concepts.flatMap(({name}) => {
      const other = others.get(a.today(name))
      return other === undefined || other === name ? [] : [[name, other] as const]
    })
  )
}
