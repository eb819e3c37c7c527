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
import {type Facts, readyModel} from './facts.ts'
import {type Job, JobPlace, type Work} from './job.ts'
import {probabilitiesOf} from './pipeline.ts'
import {thresholdOf} from './state-view.ts'

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
  /** Its concepts by their names today. */
  readonly names: ReadonlyMap<string, string>
  readonly project: Pick<Project, 'documents'>
  /** Known for the model as it is. */
  readonly probabilities?: Float32Array
}

export class Comparisons {
  readonly #work: Work
  readonly #place: JobPlace
  #crossed: ReadonlyMap<string, Crossing> | undefined

  constructor(work: Work) {
    this.#work = work
    this.#place = new JobPlace(work)
  }

  /** The documents that cross the threshold in the last comparison, by concept as it is called today. */
  get crossed(): ReadonlyMap<string, Crossing> | undefined {
    return this.#crossed
  }

  /** Other documents: lists of the last ones are about nothing. */
  clear(): void {
    this.cancel()
    this.#crossed = undefined
  }

  cancel(): void {
    this.#place.stop()
  }

  async compare(facts: Facts, sides: readonly [Side, Side]): Promise<ComparisonView> {
    return this.#place.run('the comparison was stopped', async job => {
      const a = await this.#compared(job, facts, sides[0])
      const b = await this.#compared(job, facts, sides[1])
      const scores: [Scores, Scores] = [await this.#scores(job, facts, a), await this.#scores(job, facts, b)]
      const renamed = renames(a, b)
      const isSameDocuments = a.project.documents?.hash === b.project.documents?.hash
      const comparison = compareModels(a.model, b.model, {renamed, isSameDocuments, scores})
      const concepts = b.model.concepts.map(({name}) => [name, b.names.get(name) ?? name] as const)
      const crossings = crossedDocuments(matchConcepts(a.model, b.model, renamed), ...scores)
      this.#crossed = new Map(crossings.map(crossing => [concepts[crossing.match[1]][1], crossing]))
      const known = new Set(facts.project.anchors.map(({concept}) => concept))
      return {sides, comparison, today: new Map(concepts.filter(([, name]) => known.has(name)))}
    })
  }

  async #compared(job: Job, facts: Facts, side: Side): Promise<Compared> {
    const {project, results} = facts
    const own = new Map(project.anchors.map(({concept}) => [concept, concept]))
    if (side.kind === 'now') {
      const {model} = readyModel(facts)
      const {scored} = results
      const isScored = scored !== undefined && scored.learned === results.learned
      return {model, names: own, project, ...(isScored && {probabilities: scored.probabilities})}
    }
    if (side.kind === 'fit')
      return {model: await this.#learned(job, facts, {...project, fit: side.fit}), names: own, project}
    const snapshot = snapshotOf(project, side.name)
    const model =
      snapshot.model === undefined
        ? await this.#learned(job, facts, snapshot.project)
        : loadModel(snapshot.model, `the snapshot "${side.name}"`)
    return {model, names: nowNames(snapshot), project: snapshot.project}
  }

  /** The model of another project of the same documents. */
  async #learned(job: Job, {documents, project}: Facts, other: Project): Promise<Model> {
    if (JSON.stringify(other.reading) !== JSON.stringify(project.reading))
      throw new AdfaError(
        'bad-option',
        'the snapshot has no model, and documents are now read in another way; change that back, or compare another snapshot'
      )
    const {counts, sample, sampleRows: rows, options} = encodeProject(documents, other, 0, undefined)
    const {model} = await job.value(job.solver().learn({counts, sample, rows, options}))
    job.end()
    return model
  }

  async #scores(job: Job, {documents}: Facts, {model, ...side}: Compared): Promise<Scores> {
    const read = new Encoder(model.lexicon).encode
    const progress = (share: number) => this.#work.progress({words: 'scoring documents', share})
    const probabilities =
      side.probabilities ??
      (await probabilitiesOf(job, model, documents.count, at => read(documents.row(at)), progress))
    return {conceptCount: model.concepts.length, threshold: thresholdOf(model), probabilities}
  }
}

/** Concepts that have other names on the two sides and the same name today. */
function renames(a: Compared, b: Compared): ReadonlyMap<string, string> {
  const inModel = ({model, names}: Compared) => model.concepts.map(({name}) => ({name, today: names.get(name) ?? name}))
  const others = new Map(inModel(b).map(({name, today}) => [today, name]))
  return new Map(
    inModel(a).flatMap(({name, today}) => {
      const other = others.get(today)
      return other === undefined || other === name ? [] : [[name, other] as const]
    })
  )
}
