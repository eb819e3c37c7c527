import {fit} from '../../../learn/fit.ts'
import type {Model} from '../../../learn/model/index.ts'
import type {Preset} from '../../../learn/presets.ts'
import {type EmOptions, refine, refineDefaults, runEm, weakenWords} from '../../../learn/training/index.ts'
import {countCorpus} from '../../../read/counts/index.ts'
import type {Corpus, CorpusDocument} from '../../../read/data/index.ts'
import {evaluate} from '../../../use/evaluation/index.ts'
import {lastTagSplit} from '../last-tag/last-tag-split.ts'
import type {Material} from '../material.ts'
import {rounded} from '../rounded.ts'
import {type ConceptWords, commonWords, meanKept} from './em-drift-words.ts'

/** Plain EM from two starts, and `refine`, which begins where `robust` does. */
export const driftPaths = ['paper', 'robust', 'refine'] as const
export type DriftPath = (typeof driftPaths)[number]

export type DriftCell = {readonly split: number; readonly seed: number; readonly path: DriftPath}

/** The model after so many steps, on held-out documents; null where no document could tell. */
export type DriftStep = {
  readonly step: number
  readonly lastTag: number | null
  readonly averagePrecision: number | null
  /** Lower bound of the log-likelihood of the training documents, nats a document; of `refine`, before words are weakened. */
  readonly bound: number | null
}

export type DriftResult = {
  readonly training: number
  readonly heldOut: number
  readonly concepts: number
  readonly leftOut: readonly string[]
  /** The start first. Those of `refine` go on beyond what it chose; its words have the strength that it chose. */
  readonly steps: readonly DriftStep[]
  /** Where the path is left, and the strength of the words there: the last step and 1 in plain EM. */
  readonly end: number
  readonly strength: number
  /** Anchors and prevalences, without words and network. */
  readonly anchorsOnly: {readonly lastTag: number | null; readonly averagePrecision: number | null}
  /** Of a concept's first ten words at the start, those that are still among its first ten at the end; mean. */
  readonly kept: number | null
  readonly words: readonly ConceptWords[]
}

/** The paper's nine. */
export const EM_STEPS = 9

/** Follow one path over the training documents of a split, asking each of its models about the held-out ones. */
export function measureDrift(material: Material, {seed, path}: DriftCell): DriftResult {
  const {training, heldOut, leftOut} = lastTagSplit(material, seed)
  const learn = (documents: readonly CorpusDocument[]) =>
    startOf({...training, documents}, path === 'paper' ? 'paper' : 'robust')
  const start = learn(training.documents)
  const {end, strength, options} = path === 'refine' ? choose(start, training, learn) : plain
  const {models, bounds} = follow(start, training, options)
  const steps = models.map((model, step): DriftStep => {
    const {lastTag, tagging} = evaluate(weakenWords(model, strength), heldOut)
    return {
      step,
      lastTag: rounded(lastTag.accuracy),
      averagePrecision: rounded(tagging.averagePrecision),
      bound: rounded(bounds[step])
    }
  })
  const anchors = evaluate(start, heldOut).baselines['anchors-only']
  const last = weakenWords(models[end], strength)
  return {
    training: training.documents.length,
    heldOut: heldOut.documents.length,
    concepts: start.concepts.length,
    leftOut,
    steps,
    end,
    strength,
    anchorsOnly: {
      lastTag: rounded(anchors.lastTag.accuracy),
      averagePrecision: rounded(anchors.tagging.averagePrecision)
    },
    kept: rounded(meanKept(start, last)),
    words: commonWords(start, last)
  }
}

interface Choice {
  readonly end: number
  readonly strength: number
  readonly options: Partial<EmOptions>
}

const plain: Choice = {end: EM_STEPS, strength: 1, options: {}}

/** How far `refine` goes, and how strong it leaves the words; no tag is looked at. */
function choose(start: Model, training: Corpus, startFrom: (documents: readonly CorpusDocument[]) => Model): Choice {
  const {steps, strength} = refine(start, training, {}, {startFrom})
  return {end: steps, strength, options: {startWeight: refineDefaults.startWeight}}
}

/** The rates stand in the lexicon. What words do is to be seen, so predictions are those of the noisy-or links. */
function startOf(training: Corpus, preset: Preset): Model {
  return fit(countCorpus(training), {preset, noise: 'given', words: 'noisy-or'})
}

function follow(start: Model, training: Corpus, options: Partial<EmOptions>) {
  const models: Model[] = []
  const measure = (model: Model) => models.push(model)
  const {trace} = runEm(start, training, {...options, steps: EM_STEPS}, {measure})
  return {models, bounds: trace.steps.map(({bound}) => bound)}
}
