import {AdfaError, throwIfCancelled} from '../../base/checks/index.ts'
import {type Rng, rng} from '../../base/numeric/index.ts'
import type {Corpus, CorpusDocument} from '../../read/data/index.ts'
import {buildTables} from '../inference/index.ts'
import type {Model} from '../model/index.ts'
import {countCauses, emptyCauses, largestChange, startWorth, updateLoadings, worthPenalty} from './cause-counts.ts'
import {type EmTables, emptyDocument, emTables, readEvidence} from './em-document.ts'
import {checkEmOptions, type EmOptions} from './options.ts'
import {enumerateStates, STATE_LIMIT, stateSampler} from './sample-states.ts'

/** The parameters after so many steps, and how well they explain the documents. Figures are means per document, in nats. */
export interface TrainingStep {
  readonly step: number
  /** Lower bound of the log-likelihood; the log-likelihood itself when the E-step is exact. */
  readonly bound: number
  /** The bound minus that of the step before, and its standard error over the documents; 0 at the start. */
  readonly rise: number
  readonly riseError: number
  /** The penalty for leaving the start; 0 in plain EM. EM raises the bound minus the penalty. */
  readonly penalty: number
  /** The exact log-likelihood, where there are few enough concepts to sum over. */
  readonly logLikelihood: number | undefined
  /** The largest change of a failure or a leak in this step. */
  readonly change: number
  /** The result of `measure`. */
  readonly measured: number | undefined
}

export interface TrainingTrace {
  readonly eStep: 'exact' | 'gibbs'
  readonly documents: number
  /** The start first. */
  readonly steps: readonly TrainingStep[]
}

export interface EmControl {
  readonly signal?: AbortSignal
  readonly onProgress?: (progress: {readonly step: number; readonly steps: number}) => void
  /** Any figure of the model, such as accuracy on tagged documents; it is traced and decides nothing. */
  readonly measure?: (model: Model, step: number) => number
}

/**
 * EM for the words' failures and leaks (the supplement's Monte Carlo EM): P(Y) and the anchor rates stay as they are.
 *
 * A step reads every document once: states of its concepts (all, or drawn by Gibbs), then the expected counts of the
 * causes of its words, then new failures and leaks. Plain EM raises the likelihood and, on real text, lets concepts
 * drift away from their names (the paper's figure on degradation); use `refine` instead.
 * Cost: O(documents * words that occur * m * (burnIn + samples)) per step; memory O(m n + documents * m).
 */
export function runEm(
  model: Model,
  corpus: Pick<Corpus, 'documents'>,
  options: Partial<EmOptions> = {},
  control: EmControl = {}
): {readonly model: Model; readonly trace: TrainingTrace} {
  const checked = checkEmOptions(options)
  const {documents} = corpus
  checkDocuments(model, documents)
  const eStep = chooseEStep(model, checked)
  const random = rng(checked.seed).stream('em')
  const chains = documents.map(({anchors}) => chainStart(model, anchors))
  const worth = startWorth(model, documents.length, checked.startWeight)
  const steps: TrainingStep[] = []
  let current = model
  let bounds: Float64Array | undefined
  let change = 0
  for (let step = 0; ; step++) {
    throwIfCancelled(control.signal)
    const tables = emTables(current)
    const pass = readAll(tables, documents, {
      chains,
      eStep,
      options: checked,
      random: random.stream(String(step)),
      signal: control.signal
    })
    steps.push({
      step,
      ...boundFigures(pass.bounds, bounds),
      penalty: worthPenalty(worth, current.loadings) / documents.length,
      logLikelihood: eStep === 'exact' ? mean(pass.bounds) : exactLogLikelihood(tables, documents, checked),
      change,
      measured: control.measure?.(current, step)
    })
    control.onProgress?.({step, steps: checked.steps})
    if (step === checked.steps) return {model: current, trace: {eStep, documents: documents.length, steps}}
    const loadings = updateLoadings(pass.causes, tables, worth)
    change = largestChange(current.loadings, loadings)
    current = {...current, loadings}
    bounds = pass.bounds
  }
}

interface PassOptions extends Pick<TrainingTrace, 'eStep'> {
  readonly chains: readonly Uint8Array[]
  readonly options: EmOptions
  readonly random: Rng
  readonly signal: AbortSignal | undefined
}

/** One E-step over all documents, and the counts for the M-step. */
function readAll(tables: EmTables, documents: readonly CorpusDocument[], pass: PassOptions) {
  const drawStates = stateSampler(tables, pass.options)
  const document = emptyDocument(tables.conceptCount)
  const causes = emptyCauses(tables)
  const bounds = Float64Array.from(documents, (evidence, d) => {
    if (d % 256 === 0) throwIfCancelled(pass.signal)
    readEvidence(document, tables, evidence)
    const states =
      pass.eStep === 'exact' ? enumerateStates(document, tables) : drawStates(document, pass.chains[d], pass.random)
    countCauses(causes, tables, evidence.words, states)
    return states.bound
  })
  return {causes, bounds}
}

/** A chain starts at the concepts whose anchors fired. */
function chainStart({concepts}: Model, anchors: readonly number[]): Uint8Array {
  const y = new Uint8Array(concepts.length)
  for (const i of anchors) y[i] = 1
  return y
}

function chooseEStep({concepts: {length: m}}: Model, {eStep, exactLimit}: EmOptions): 'exact' | 'gibbs' {
  if (eStep === 'auto') return m <= exactLimit ? 'exact' : 'gibbs'
  if (eStep === 'exact' && m > STATE_LIMIT)
    throw new AdfaError(
      'bad-option',
      `runEm: \`eStep\` 'exact' sums over at most ${STATE_LIMIT} concepts; got ${m}; use 'gibbs'`,
      {details: {option: 'eStep'}}
    )
  return eStep
}

function exactLogLikelihood(
  tables: EmTables,
  documents: readonly CorpusDocument[],
  {exactLimit}: EmOptions
): number | undefined {
  if (tables.conceptCount > exactLimit) return undefined
  const document = emptyDocument(tables.conceptCount)
  return mean(
    Float64Array.from(documents, evidence => {
      readEvidence(document, tables, evidence)
      return enumerateStates(document, tables).bound
    })
  )
}

function boundFigures(bounds: Float64Array, before: Float64Array | undefined) {
  const bound = mean(bounds)
  if (before === undefined) return {bound, rise: 0, riseError: 0}
  const rises = bounds.map((value, d) => value - before[d])
  const rise = mean(rises)
  const square = rises.reduce((sum, value) => sum + (value - rise) ** 2, 0)
  return {bound, rise, riseError: Math.sqrt(square) / rises.length}
}

function mean(values: Float64Array): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length
}

/** Refuses a model that cannot be used, documents of another lexicon, and words that nothing in the model can explain. */
function checkDocuments(model: Model, documents: readonly CorpusDocument[]): void {
  buildTables(model)
  if (documents.length === 0)
    throw new AdfaError('bad-document', 'runEm: the corpus has no documents; give at least one document')
  const {conceptCount: m, wordCount: n, failure, leak} = model.loadings
  const explained = leak.map((l, j) => {
    let cause = l > 0
    for (let i = 0; i < m && !cause; i++) cause = failure[i * n + j] < 1
    return Number(cause)
  })
  for (const {key, words, anchors} of documents) {
    const strange = words.find(j => !(j < n)) ?? anchors.find(i => !(i < m))
    if (strange !== undefined)
      throw new AdfaError(
        'mismatch',
        `document "${key}" has word or anchor ${strange}, which the model does not know; read the documents with the model's own lexicon`
      )
    const alone = words.find(j => explained[j] === 0)
    if (alone !== undefined)
      throw new AdfaError(
        'bad-model',
        `document "${key}" has word "${model.lexicon.words[alone] ?? alone}", which no concept switches on and which has no leak; fit the model with a leak floor`
      )
  }
}
