import {AdfaError, throwIfCancelled} from '../../base/checks/index.ts'
import {rng, shuffled} from '../../base/numeric/index.ts'
import type {Corpus, CorpusDocument} from '../../read/data/index.ts'
import type {Model} from '../model/index.ts'
import {anchorScores, type Candidate, chooseCandidate, compare, weakenWords} from './candidates.ts'
import {type Choice, checkRefineOptions, type EmOptions, type RefineOptions} from './options.ts'
import {type EmControl, runEm, type TrainingTrace} from './run-em.ts'

export interface RefineControl extends Pick<EmControl, 'signal'> {
  readonly onProgress?: (progress: RefineProgress) => void
  /**
   * Learns the start again from the given documents, with the same concepts and words. Without it every fold starts from
   * `model`, which has seen the held-out documents, and the comparison favours the start.
   */
  readonly startFrom?: (documents: readonly CorpusDocument[]) => Model | Promise<Model>
}

/** Each fold is held out in turn, from 0 on; the run on all documents, if there is one, counts as fold `folds`. */
export interface RefineProgress {
  readonly fold: number
  readonly folds: number
  readonly step: number
  readonly steps: number
}

/** How well held-out anchors are predicted after so many steps, with words of that strength. */
export interface RefineScore {
  readonly step: number
  readonly strength: number
  /** Mean over the documents of sum_i log P(A_i | other anchors, words), in nats, and its standard error. */
  readonly score: number
  readonly scoreError: number
  /** The score minus the start's, and its standard error over the documents. */
  readonly gain: number
  readonly gainError: number
}

/** The choice and its reasons, in the model at `certificate.refinement`; plain JSON. */
export interface RefinementCertificate {
  readonly steps: number
  readonly strength: number
  /** The number of documents read. */
  readonly documents: number
  /** Models compared, the start among them. */
  readonly candidates: number
  readonly start: RefineScore
  readonly chosen: RefineScore
  readonly seed: number
  readonly options: Omit<RefineOptions, 'seed'>
}

export interface Refinement {
  readonly model: Model & {readonly certificate: {readonly refinement: RefinementCertificate}}
  /** The choice; 0 steps at strength 1 is the start itself. */
  readonly steps: number
  readonly strength: number
  /** All candidates, the start first. */
  readonly scores: readonly RefineScore[]
  /** The run on all documents; undefined when no step is taken. */
  readonly trace: TrainingTrace | undefined
}

/**
 * Likelihood refinement that does not drift. The anchor rates and P(Y) stay; failures and leaks follow the likelihood,
 * held to the start as if it were seen in the documents that the moments are worth (`startWeight`).
 *
 * The number of steps and the strength of words are chosen without labels: how well does a model trained on the other
 * folds predict the anchors of a fold from all other evidence? See {@link chooseCandidate} for the rule. The choice is
 * then run on all documents. By that score it is never worse than its start.
 */
export async function refine(
  model: Model,
  corpus: Pick<Corpus, 'documents'>,
  options: Partial<RefineOptions> = {},
  control: RefineControl = {}
): Promise<Refinement> {
  const {documents} = corpus
  const {choice, em} = checkRefineOptions(options, documents.length)
  const {startFrom = () => model, onProgress, signal} = control
  const emControl = (fold: number): EmControl => ({
    ...(signal && {signal}),
    onProgress: progress => onProgress?.({fold, folds: choice.folds, ...progress})
  })
  const candidates = await scoreFolds(model, documents, {choice, em, startFrom, emControl})
  const winner = chooseCandidate(candidates, choice.standardErrors)
  const {step: steps, strength} = winner
  const run = steps === 0 ? undefined : runEm(model, corpus, {...em, steps}, emControl(choice.folds))
  const scores = candidates.map(candidate => {
    const {step, strength} = candidate
    return {step, strength, ...compare(candidate, candidates[0])}
  })
  const {seed, ...rest} = em
  const refinement: RefinementCertificate = {
    steps,
    strength,
    documents: documents.length,
    candidates: candidates.length,
    start: scores[0],
    chosen: scores[candidates.indexOf(winner)],
    seed,
    options: {...rest, ...choice}
  }
  const refined = {...weakenWords(run?.model ?? model, strength), certificate: {...model.certificate, refinement}}
  return {model: refined, steps, strength, scores, trace: run?.trace}
}

interface Plan {
  readonly choice: Choice
  readonly em: EmOptions
  readonly startFrom: (documents: readonly CorpusDocument[]) => Model | Promise<Model>
  readonly emControl: (fold: number) => EmControl
}

/** Every number of steps with every strength, the start first. */
async function scoreFolds(
  model: Model,
  documents: readonly CorpusDocument[],
  {choice: {folds, strengths}, em, startFrom, emControl}: Plan
): Promise<Candidate[]> {
  const fold = dealFolds(documents.length, folds, em.seed)
  const candidates = Array.from({length: em.steps + 1}, (_, step) =>
    [1, ...strengths].map(strength => ({step, strength, values: new Float64Array(documents.length)}))
  )
  for (let held = 0; held < folds; held++) {
    const places = [...documents.keys()].filter(d => fold[d] === held)
    const heldOut = places.map(d => documents[d])
    const control = emControl(held)
    const measure = (current: Model, step: number) => {
      for (const {strength, values} of candidates[step]) {
        throwIfCancelled(control.signal)
        const scores = anchorScores(weakenWords(current, strength), heldOut)
        places.forEach((d, at) => {
          values[d] = scores[at]
        })
      }
      return step
    }
    const others = documents.filter((_, d) => fold[d] !== held)
    const start = sameShape(await startFrom(others), model)
    runEm(start, {documents: others}, em, {...control, measure})
  }
  return candidates.flat()
}

function dealFolds(documents: number, folds: number, seed: number): Uint32Array {
  const fold = new Uint32Array(documents)
  shuffled([...fold.keys()], rng(seed).stream('refine folds')).forEach((d, at) => {
    fold[d] = at % folds
  })
  return fold
}

function sameShape(start: Model, model: Model): Model {
  const names = (of: Model) => of.concepts.map(({name}) => name).join('\n')
  if (names(start) === names(model) && start.loadings.wordCount === model.loadings.wordCount) return start
  throw new AdfaError(
    'mismatch',
    `refine: the start learned without a fold must have the model's ${model.concepts.length} concepts and ` +
      `${model.loadings.wordCount} words; got ${start.concepts.length} and ${start.loadings.wordCount}; ` +
      'fit it with the same lexicon and without skipping concepts'
  )
}
