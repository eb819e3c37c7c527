/** Two models side by side, and one problem over four polytopes. Both may learn, on a solver of their own. */
import {AdfaError} from '../../base/checks/index.ts'
import {createInference} from '../../learn/inference/index.ts'
import {loadModel, type Model} from '../../learn/model/index.ts'
import type {PolytopeName} from '../../learn/moments/index.ts'
import {createEncoder} from '../../read/data/index.ts'
import {type Crossing, compareModels, crossedDocuments, matchConcepts, type Scores} from '../../use/comparison/index.ts'
import {comparisonChart, sectionsOf, summaryOf} from './comparison-tables.ts'
import {type ComparisonView, type PolytopesView, type PolytopeView, type Side, sideTitle} from './comparison-views.ts'
import type {Documents} from './documents.ts'
import {marksDiffer} from './documents-mark.ts'
import {encodeProject} from './encode.ts'
import type {ListSource} from './list-source.ts'
import type {LearnedResult, Stages} from './pipeline.ts'
import {polytopesView} from './polytope-tables.ts'
import type {Project} from './project.ts'
import {commandOf} from './same-as-command.ts'
import type {Slices} from './slices.ts'
import {nowNames, snapshotOf} from './snapshots.ts'
import type {GapPoint} from './solve-polytope.ts'
import type {SolverApi, SolverEvent, SolverHandle} from './solver.ts'
import {thresholdOf} from './state-view.ts'

export interface ComparisonTools {
  startSolver(emit: (event: SolverEvent) => void): SolverHandle
  readonly slices: Slices
  progress(event: SolverEvent): void
  /** The work is over. */
  done(): void
}

/** Each inside the one before. */
const POLYTOPES: readonly PolytopeName[] = ['simplex', 'local', 'cycle', 'marginal']

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
  readonly #tools: ComparisonTools
  #solver: SolverHandle | undefined
  /** The work under way. */
  #task: {isStopped: boolean} | undefined
  #crossed: ReadonlyMap<string, Crossing> | undefined
  #columns: {readonly learned: LearnedResult; readonly of: readonly PolytopeView[]} | undefined

  constructor(tools: ComparisonTools) {
    this.#tools = tools
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
    if (this.#task !== undefined) this.#task.isStopped = true
    this.#solver?.end()
    this.#solver = undefined
  }

  async compare(source: ListSource, stages: Stages, sides: readonly [Side, Side]): Promise<ComparisonView> {
    const task = this.#begin()
    try {
      const a = await this.#compared(source, stages, sides[0])
      const b = await this.#compared(source, stages, sides[1])
      const scores: [Scores, Scores] = [await this.#scores(task, source, a), await this.#scores(task, source, b)]
      const renamed = renames(a, b)
      const matches = matchConcepts(a.model, b.model, renamed)
      const marks = [a, b].map(({project}) => project.documents?.hash)
      const isSameDocuments = marks[0] === marks[1]
      const comparison = compareModels(a.model, b.model, {renamed, isSameDocuments, scores})
      const concepts = b.model.concepts.map(({name}) => [name, b.names.get(name) ?? name] as const)
      const crossings = crossedDocuments(matches, ...scores)
      this.#crossed = new Map(crossings.map(crossing => [concepts[crossing.match[1]][1], crossing]))
      const known = new Set(source.project.anchors.map(({concept}) => concept))
      const today = new Map(concepts.filter(([, name]) => known.has(name)))
      const titles = [sideTitle(sides[0]), sideTitle(sides[1])] as const
      const chart = comparisonChart(comparison, titles)
      return {
        titles,
        comparison,
        summary: summaryOf(comparison),
        notes: notesOf(source, sides),
        sections: sectionsOf(comparison, today),
        ...(chart && {chart})
      }
    } finally {
      this.#finish(task)
    }
  }

  /** The moments of the current rates over one polytope, with those of the same model before. */
  async polytope(source: ListSource, stages: Stages, polytope: PolytopeName): Promise<PolytopesView> {
    const learned = readyModel(source, stages)
    const column = await this.#polytope(source, learned, polytope)
    const known = this.#columns?.learned === learned ? this.#columns.of : []
    const of = [...known.filter(each => each.polytope !== polytope), column]
    this.#columns = {learned, of: POLYTOPES.flatMap(name => of.find(each => each.polytope === name) ?? [])}
    return polytopesView(this.#columns.of)
  }

  /** Stopped, what was proven by then. */
  async #polytope(source: ListSource, {model, encoded}: LearnedResult, polytope: PolytopeName): Promise<PolytopeView> {
    const {project} = source
    if (project.fit.solver === 'conditional-gradient') throw needsHighs(project, polytope)
    const history: GapPoint[] = []
    const task = this.#begin()
    const solver = this.#start(({point, ...event}) => {
      if (point !== undefined) history.push(point)
      this.#tools.progress(event)
    })
    try {
      const {counts, options} = encoded
      const solved = await solver.polytope({counts, noise: model.certificate.noise, options, polytope})
      return {polytope, ...solved}
    } catch (error) {
      if (!task.isStopped) throw error
      const last = history.at(-1)
      if (last === undefined) return {polytope, history, moved: []}
      const {objective, gap, seconds} = last
      const reached = {objective, gap, seconds, lowerBound: objective - gap, steps: history.length}
      return {polytope, certificate: {...reached, status: 'cancelled'}, history, moved: []}
    } finally {
      this.#finish(task)
    }
  }

  #begin(): {isStopped: boolean} {
    if (this.#task !== undefined)
      throw new AdfaError('bad-option', 'a comparison is under way; wait for it, or stop it first')
    this.#task = {isStopped: false}
    return this.#task
  }

  #start(emit: (event: SolverEvent) => void): SolverApi {
    this.#solver = this.#tools.startSolver(emit)
    return this.#solver.api
  }

  #finish(task: {isStopped: boolean}): void {
    if (this.#task === task) this.#task = undefined
    this.#solver?.end()
    this.#solver = undefined
    this.#tools.done()
  }

  async #compared(source: ListSource, stages: Stages, side: Side): Promise<Compared> {
    const {project, results} = source
    const own = new Map(project.anchors.map(({concept}) => [concept, concept]))
    if (side.kind === 'now') {
      const {model} = readyModel(source, stages)
      const {scored} = results
      const isScored = scored !== undefined && scored.learned === results.learned
      return {model, names: own, project, ...(isScored && {probabilities: scored.probabilities})}
    }
    if (side.kind === 'fit')
      return {model: await this.#learned(source, {...project, fit: side.fit}), names: own, project}
    const snapshot = snapshotOf(project, side.name)
    const model =
      snapshot.model === undefined
        ? await this.#learned(source, snapshot.project)
        : loadModel(snapshot.model, `the snapshot "${side.name}"`)
    return {model, names: nowNames(snapshot), project: snapshot.project}
  }

  /** The model of another project of the same documents. */
  async #learned({documents, project}: ListSource, other: Project): Promise<Model> {
    if (JSON.stringify(other.reading) !== JSON.stringify(project.reading))
      throw new AdfaError(
        'bad-option',
        'the snapshot has no model, and documents are now read in another way; change that back, or compare another snapshot'
      )
    const {counts, sample, sampleRows: rows, options} = encodeProject(documents, other, 0, undefined)
    const solver = this.#start(({words, share}) => this.#tools.progress({words, ...(share !== undefined && {share})}))
    const {model} = await solver.learnTask({counts, sample, rows, options})
    this.#solver?.end()
    return model
  }

  async #scores(task: {isStopped: boolean}, source: ListSource, side: Compared): Promise<Scores> {
    const {model} = side
    const conceptCount = model.concepts.length
    const about = {conceptCount, threshold: thresholdOf(model)}
    if (side.probabilities !== undefined) return {...about, probabilities: side.probabilities}
    const probabilities = await this.#probabilities(task, source.documents, model)
    return {...about, probabilities}
  }

  async #probabilities(task: {isStopped: boolean}, documents: Documents, model: Model): Promise<Float32Array> {
    const [inference, read] = [createInference(model), createEncoder(model.lexicon).encode]
    const {length} = model.concepts
    const probabilities = new Float32Array(documents.count * length)
    const stopIfCancelled = () => {
      if (task.isStopped) throw new AdfaError('cancelled', 'the comparison was stopped')
    }
    stopIfCancelled()
    await this.#tools.slices.each(
      documents.count,
      at => probabilities.set(inference.posterior(read(documents.row(at))).probabilities, at * length),
      done => {
        stopIfCancelled()
        this.#tools.progress({words: 'scoring documents', share: done / documents.count})
      }
    )
    return probabilities
  }
}

function readyModel({results: {learned}}: ListSource, {numbers}: Stages) {
  if (learned === undefined || numbers.is !== 'ready')
    throw new AdfaError('bad-option', 'the numbers are not ready; wait for the fit')
  return learned
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

const RULE =
  'A change is clear if the interval of the difference excludes 0; for that interval the two estimates count as independent.'
const CAUTIOUS =
  'Both models were learned from the same documents and have similar errors, so the rule is cautious: it may miss a small change.'

function notesOf({project}: ListSource, sides: readonly [Side, Side]): string[] {
  const others = sides.flatMap(side => {
    if (side.kind !== 'snapshot' || project.documents === undefined) return []
    const differs = marksDiffer(snapshotOf(project, side.name).project.documents, project.documents)
    return differs === undefined
      ? []
      : [`Snapshot ${side.name}: ${differs}. Documents that cross the threshold are those that are open now.`]
  })
  return [...others, others.length === 0 ? `${RULE} ${CAUTIOUS}` : RULE]
}

function needsHighs(project: Project, polytope: PolytopeName): AdfaError {
  const {structure: _, ...fit} = project.fit
  const {line} = commandOf({...project, fit: {...fit, polytope}}, project.documents?.files ?? [])
  return new AdfaError(
    'bad-option',
    `conditional gradient needs the solver HiGHS, which the studio does not have; learn the model with: ${line}`
  )
}
