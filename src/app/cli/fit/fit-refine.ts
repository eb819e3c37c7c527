import {Option} from 'commander'
import {AdfaError} from '../../../base/checks/index.ts'
import {type FitControl, fit} from '../../../learn/fit.ts'
import type {Model} from '../../../learn/model/index.ts'
import {anchorsWithRates} from '../../../learn/model/index.ts'
import type {FitOptions, Preset} from '../../../learn/presets.ts'
import {type RefinementCertificate, type RefineProgress, refine} from '../../../learn/training/index.ts'
import {countCorpus} from '../../../read/counts/index.ts'
import {type Corpus, type CorpusDocument, withConcepts} from '../../../read/data/index.ts'
import type {Output} from '../output.ts'
import {counted, percent} from '../text.ts'

/** A model, and at `certificate.refinement` what refining it chose. */
export type Refined<M extends Model> = M & {readonly certificate: {readonly refinement: RefinementCertificate}}

export function refineOption(): Option {
  return new Option(
    '--refine',
    'read the documents again and let the words of the concepts follow them, as far as that foretells anchors of documents left out surely better'
  )
}

/** The documents to refine with; counts have none. */
export function documentsToRefine(documents: Corpus | undefined): Corpus {
  if (documents === undefined)
    throw new AdfaError(
      'bad-option',
      '--refine: refining reads the documents again, and counts do not hold them; give documents, not counts'
    )
  return documents
}

/**
 * The model with refined words, from the documents that were counted or a sample of them. Every fold starts from a fit of
 * the other documents with the rates of the model, so that no start has seen what it is to foretell.
 */
export function refineModel<M extends Model>(
  model: M,
  documents: Corpus,
  options: Partial<FitOptions> & {readonly preset: Preset; readonly seed: number},
  {clock, linearSolver, signal}: FitControl,
  output: Output
): Refined<M> {
  const lexicon = {...model.lexicon, anchors: anchorsWithRates(model)}
  const corpus = withConcepts(documents, lexicon)
  const learning = {...options, noise: 'given', words: 'noisy-or', skipBadAnchors: false} as const
  const control = {...(clock && {clock}), ...(linearSolver && {linearSolver}), ...(signal && {signal})}
  const startFrom = (others: readonly CorpusDocument[]) =>
    fit(countCorpus({lexicon, documents: others}), learning, control)
  const onProgress = (progress: RefineProgress) => output.progress(progressText(progress), progressShare(progress))
  const {seed} = options
  const refined = refine(model, corpus, {seed}, {startFrom, onProgress, ...(signal && {signal})}).model
  const {refinement} = refined.certificate
  output.note(refinementText(model, refinement))
  return {...model, loadings: refined.loadings, certificate: {...model.certificate, refinement}}
}

function progressText({fold, folds, step, steps}: RefineProgress): string {
  const part = fold < folds ? `part ${fold + 1} of ${folds} left out` : 'all documents'
  return `refining: ${part}, step ${step} of ${steps}`
}

function progressShare({fold, folds, step, steps}: RefineProgress): number {
  return (fold + step / (steps + 1)) / (folds + 1)
}

/** What was chosen, for people. */
function refinementText({wordModel}: Model, {steps, strength, documents, chosen}: RefinementCertificate): string {
  if (steps === 0 && strength === 1)
    return `refined: nothing tried on ${counted(documents, 'document')} foretold anchors surely better, so all words stay as they were`
  const changes = [
    ...(steps === 0 ? [] : [`followed ${counted(documents, 'document')} for ${counted(steps, 'step')}`]),
    ...(strength === 1 ? [] : [`count for ${percent(strength)} of what they did`])
  ]
  const {gain, gainError} = chosen
  const [middle, low, high] = [0, -2, 2].map(errors => percent(Math.exp(gain + errors * gainError) - 1))
  const predictions =
    wordModel.kind === 'noisy-or'
      ? ''
      : '\npredictions stay as they were: they come from words in log-odds; --words noisy-or predicts by the refined words'
  return `refined: words ${changes.join(' and ')}; by them the anchors of documents left out are ${middle} likelier than before (${low} to ${high})${predictions}`
}
