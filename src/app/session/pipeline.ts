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
  | ({readonly is: 'computing'} & Progress)
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

interface Scored {
  readonly learned: LearnedResult
  /** The probability of concept i in document d: `probabilities[d * concepts + i]`. */
  readonly probabilities: Float32Array
}

/** What a project gave when it was followed to the end: undo and redo need no second fit. */
interface Fit extends Pick<Scored, 'probabilities'> {
  readonly examined: Examined
  readonly model: LearnedModel
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
type Halt = Extract<Stage, {is: 'none' | 'failed'}> | {readonly is: 'waits'; readonly words: string}

export type Pipeline = ReturnType<typeof createPipeline>

/** `documentsFor` gives documents as a project reads them, perhaps read again by the job; undefined where there are none. */
export function createPipeline(
  work: Work,
  documentsFor: (reading: Reading, job: Job) => Promise<Documents | undefined>,
  {changed, notice}: {changed(): void; notice(message: string): void}
) {
  let results: Results = {}
  let newest: Pick<Target, 'project' | 'revision'> | undefined
  let target: Target | undefined
  let halt: Halt | undefined = {is: 'none', needs: 'documents and an anchor'}
  /** The fit or the scoring that is under way. */
  let fitting: Progress | undefined
  const fits = new Map<string, Fit>()

  const keep = (more: Results) => {
    results = {...results, ...more}
    changed()
  }
  const tell = (event: Progress) => {
    fitting = event
    changed()
  }
  const end = (reason: Halt) => {
    halt = reason
    fitting = undefined
    changed()
  }
  /** Nothing follows. */
  const forget = (needs: string) => {
    results = {}
    end({is: 'none', needs})
  }
  const remember = (key: string, fit: Fit) => {
    fits.delete(key)
    fits.set(key, fit)
    let kept = [...fits.values()].reduce((sum, {probabilities}) => sum + probabilities.length, 0)
    for (const [name, {probabilities}] of fits) {
      if (kept <= MOST_KEPT || name === key) break
      fits.delete(name)
      kept -= probabilities.length
    }
  }

  const steps = async (job: Job, {project, revision, key, since, isAsked}: Target): Promise<void> => {
    // Edits of one moment are one edit.
    await job.value(work.wait(0))
    const documents = await job.value(documentsFor(project.reading, job))
    if (documents === undefined) return forget('documents')
    const hasVotes = (project.reading.votes ?? []).length > 0
    if (project.anchors.every(({any}) => any.length === 0) && !hasVotes) return forget('an anchor')
    // Results of other documents are about nothing that is there.
    if (results.encoded?.documents !== documents) results = {}
    const encoded = encodeProject(documents, project, revision, results.encoded)
    keep({encoded})
    const known = fits.get(key)
    if (known !== undefined) {
      // The same project as before, whose documents were counted again.
      remember(key, known)
      const learned = learnedResult(encoded, known.model)
      const {examined, probabilities} = known
      return keep({examined: {...examined, encoded}, learned, scored: {learned, probabilities}})
    }
    const isMany = hasManyConcepts(encoded.lexicon)
    if (isMany && !isAsked) return end({is: 'waits', words: MANY_WORDS})
    // The check alone takes long with many concepts.
    if (isMany) tell({words: 'checking anchors'})
    const {counts, sample, sampleRows: rows, options} = encoded
    const solver = job.solver(event => {
      if (fitting !== undefined) tell(event)
    })
    const examined = await job.value(solver.examine({counts, sample, rows, options}))
    keep({examined: {...examined, encoded}})
    tell({words: 'waiting for more edits'})
    await job.value(work.wait(Math.max(0, since + QUIET - work.now())))
    const {model, warnings} = await job.value(solver.learn())
    warnings.forEach(notice)
    const learned = learnedResult(encoded, model)
    const scoring = (share: number) => ({words: 'scoring documents', share})
    fitting = scoring(0)
    keep({learned})
    const probabilities = await probabilitiesOf(job, model, documents.count, learned.evidence, share =>
      tell(scoring(share))
    )
    fitting = undefined
    remember(key, {examined, model, probabilities})
    keep({scored: {learned, probabilities}})
  }

  /** Everything from counts to scores; the next edit stops it. */
  const follow = (next: Target) => {
    target = next
    halt = undefined
    fitting = undefined
    work
      .run('fit', job => steps(job, next))
      .catch((error: Error) => {
        // What was stopped has not failed.
        if (target !== next || halt !== undefined) return
        end({is: 'failed', message: error instanceof AdfaError ? error.message : `internal error: ${error.message}`})
      })
    changed()
  }

  return {
    get results() {
      return results
    },
    /** The newest project, which results may lag behind. */
    get newest() {
      return newest
    },
    /** Why no fit is under way though there are counts to learn from, in words. */
    get waits() {
      return halt?.is === 'waits' ? halt.words : undefined
    },
    get stages(): Stages {
      if (halt?.is === 'none') return {counts: halt, numbers: halt, scores: halt}
      const {encoded, examined, learned, scored} = results
      const isCounted = encoded !== undefined && encoded.revision === target?.revision
      const isOfNow = (of: Encoded | undefined) => isCounted && of === encoded
      const isProvisional = halt === undefined && (encoded?.counted !== undefined || isOfNow(examined?.encoded))
      const failed = halt?.is === 'failed' ? halt : undefined
      const left = (result: object | undefined, needs: string): Stage => {
        if (result !== undefined) return {is: 'old'}
        return halt === undefined ? {is: 'computing', words: 'waiting'} : {is: 'none', needs}
      }
      const numbers = failed ?? (isCounted && isProvisional ? {is: 'provisional' as const} : left(learned, 'a fit'))
      const scores = fitting ? {is: 'computing' as const, ...fitting} : left(scored, failed ? 'a model' : 'a fit')
      return {
        counts: isCounted ? {is: 'ready'} : (failed ?? left(halt && encoded, 'a count')),
        numbers: isOfNow(learned?.encoded) ? {is: 'ready'} : numbers,
        scores: isOfNow(scored?.learned.encoded) ? {is: 'ready'} : scores
      }
    },
    /** Forgets everything: other documents are opened. */
    clear(): void {
      work.stop('fit')
      fits.clear()
      target = undefined
      forget('documents and an anchor')
    },
    /** Follows a project; one that only has another name keeps what is there and what is under way. */
    set(project: Project, revision: number): void {
      newest = {project, revision}
      const key = resultsKey(project)
      if (target?.key === key && halt?.is !== 'waits') changed()
      else follow({project, revision, key, since: work.now(), isAsked: false})
    },
    /** Fits now, where a fit waits to be asked for. */
    fit(): void {
      if (target !== undefined && halt?.is === 'waits') follow({...target, since: -QUIET, isAsked: true})
    },
    /** Stops what runs; the last results stay. */
    cancel(): void {
      if (work.stop('fit')) end({is: 'waits', words: 'the fit was stopped'})
    }
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
