import {runEm} from '../../../src/learn/em.ts'
import {fit} from '../../../src/learn/fit.ts'
import {type Model, topWords} from '../../../src/learn/model/index.ts'
import type {Preset} from '../../../src/learn/options.ts'
import {countCorpus} from '../../../src/read/counts/index.ts'
import type {Corpus} from '../../../src/read/data/index.ts'
import {evaluate} from '../../../src/use/evaluation/index.ts'
import {type Run, rounded} from '../experiment.ts'
import type {Material} from '../material.ts'

import {predictionSplit} from '../split.ts'
import {differenceOf, spreadOf} from '../spread.ts'

/** The presets that EM starts from. */
export const driftPaths = ['paper', 'robust'] as const
export type DriftPath = (typeof driftPaths)[number]

export type DriftCell = {readonly split: number; readonly seed: number; readonly path: DriftPath}

/** The model after so many steps, on held-out documents; null where no document determines a figure. */
type DriftStep = {
  readonly step: number
  readonly lastTag: number | null
  readonly averagePrecision: number | null
  /** Lower bound of the log-likelihood of the training documents, nats per document. */
  readonly bound: number | null
}

export type DriftResult = {
  readonly training: number
  readonly heldOut: number
  readonly concepts: number
  readonly leftOut: readonly string[]
  /** The start first. */
  readonly steps: readonly DriftStep[]
  /** Anchors and prevalences, without words and network. */
  readonly anchorsOnly: {readonly lastTag: number | null; readonly averagePrecision: number | null}
  /** How many of a concept's first ten words at the start are among its first ten at the end; mean. */
  readonly kept: number | null
  readonly words: readonly ConceptWords[]
}

/** The paper's nine. */
export const EM_STEPS = 9

/** Follow one path over the training documents of a split, evaluating each of its models on the held-out ones. */
export async function measureDrift(material: Material, {seed, path}: DriftCell): Promise<DriftResult> {
  const {training, heldOut, leftOut} = predictionSplit(material, seed)
  const start = await startOf(training, path)
  const {models, bounds} = follow(start, training)
  const steps = models.map((model, step): DriftStep => {
    const {lastTag, tagging} = evaluate(model, heldOut)
    return {
      step,
      lastTag: rounded(lastTag.accuracy),
      averagePrecision: rounded(tagging.averagePrecision),
      bound: rounded(bounds[step])
    }
  })
  const anchors = evaluate(start, heldOut).baselines['anchors-only']
  const last = models[EM_STEPS]
  return {
    training: training.documents.length,
    heldOut: heldOut.documents.length,
    concepts: start.concepts.length,
    leftOut,
    steps,
    anchorsOnly: {
      lastTag: rounded(anchors.lastTag.accuracy),
      averagePrecision: rounded(anchors.tagging.averagePrecision)
    },
    kept: rounded(meanKept(start, last)),
    words: commonWords(start, last)
  }
}

/** The rates are in the lexicon. Predictions use the noisy-or links, since these are what EM changes. */
async function startOf(training: Corpus, preset: Preset): Promise<Model> {
  return fit(countCorpus(training), {preset, noise: 'given', words: 'noisy-or'})
}

function follow(start: Model, training: Corpus) {
  const models: Model[] = []
  const {bounds} = runEm(start, training, {steps: EM_STEPS}, {onStep: model => models.push(model)})
  return {models, bounds}
}

/** A concept's first words before and after. */
export type ConceptWords = {
  readonly concept: string
  /** How many of the first words are still among the first. */
  readonly kept: number
  readonly before: readonly string[]
  readonly after: readonly string[]
}

export const SHOWN_WORDS = 10
const COMMONEST = 20

/** The words of the most frequent concepts, the most frequent first: rare ones change by chance. */
function commonWords(start: Model, now: Model): ConceptWords[] {
  const order = start.concepts.map(({prevalence}, i) => ({i, prevalence})).sort((a, b) => b.prevalence - a.prevalence)
  return order.slice(0, COMMONEST).map(({i}) => wordsOf(start, now, i))
}

/** How many of a concept's first words stay among them, on average over all concepts. */
function meanKept(start: Model, now: Model): number {
  return start.concepts.reduce((sum, _, i) => sum + wordsOf(start, now, i).kept, 0) / start.concepts.length
}

/** The concept that loses most of its words, the first of equals: a rule, so that nothing is picked by hand. */
export function mostChanged(words: readonly ConceptWords[]): ConceptWords {
  const lost = ({before, kept}: ConceptWords) => before.length - kept
  return words.reduce((most, each) => (lost(each) > lost(most) ? each : most))
}

function wordsOf(start: Model, now: Model, i: number): ConceptWords {
  const [before, after] = [start, now].map(model => topWords(model, i, SHOWN_WORDS).map(({word}) => word))
  const kept = before.filter(word => after.includes(word)).length
  return {concept: start.concepts[i].name, kept, before, after}
}

export type DriftRun = Run<DriftCell, DriftResult>
export type DriftFigure = Exclude<keyof DriftStep, 'step'>

export const driftSteps: readonly number[] = Array.from({length: EM_STEPS + 1}, (_, step) => step)

export type DriftSummary = ReturnType<typeof summarizeDrift>

/** The results of all splits, path by path, in the order of the splits. */
export function summarizeDrift(runs: readonly DriftRun[]) {
  const ordered = runs.toSorted((a, b) => a.cell.split - b.cell.split)
  const results = (path: DriftPath) => ordered.filter(({cell}) => cell.path === path).map(({result}) => result)
  /** A figure after so many steps, for every split. */
  const values = (path: DriftPath, step: number, figure: DriftFigure) =>
    results(path).flatMap(({steps}) => steps[step][figure] ?? [])
  return {
    results,
    values,
    spread: (path: DriftPath, step: number, figure: DriftFigure) => spreadOf(values(path, step, figure)),
    /** Without words and network. */
    anchorsOnly: (figure: keyof DriftResult['anchorsOnly']) =>
      spreadOf(results('paper').flatMap(({anchorsOnly}) => anchorsOnly[figure] ?? [])),
    /** From the start to the last step. */
    change: (path: DriftPath, figure: DriftFigure) =>
      differenceOf(values(path, EM_STEPS, figure), values(path, 0, figure))
  }
}
