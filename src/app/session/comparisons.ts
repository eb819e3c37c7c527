/** Two models side by side, and the documents that only one of them reports. */
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
import {nowNames, snapshotOf} from '../project/index.ts'
import {type Facts, readyModel, thresholdOf} from './facts.ts'
import {probabilitiesOf} from './pipeline.ts'
import type {Job} from './work.ts'

/** One side of a comparison: the model as it is, or that of a snapshot. */
export type Side = {readonly kind: 'now'} | {readonly kind: 'snapshot'; readonly name: string}

/** "before", "the model as it is". */
export function sideTitle(side: Side): string {
  return side.kind === 'snapshot' ? side.name : 'the model as it is'
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
  const {documents, results, work} = facts
  const {scored} = results
  const own = modelOf(facts, side)
  const {model} = own
  const read = new Encoder(model.lexicon).encode
  const progress = (share: number) => work.progress({words: 'scoring documents', share})
  const probabilities =
    scored?.learned.model === model
      ? scored.probabilities
      : await probabilitiesOf(job, model, documents.count, at => read(documents.row(at)), progress)
  return {...own, scores: {conceptCount: model.concepts.length, threshold: thresholdOf(model), probabilities}}
}

function modelOf(facts: Facts, side: Side): Omit<Compared, 'scores'> {
  const {project} = facts
  if (side.kind === 'now') return {model: readyModel(facts).model, today: name => name, hash: project.documents?.hash}
  const snapshot = snapshotOf(project, side.name)
  const title = `the snapshot "${side.name}"`
  if (snapshot.model === undefined)
    throw new AdfaError(
      'bad-option',
      `${title} has no model; take a snapshot once the numbers are ready, and compare that`
    )
  const names = nowNames(snapshot)
  const today = (name: string) => names.get(name) ?? name
  return {model: loadModel(snapshot.model, title), today, hash: snapshot.project.documents?.hash}
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
