/**
 * From a project to counts, findings, a model and the probabilities of all documents, one after the other. An edit waits for
 * counts and findings; it ends a fit that is under way, so that only the newest revision becomes ready.
 */
import {AdfaError} from '../../base/checks/index.ts'
import {createInference} from '../../learn/inference/index.ts'
import type {LearnedModel} from '../../learn/learn.ts'
import type {Model} from '../../learn/model/index.ts'
import {Encoder, type Evidence} from '../../read/data/index.ts'
import {type Project, resultsKey} from '../project/index.ts'
import type {Documents} from './documents.ts'
import {type Encoded, encodeProject, hasManyConcepts, MANY} from './encode.ts'
import {Job, type Work} from './job.ts'
import type {Examined, SolverHandle} from './solver.ts'
import type {Stage} from './views.ts'

/** Milliseconds without an edit before a fit begins. */
const QUIET = 800

const MANY_WORDS = `with more than ${MANY} concepts a fit can take minutes, so it waits until you ask for it`
const STOPPED_WORDS = 'the fit was stopped'

/** What a pass is to reach. */
interface Target {
  readonly project: Project
  readonly revision: number
  /** When it was set, in milliseconds. */
  readonly since: number
  /** Whether a fit was asked for: with many concepts it waits for that. */
  readonly isAsked: boolean
}

/** One way through all stages. */
class Pass extends Job {
  readonly target: Target
  /** Whether an edit may end it: a fit is under way. */
  isLong = false

  constructor(work: Work, target: Target) {
    super(work, STOPPED_WORDS)
    this.target = target
  }
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

export interface Stages {
  readonly counts: Stage
  readonly numbers: Stage
  readonly scores: Stage
}

/** Documents as the project reads them; undefined where there are none. */
type DocumentsFor = (project: Project) => Promise<Documents | undefined>

const NONE: Stage = {is: 'none', needs: 'documents and an anchor'}

export class Pipeline {
  readonly #work: Work
  readonly #documentsFor: DocumentsFor
  #results: Results = {}
  #stages: Stages = {counts: NONE, numbers: NONE, scores: NONE}
  #target: Target | undefined
  #pass: Pass | undefined
  #solver: SolverHandle | undefined
  #waits: string | undefined

  constructor(work: Work, documentsFor: DocumentsFor) {
    this.#work = work
    this.#documentsFor = documentsFor
  }

  get results(): Results {
    return this.#results
  }

  get stages(): Stages {
    return this.#stages
  }

  get target(): Target | undefined {
    return this.#target
  }

  /** Why no fit is under way though there are counts to learn from, in words. */
  get waits(): string | undefined {
    return this.#waits
  }

  /** Forget everything: other documents are opened. */
  clear(): void {
    this.#end()
    this.#waits = undefined
    this.#results = {}
    this.#set({counts: NONE, numbers: NONE, scores: NONE})
  }

  set(project: Project, revision: number): void {
    this.#begin({project, revision, since: this.#work.now(), isAsked: false})
  }

  /** Fit now, where a fit waits to be asked for. */
  fit(): void {
    if (this.#target !== undefined && this.#waits !== undefined)
      this.#begin({...this.#target, since: -QUIET, isAsked: true})
  }

  #begin(target: Target): void {
    const before = this.#target?.project
    this.#target = target
    this.#waits = undefined
    const isIdle = this.#pass === undefined
    const isReady = Object.values(this.#stages).every(({is}) => is === 'ready')
    if (isIdle && isReady && before !== undefined && resultsKey(before) === resultsKey(target.project)) {
      this.#work.changed()
      return
    }
    if (this.#pass?.isLong) this.#end()
    this.#set({
      counts: {is: 'computing', words: 'counting'},
      numbers: this.#results.learned ? {is: 'old'} : {is: 'computing', words: 'waiting'},
      scores: this.#results.scored ? {is: 'old'} : {is: 'computing', words: 'waiting'}
    })
    if (isIdle) void this.#run()
  }

  /** Stop what runs; the last results stay. */
  cancel(): void {
    if (this.#pass === undefined) return
    this.#end()
    const {encoded, learned, scored} = this.#results
    const left = (result: object | undefined, needs: string): Stage =>
      result === undefined ? {is: 'none', needs} : {is: 'old'}
    const isCounted = encoded !== undefined && encoded.revision === this.#target?.revision
    this.#waits = STOPPED_WORDS
    this.#set({
      counts: isCounted ? {is: 'ready'} : left(encoded, 'a count'),
      numbers: left(learned, 'a fit'),
      scores: left(scored, 'a fit')
    })
  }

  #end(): void {
    this.#pass?.stop()
    this.#solver?.end()
    this.#solver = undefined
  }

  /** Follow the newest project until nothing is left to do. */
  async #run(): Promise<void> {
    for (let done: Target | undefined; this.#target !== undefined && this.#target !== done; ) {
      const pass = new Pass(this.#work, this.#target)
      this.#pass = pass
      // Edits of one moment are one edit.
      await this.#work.wait(0)
      try {
        if (this.#target === pass.target) await this.#follow(pass)
      } catch (error) {
        if (!pass.isStopped) this.#fail(error)
      }
      done = pass.target
    }
    this.#pass = undefined
  }

  async #follow(pass: Pass): Promise<void> {
    const {project, revision, since} = pass.target
    const documents = await pass.value(this.#documentsFor(project))
    if (documents === undefined) return this.#forget('documents')
    const hasVotes = (project.reading.votes ?? []).length > 0
    if (project.anchors.every(({any}) => any.length === 0) && !hasVotes) return this.#forget('an anchor')
    // Results of other documents are about nothing that is there.
    if (this.#results.encoded?.documents !== documents) this.#results = {}
    const encoded = encodeProject(documents, project, revision, this.#results.encoded)
    const isRated = encoded.counted !== undefined
    this.#keep({encoded}, {counts: {is: 'ready'}, ...(isRated && {numbers: {is: 'provisional'}})}, pass)
    if (this.#target !== pass.target) return
    const isMany = hasManyConcepts(encoded.lexicon)
    if (isMany && !pass.target.isAsked) return this.#wait()
    // The check alone takes long with many concepts.
    pass.isLong = isMany
    if (isMany)
      this.#keep(
        {},
        {numbers: {is: 'computing', words: 'checking anchors'}, scores: {is: 'computing', words: 'waiting'}}
      )
    const examined = await this.#examine(pass, encoded)
    this.#keep({examined: {...examined, encoded}}, {numbers: {is: 'provisional'}}, pass)
    if (this.#target !== pass.target) return
    pass.isLong = true
    this.#keep({}, {scores: {is: 'computing', words: 'waiting for more edits'}})
    await pass.value(this.#work.wait(Math.max(0, since + QUIET - this.#work.now())))
    const learned = await this.#learn(pass, encoded)
    this.#keep({learned}, {numbers: {is: 'ready'}, scores: {is: 'computing', words: 'scoring documents', share: 0}})
    const scored = await this.#score(pass, learned)
    this.#keep({scored}, {scores: {is: 'ready'}})
  }

  async #examine(pass: Pass, encoded: Encoded): Promise<Examined> {
    const {counts, sample, sampleRows: rows, options} = encoded
    this.#solver ??= this.#work.startSolver(({words, share}) => {
      if (this.#pass?.isLong) this.#keep({}, {scores: {is: 'computing', words, ...(share !== undefined && {share})}})
    })
    return pass.value(this.#solver.api.examine({counts, sample, rows, options}))
  }

  async #learn(pass: Pass, encoded: Encoded): Promise<LearnedResult> {
    if (this.#solver === undefined) throw new Error('internal error: learn before examine')
    const {model, warnings} = await pass.value(this.#solver.api.learn())
    for (const warning of warnings) this.#work.notice(warning)
    // A fit may leave concepts out; then their words are read as other words are.
    const isWhole = model.lexicon.anchors.length === encoded.lexicon.anchors.length
    const reader = isWhole ? undefined : new Encoder(model.lexicon).encode
    const evidence = (at: number) => reader?.(encoded.documents.row(at)) ?? encoded.evidence(at)
    return {encoded, model, evidence}
  }

  async #score(pass: Pass, learned: LearnedResult): Promise<Scored> {
    const {model, evidence, encoded} = learned
    const probabilities = await probabilitiesOf(pass, model, encoded.documents.count, evidence, share =>
      this.#keep({}, {scores: {is: 'computing', words: 'scoring documents', share}})
    )
    return {learned, probabilities}
  }

  #fail(error: unknown): void {
    const message = error instanceof AdfaError ? error.message : `internal error: ${(error as Error).message}`
    const failed: Stage = {is: 'failed', message}
    const {scored} = this.#results
    const {counts} = this.#stages
    // Without counts there are no numbers either, and the reason is the same.
    this.#set({
      counts: counts.is === 'ready' ? counts : failed,
      numbers: failed,
      scores: scored ? {is: 'old'} : {is: 'none', needs: 'a model'}
    })
  }

  /** A fit waits until it is asked for; what is there is old. */
  #wait(): void {
    const {learned, scored} = this.#results
    const need: Stage = {is: 'none', needs: 'a fit'}
    this.#waits = MANY_WORDS
    this.#keep({}, {numbers: learned ? {is: 'old'} : need, scores: scored ? {is: 'old'} : need})
  }

  /** Nothing follows. */
  #forget(needs: string): void {
    this.#results = {}
    const none: Stage = {is: 'none', needs}
    this.#set({counts: none, numbers: none, scores: none})
  }

  /** Results of a pass that an edit has overtaken are kept, and its stages are not. */
  #keep(results: Partial<Results>, stages: Partial<Stages>, pass = this.#pass): void {
    this.#results = {...this.#results, ...results}
    this.#set(pass?.target === this.#target ? {...this.#stages, ...stages} : this.#stages)
  }

  #set(stages: Stages): void {
    this.#stages = stages
    this.#work.changed()
  }
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
