import {throwIfCancelled} from '../../base/checks/index.ts'
import type {BayesNetwork} from '../../base/network/index.ts'
import {rng} from '../../base/numeric/index.ts'
import {type Classifier, corpusRows, crossFitted, type SparseRows} from '../../learn/classifier/index.ts'
import {type Concept, composeModel} from '../../learn/model/index.ts'
import {oneSidedRates} from '../../learn/noise/index.ts'
import type {Corpus} from '../../read/data/index.ts'
import {createPredictor} from '../prediction/index.ts'
import {type Baseline, classifierBaseline, conceptScores, withAnchorRule} from './baseline.ts'
import {checkTraining, foldsFor} from './check-training.ts'
import {imputeTags, modelsFromTags} from './models-from-tags.ts'
import {type NoisyLoss, noisyTarget, positiveUnlabelledLabels} from './noisy-labels.ts'
import {
  type BaselineControl,
  type BaselineOptions,
  checkBaselineOptions,
  fitsNeeded,
  type TrainingCertificate,
  trainClassifiers
} from './train-classifiers.ts'

export type BaselineName =
  | `${'anchor-label' | 'positive-unlabelled' | 'noise-unbiased' | 'noise-weighted'}${'' | '-rule'}`
  | 'imputation'

/**
 * The paper's comparisons and common alternatives, from documents, the anchors' rates and the prevalences, without tags.
 * Classifiers see the words and the anchors of the other concepts; those named `-rule` use the concept's own anchor alone
 * where it fired.
 *
 * - `anchor-label`: logistic regression with the anchor taken for the concept.
 * - `positive-unlabelled`: the same, corrected by {@link positiveUnlabelledLabels}, with its ridge.
 * - `noise-unbiased`, `noise-weighted`: the two losses of Natarajan et al. ({@link noisyTarget}).
 * - `imputation`: one draw of all tags from `noise-unbiased-rule`, whose log-odds are those of the concept, then
 *   {@link modelsFromTags}.
 */
export function trainBaselines(
  corpus: Corpus,
  concepts: readonly Concept[],
  options?: Partial<BaselineOptions>,
  {onProgress, signal}: BaselineControl = {}
): Record<BaselineName, Baseline> {
  const checked = checkBaselineOptions('trainBaselines', options)
  checkTraining(corpus, concepts)
  const rows = corpusRows(corpus)
  const n = corpus.lexicon.words.length
  const fired = firedAnchors(corpus)
  const folds = foldsFor(concepts, 'anchor fires', fired, checked.folds)
  const prevalence = concepts.map(concept => concept.prevalence)
  let done = 0
  const total = 3 * fitsNeeded(concepts.length, checked.ridges.length) + 2 * concepts.length
  const step = () => {
    throwIfCancelled(signal)
    onProgress?.(++done, total)
  }

  const train = (loss: NoisyLoss) => {
    const tasks = concepts.map((concept, i) => ({
      observed: fired[i],
      target: noisyTarget(loss, fired[i], concept),
      without: [n + i],
      folds: folds[i]
    }))
    return trainClassifiers(rows, tasks, checked, step)
  }
  const bothWays = ({classifiers, certificate}: Trained) => {
    const scores = conceptScores(classifiers, n)
    const plain = classifierBaseline(scores, prevalence, {classifiers: certificate})
    return {plain, rule: classifierBaseline(withAnchorRule(scores, concepts), prevalence, {classifiers: certificate})}
  }

  const anchorLabel = train('anchor')
  const label = bothWays(anchorLabel)
  const correct = {ridge: anchorLabel.certificate.ridge, folds, options: checked, wordCount: n, onFit: step}
  const corrected = bothWays(trainPositiveUnlabelled(rows, fired, concepts, correct))
  const unbiased = bothWays(train('unbiased'))
  const weighted = bothWays(train('weighted'))
  const tags = imputeTags(unbiased.rule, corpus.documents, rng(checked.seed).stream('imputation'))
  throwIfCancelled(signal)
  const {tree, noisyOr} = modelsFromTags(corpus, tags, concepts)
  return {
    'anchor-label': label.plain,
    'anchor-label-rule': label.rule,
    'positive-unlabelled': corrected.plain,
    'positive-unlabelled-rule': corrected.rule,
    'noise-unbiased': unbiased.plain,
    'noise-unbiased-rule': unbiased.rule,
    'noise-weighted': weighted.plain,
    'noise-weighted-rule': weighted.rule,
    imputation: {...createPredictor(tree), certificate: {...unbiased.rule.certificate, noisyOr}}
  }
}

/** Anchors and the network between concepts, without words: shows what the words of a model add. */
export function anchorsInNetwork(
  corpus: Pick<Corpus, 'lexicon'>,
  concepts: readonly Concept[],
  network: BayesNetwork
): Baseline {
  const {lexicon} = corpus
  const size = {conceptCount: concepts.length, wordCount: lexicon.words.length}
  const noWords = {
    ...size,
    failure: new Float64Array(size.conceptCount * size.wordCount).fill(1),
    leak: new Float64Array(size.wordCount)
  }
  const model = composeModel({concepts, network, loadings: noWords, lexicon, seed: 0, options: {}, certificate: {}})
  return {...createPredictor(model, {words: 'hidden'}), certificate: {}}
}

interface Trained {
  readonly classifiers: readonly Classifier[]
  readonly certificate: TrainingCertificate
}

interface Correction {
  /** Guessed labels cannot choose their own. */
  readonly ridge: number
  readonly folds: readonly number[]
  readonly options: BaselineOptions
  readonly wordCount: number
  readonly onFit: () => void
}

/** The share of labelled documents, c, is P(A) / p: every anchored document counts as positive, false ones included. */
function trainPositiveUnlabelled(
  rows: SparseRows,
  fired: readonly Uint8Array[],
  concepts: readonly Concept[],
  {ridge, folds, options, wordCount, onFit}: Correction
): Trained {
  const {seed, tolerance, stepLimit} = options
  const {truePositive: labelledShare} = oneSidedRates({
    truePositive: Float64Array.from(concepts, concept => concept.truePositive),
    falsePositive: Float64Array.from(concepts, concept => concept.falsePositive),
    prevalence: Float64Array.from(concepts, concept => concept.prevalence)
  })
  const tasks = fired.map((observed, i) => {
    const without = [wordCount + i]
    const {probabilities} = crossFitted(rows, observed, {ridge, folds: folds[i], seed, tolerance, stepLimit, without})
    onFit()
    const target = noisyTarget(
      'anchor',
      positiveUnlabelledLabels(observed, probabilities, labelledShare[i]),
      concepts[i]
    )
    return {observed, target, without, folds: folds[i]}
  })
  return trainClassifiers(rows, tasks, {...options, ridges: [ridge]}, onFit)
}

/** For each concept, 1 for the documents where its anchor fired. */
function firedAnchors({lexicon, documents}: Corpus): Uint8Array[] {
  const fired = lexicon.anchors.map(() => new Uint8Array(documents.length))
  for (const [d, {anchors}] of documents.entries()) for (const i of anchors) fired[i][d] = 1
  return fired
}
