import type {Corpus, CorpusDocument} from '../data/index.ts'
import type {Model} from '../model/index.ts'
import {AdfaError, rng, shuffled, throwIfCancelled, withDefaults} from '../numeric/index.ts'
import {anchorScores} from './anchor-score.ts'
import {type Candidate, chooseCandidate, compare} from './choose-candidate.ts'
import {type EmOptions, emDefaults} from './em-options.ts'
import {type EmControl, runEm, type TrainingTrace} from './run-em.ts'
import {weakenWords} from './weaken-words.ts'

/** `steps` is the most that is tried; `startWeight` is above 0, unlike in plain EM. */
export interface RefineOptions extends EmOptions, Choice {}

interface Choice {
  /** Parts that the documents are dealt into; each is foretold by a model trained on the others. */
  readonly folds: number
  /** How much words say, compared with the model as it is: the factors to try besides 1, each in (0, 1). */
  readonly strengths: readonly number[]
  /** What is chosen must beat the start by so many standard errors of the difference. */
  readonly standardErrors: number
}

export const refineDefaults: RefineOptions = {
  ...emDefaults,
  steps: 2,
  startWeight: 2,
  folds: 3,
  strengths: [0.7, 0.5, 0.35, 0.25],
  standardErrors: 1
}

export interface RefineControl extends Pick<EmControl, 'signal' | 'onProgress'> {
  /**
   * Learns the start again from the documents given, with the same concepts and words. Without it every fold starts from
   * `model`, which has seen the documents that it is to foretell, and the comparison leans to the start.
   */
  readonly startFrom?: (documents: readonly CorpusDocument[]) => Model
}

/** How well the anchors of documents out of fold are foretold after so many steps, with words of that strength. */
export interface RefineScore {
  readonly step: number
  readonly strength: number
  /** Mean over the documents of sum_i log P(A_i | other anchors, words), in nats. */
  readonly score: number
  /** The score less the start's, and its standard error over the documents. */
  readonly gain: number
  readonly gainError: number
}

export interface Refinement {
  readonly model: Model
  /** What was chosen; 0 steps at strength 1 is the start itself. */
  readonly steps: number
  readonly strength: number
  /** All that was tried, the start first. */
  readonly scores: readonly RefineScore[]
  /** The run on all documents; undefined when no step is taken. */
  readonly trace: TrainingTrace | undefined
}

/**
 * Likelihood refinement that does not drift. The anchor channel and P(Y) stay; failures and leaks follow the likelihood,
 * held to the start as if it were seen in the documents that the moments are worth (`startWeight`).
 *
 * How far to go, and how much words may say, is decided without labels: trained on the other folds, how well does a model
 * foretell the anchors of a fold from all other evidence? See {@link chooseCandidate} for the rule. What is chosen is run
 * on all documents. By that score it is never worse than its start.
 */
export function refine(
  model: Model,
  corpus: Pick<Corpus, 'documents'>,
  options: Partial<RefineOptions> = {},
  control: RefineControl = {}
): Refinement {
  const {choice, em} = checkRefineOptions(options, corpus.documents.length)
  const {startFrom = () => model, ...emControl} = control
  const candidates = scoreFolds(model, corpus.documents, {choice, em, startFrom, emControl})
  const {step, strength} = chooseCandidate(candidates, choice.standardErrors)
  const run = step === 0 ? undefined : runEm(model, corpus, {...em, steps: step}, emControl)
  const scores = candidates.map(candidate => ({
    step: candidate.step,
    strength: candidate.strength,
    ...compare(candidate, candidates[0])
  }))
  return {model: weakenWords(run?.model ?? model, strength), steps: step, strength, scores, trace: run?.trace}
}

interface Plan {
  readonly choice: Choice
  readonly em: EmOptions
  readonly startFrom: (documents: readonly CorpusDocument[]) => Model
  readonly emControl: EmControl
}

/** Every number of steps with every strength, the start first. */
function scoreFolds(
  model: Model,
  documents: readonly CorpusDocument[],
  {choice: {folds, strengths}, em, startFrom, emControl}: Plan
): Candidate[] {
  const fold = dealFolds(documents.length, folds, em.seed)
  const candidates = Array.from({length: em.steps + 1}, (_, step) =>
    [1, ...strengths].map(strength => ({step, strength, values: new Float64Array(documents.length)}))
  )
  for (let held = 0; held < folds; held++) {
    const places = [...documents.keys()].filter(d => fold[d] === held)
    const heldOut = places.map(d => documents[d])
    const measure = (current: Model, step: number) => {
      for (const {strength, values} of candidates[step]) {
        throwIfCancelled(emControl.signal)
        const scores = anchorScores(weakenWords(current, strength), heldOut)
        places.forEach((d, at) => {
          values[d] = scores[at]
        })
      }
      return step
    }
    const others = documents.filter((_, d) => fold[d] !== held)
    const start = sameShape(startFrom(others), model)
    runEm(start, {documents: others}, em, {...emControl, measure})
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
  const names = (of: Model) => of.latents.map(({name}) => name).join('\n')
  if (names(start) === names(model) && start.loadings.wordCount === model.loadings.wordCount) return start
  throw new AdfaError(
    'mismatch',
    `refine: the start learned without a fold must have the model's ${model.latents.length} concepts and ` +
      `${model.loadings.wordCount} words; got ${start.latents.length} and ${start.loadings.wordCount}; ` +
      'fit it with the same lexicon and without skipping concepts'
  )
}

/** The options apart: those that choose, and those of EM, which `runEm` checks. */
function checkRefineOptions(options: Partial<RefineOptions>, documents: number): {choice: Choice; em: EmOptions} {
  const {folds, strengths, standardErrors, ...em} = withDefaults('refine', refineDefaults, options)
  const refuse = (name: string, rule: string, value: unknown) =>
    new AdfaError('bad-option', `refine option "${name}" must be ${rule}; got ${String(value)}`)
  if (!(Number.isSafeInteger(folds) && folds >= 2 && folds <= documents))
    throw refuse('folds', `a whole number from 2 to the number of documents (${documents})`, folds)
  if (!strengths.every(strength => strength > 0 && strength < 1))
    throw refuse('strengths', 'numbers above 0 and below 1', strengths)
  if (!(standardErrors >= 0)) throw refuse('standardErrors', 'a number from 0 on', standardErrors)
  return {choice: {folds, strengths, standardErrors}, em}
}
