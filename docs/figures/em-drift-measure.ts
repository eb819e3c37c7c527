import {
  type CorpusDocument,
  emDefaults,
  evaluate,
  fit,
  type Model,
  type Preset,
  refine,
  refineDefaults,
  runEm,
  weakenWords
} from 'adfa'
import {countsOf, type DriftProblem} from './em-drift-data.ts'
import {type ConceptDrift, driftOf, wordsKept} from './em-drift-words.ts'

export const methods = ['EM, robust start', 'EM, paper start', 'refine'] as const
export type Method = (typeof methods)[number]

/** A model after so many steps. */
export interface DriftStep {
  readonly step: number
  /** Accuracy of the last tag, and macro average precision without known tags, of held-out documents. */
  readonly lastTag: number
  readonly averagePrecision: number
  /** Lower bound of the log-likelihood of the training documents, nats a document. */
  readonly bound: number
}

/** One split of one corpus. */
export interface DriftRun {
  readonly corpus: string
  readonly seed: number
  readonly documents: number
  readonly heldOut: number
  readonly concepts: number
  readonly words: number
  readonly paths: Readonly<Record<Method, readonly DriftStep[]>>
  /** What `refine` takes, and by how much it beats the start out of fold. */
  readonly chosen: {
    readonly step: number
    readonly strength: number
    readonly gain: number
    readonly gainError: number
  }
  /** Anchors and prevalences, without words and network. */
  readonly anchorsOnly: {readonly lastTag: number; readonly averagePrecision: number}
  /** Mean number of a concept's first ten words of the start that are still among its first ten. */
  readonly kept: Readonly<Record<Method, number>>
  readonly drift: readonly ConceptDrift[]
}

export function measureDrift(problem: DriftProblem, seed: number): DriftRun {
  const {corpus, training, heldOut} = problem
  const [robust, paper] = (['robust', 'paper'] as const).map(preset => startOf(problem, preset, training.documents))
  const startFrom = (documents: readonly CorpusDocument[]) => startOf(problem, 'robust', documents)
  const {steps, strength, scores} = refine(robust, training, {}, {startFrom})
  const chosen = scores.find(score => score.step === steps && score.strength === strength) ?? scores[0]
  const plain = follow(problem, robust)
  const printed = follow(problem, paper)
  const held = follow(problem, robust, {startWeight: refineDefaults.startWeight, strength})
  const refined = held.models[steps]
  const {lastTag, tagging} = evaluate(robust, heldOut).baselines['anchors-only']
  return {
    corpus,
    seed,
    documents: training.documents.length,
    heldOut: heldOut.documents.length,
    concepts: robust.latents.length,
    words: robust.lexicon.words.length,
    paths: {'EM, robust start': plain.path, 'EM, paper start': printed.path, refine: held.path},
    chosen: {step: steps, strength, gain: chosen.gain, gainError: chosen.gainError},
    anchorsOnly: {lastTag: lastTag.accuracy, averagePrecision: tagging.averagePrecision},
    kept: {
      'EM, robust start': wordsKept(robust, last(plain.models)),
      'EM, paper start': wordsKept(paper, last(printed.models)),
      refine: wordsKept(robust, refined)
    },
    drift: driftOf(robust, last(plain.models), refined)
  }
}

/** The rates stand in the lexicon. What words do is to be seen, so predictions are those of the noisy-or links. */
function startOf(problem: DriftProblem, preset: Preset, documents: readonly CorpusDocument[]): Model {
  return fit(countsOf(problem, documents), {preset, noise: 'given', channel: 'noisy-or'})
}

/** EM step by step; what is looked at has its words at `strength`. */
function follow({training, heldOut}: DriftProblem, start: Model, {startWeight = 0, strength = 1} = {}) {
  const models: Model[] = []
  const measure = (model: Model) => models.push(weakenWords(model, strength))
  const {trace} = runEm(start, training, {...emDefaults, startWeight}, {measure})
  const path = trace.steps.map(({step, bound}): DriftStep => {
    const {lastTag, tagging} = evaluate(models[step], heldOut)
    return {step, lastTag: lastTag.accuracy, averagePrecision: tagging.averagePrecision, bound}
  })
  return {models, path}
}

function last(models: readonly Model[]): Model {
  return models[models.length - 1]
}
