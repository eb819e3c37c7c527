/**
 * From a project to counts, findings, a model and the probabilities of all documents, one after the other. An edit ends what is
 * under way, so that only the newest project becomes ready.
 */
import {AdfaError} from '../../base/checks/index.ts'
import {createInference} from '../../learn/inference/index.ts'
import type {LearnedModel} from '../../learn/learn.ts'
import type {Model} from '../../learn/model/index.ts'
import {Encoder, type Evidence} from '../../read/data/index.ts'
import type {Progress} from '../pipeline/index.ts'
import {type Project, type Reading, resultsKey} from '../project/index.ts'
import type {Documents} from './documents.ts'
import {type Encoded, encodeProject, hasManyConcepts, MANY} from './encode.ts'
import type {Examined} from './solver.ts'
import type {Job, Work} from './work.ts'

/** `old`: of an earlier revision; `provisional`: rates are guessed until the full fit; `none`: something is missing. */
export type Stage =
  | {readonly is: 'none'; readonly needs: string}
  | {readonly is: 'ready' | 'provisional' | 'old'}
  | {readonly is: 'computing'; readonly words: string; readonly share?: number}
  | {readonly is: 'failed'; readonly message: string}

export interface Stages {
  /** Documents of each concept: known a moment after an edit. */
  readonly counts: Stage
  /** Rates, prevalences, network and words. */
  readonly numbers: Stage
  /** Probabilities of all documents. */
  readonly scores: Stage
}

/** What is known by now; each part may be of an older revision than the one before. */
export interface Results {
  readonly encoded?: Encoded
  readonly examined?: Examined & {readonly encoded: Encoded}
  readonly learned?: LearnedResult
  readonly scored?: Scored
}

export interface LearnedResult {
  readonly encoded: Encoded
  readonly model: LearnedModel
  /** A document as the model reads it. */
  evidence(at: number): Evidence
}

export interface Scored {
  readonly learned: LearnedResult
  /** The probability of concept i in document d: `probabilities[d * concepts + i]`. */
  readonly probabilities: Float32Array
}

/** What a project gave when it was followed to the end: undo and redo need no second fit. */
interface Fit {
  readonly examined: Examined
  readonly model: LearnedModel
  readonly probabilities: Float32Array
}

/** Probabilities of all fits that are kept, 64 MB; the newest fit is kept whatever its size. */
const MOST_KEPT = 1 << 24

/** Milliseconds without an edit before a fit begins. */
const QUIET = 800

const MANY_WORDS = `with more than ${MANY} concepts a fit can take minutes, so it waits until you ask for it`

/** A project that is followed, from one edit that changes results to the next. */
interface Target {
  readonly project: Project
  /** The first revision with these results. */
  readonly revision: number
  readonly key: string
  /** When it was set, in milliseconds. */
  readonly since: number
  /** Whether a fit was asked for: with many concepts it waits for that. */
  readonly isAsked: boolean
}

/** Why nothing more is done: something is missing or wrong, or the fit waits until it is asked for. */
type Halt =
  | {readonly is: 'none'; readonly needs: string}
  | {readonly is: 'failed'; readonly message: string}
  | {readonly is: 'waits'; readonly words: string}

/** Documents as a project reads them, perhaps read again by the job; undefined where there are none. */
type DocumentsFor = (reading: Reading, job: Job) => Promise<Documents | undefined>

export class Pipeline {
  readonly #work: Work
  readonly #documentsFor: DocumentsFor
  #results: Results = {}
  #newest: {readonly project: Project; readonly revision: number} | undefined
  #target: Target | undefined
  #halt: Halt | undefined = {is: 'none', needs: 'documents and an anchor'}
  /** The fit or the scoring that is under way. */
  #fitting: Progress | undefined
  readonly #fits = new Map<string, Fit>()

  constructor(work: Work, documentsFor: DocumentsFor) {
    this.#work = work
    this.#documentsFor = documentsFor
  }

  get results(): Results {
    return this.#results
  }

  /** The newest project, which results may lag behind. */
  get newest(): {readonly project: Project; readonly revision: number} | undefined {
    return this.#newest
  }

  /** Why no fit is under way though there are counts to learn from, in words. */
  get waits(): string | undefined {
    return this.#halt?.is === 'waits' ? this.#halt.words : undefined
  }

  get stages(): Stages {
    const {encoded, examined, learned, scored} = this.#results
    const halt = this.#halt
    if (halt?.is === 'none') return {counts: halt, numbers: halt, scores: halt}
    const isCounted = encoded !== undefined && encoded.revision === this.#target?.revision
    const isOfNow = (of: Encoded | undefined) => isCounted && of === encoded
    const isProvisional = halt === undefined && (encoded?.counted !== undefined || isOfNow(examined?.encoded))
    const failed = halt?.is === 'failed' ? halt : undefined
    const left = (result: object | undefined, needs: string): Stage => {
      if (result !== undefined) return {is: 'old'}
      return halt === undefined ? {is: 'computing', words: 'waiting'} : {is: 'none', needs}
    }
    const counts: Stage = isCounted ? {is: 'ready'} : (failed ?? left(halt && encoded, 'a count'))
    const numbers = failed ?? (isCounted && isProvisional ? {is: 'provisional' as const} : left(learned, 'a fit'))
    const scores = this.#fitting
      ? {is: 'computing' as const, ...this.#fitting}
      : left(scored, failed ? 'a model' : 'a fit')
    return {
      counts,
      numbers: isOfNow(learned?.encoded) ? {is: 'ready'} : numbers,
      scores: isOfNow(scored?.learned.encoded) ? {is: 'ready'} : scores
    }
  }

  /** Forgets everything: other documents are opened. */
  clear(): void {
    this.#work.stop('fit')
    this.#fits.clear()
    this.#target = undefined
    this.#forget('documents and an anchor')
  }

  /** Follows a project; one that only has another name keeps what is there and what is under way. */
  set(project: Project, revision: number): void {
    this.#newest = {project, revision}
    const key = resultsKey(project)
    if (this.#target?.key === key && this.#halt?.is !== 'waits') this.#work.changed()
    else this.#follow({project, revision, key, since: this.#work.now(), isAsked: false})
  }

  /** Fits now, where a fit waits to be asked for. */
  fit(): void {
    if (this.#target !== undefined && this.waits !== undefined)
      this.#follow({...this.#target, since: -QUIET, isAsked: true})
  }

  /** Stops what runs; the last results stay. */
  cancel(): void {
    if (this.#work.stop('fit')) this.#end({is: 'waits', words: 'the fit was stopped'})
  }

  /** Everything from counts to scores; the next edit stops it. */
  #follow(target: Target): void {
    // Before anything is shown: what is computed for this target alone is marked as such.
    this.#target = target
    this.#halt = undefined
    this.#fitting = undefined
    this.#work
      .run('fit', job => this.#steps(job, target))
      .catch((error: Error) => {
        // What was stopped has not failed.
        if (this.#target !== target || this.#halt !== undefined) return
        this.#end({
          is: 'failed',
          message: error instanceof AdfaError ? error.message : `internal error: ${error.message}`
        })
      })
    this.#work.changed()
  }

  async #steps(job: Job, {project, revision, key, since, isAsked}: Target): Promise<void> {
    // Edits of one moment are one edit.
    await job.value(this.#work.wait(0))
    const documents = await job.value(this.#documentsFor(project.reading, job))
    if (documents === undefined) return this.#forget('documents')
    const hasVotes = (project.reading.votes ?? []).length > 0
    if (project.anchors.every(({any}) => any.length === 0) && !hasVotes) return this.#forget('an anchor')
    // Results of other documents are about nothing that is there.
    if (this.#results.encoded?.documents !== documents) this.#results = {}
    const encoded = encodeProject(documents, project, revision, this.#results.encoded)
    this.#keep({encoded})
    const known = this.#fits.get(key)
    if (known !== undefined) return this.#restore(key, known, encoded)
    const isMany = hasManyConcepts(encoded.lexicon)
    if (isMany && !isAsked) return this.#end({is: 'waits', words: MANY_WORDS})
    // The check alone takes long with many concepts.
    if (isMany) this.#tell({words: 'checking anchors'})
    const {counts, sample, sampleRows: rows, options} = encoded
    const solver = job.solver(event => {
      if (this.#fitting !== undefined) this.#tell(event)
    })
    const examined = await job.value(solver.examine({counts, sample, rows, options}))
    this.#keep({examined: {...examined, encoded}})
    this.#tell({words: 'waiting for more edits'})
    await job.value(this.#work.wait(Math.max(0, since + QUIET - this.#work.now())))
    const {model, warnings} = await job.value(solver.learn())
    for (const warning of warnings) this.#work.notice(warning)
    const learned = learnedResult(encoded, model)
    this.#fitting = {words: 'scoring documents', share: 0}
    this.#keep({learned})
    const probabilities = await probabilitiesOf(job, model, documents.count, learned.evidence, share =>
      this.#tell({words: 'scoring documents', share})
    )
    this.#fitting = undefined
    this.#remember(key, {examined, model, probabilities})
    this.#keep({scored: {learned, probabilities}})
  }

  /** Results of the same project as before, whose documents were counted again. */
  #restore(key: string, fit: Fit, encoded: Encoded): void {
    this.#remember(key, fit)
    const learned = learnedResult(encoded, fit.model)
    const scored = {learned, probabilities: fit.probabilities}
    this.#keep({examined: {...fit.examined, encoded}, learned, scored})
  }

  #remember(key: string, fit: Fit): void {
    this.#fits.delete(key)
    this.#fits.set(key, fit)
    const sizes = Array.from(this.#fits, ([name, {probabilities}]) => ({name, size: probabilities.length}))
    let kept = sizes.reduce((sum, {size}) => sum + size, 0)
    for (const {name, size} of sizes.slice(0, -1)) {
      if (kept <= MOST_KEPT) break
      this.#fits.delete(name)
      kept -= size
    }
  }

  /** Nothing follows. */
  #forget(needs: string): void {
    this.#results = {}
    this.#end({is: 'none', needs})
  }

  #end(halt: Halt): void {
    this.#halt = halt
    this.#fitting = undefined
    this.#work.changed()
  }

  #keep(results: Partial<Results>): void {
    this.#results = {...this.#results, ...results}
    this.#work.changed()
  }

  #tell({words, share}: Progress): void {
    this.#fitting = {words, ...(share !== undefined && {share})}
    this.#work.changed()
  }
}

function learnedResult(encoded: Encoded, model: LearnedModel): LearnedResult {
  // A fit may leave concepts out; then their words are read as other words are.
  const isWhole = model.lexicon.anchors.length === encoded.lexicon.anchors.length
  const reader = isWhole ? undefined : new Encoder(model.lexicon).encode
  return {encoded, model, evidence: at => reader?.(encoded.documents.row(at)) ?? encoded.evidence(at)}
}

/** The probability of concept i in each document d below `count`, at `d * concepts + i`. */
export async function probabilitiesOf(
  job: Job,
  model: Model,
  count: number,
  evidence: (at: number) => Evidence,
  progress: (share: number) => void
): Promise<Float32Array> {
  const inference = createInference(model)
  const {length} = model.concepts
  const probabilities = new Float32Array(count * length)
  await job.each(count, at => probabilities.set(inference.posterior(evidence(at)).probabilities, at * length), progress)
  return probabilities
}
