import {throwIfCancelled} from '../../base/checks/index.ts'
import type {Network} from '../../base/network/index.ts'
import {rng, sigmoid} from '../../base/numeric/index.ts'
import {corpusRows, crossFittedLogOdds} from '../../learn/classifier/index.ts'
import {type Concept, composeModel} from '../../learn/model/index.ts'
import {oneSidedRates} from '../../learn/noise/index.ts'
import type {Corpus} from '../../read/data/index.ts'
import {createPredictor} from '../prediction/index.ts'
import {type Baseline, classifierBaseline, conceptScores, withAnchorRule} from './baseline.ts'
import {imputeTags, modelsFromTags} from './models-from-tags.ts'
import {type NoisyLoss, type NoisyTarget, noisyTarget, positiveUnlabelledLabels} from './noisy-labels.ts'
import {
  anchorFault,
  type BaselineControl,
  type BaselineOptions,
  type ClassifierTask,
  checkTraining,
  fitsNeeded,
  foldsFor,
  labelFault,
  progressOf,
  STEP_LIMIT,
  trainClassifiers
} from './train-classifiers.ts'

export type BaselineName =
  | `${'anchor-label' | 'positive-unlabelled' | 'noise-unbiased' | 'noise-weighted'}${'' | '-rule'}`
  | 'imputation'

/**
 * The paper's comparisons and common alternatives, from documents, the anchors' rates and the prevalences, without tags.
 * Classifiers see the words and the anchors of the other concepts; those named `-rule` use the concept's own anchor alone
 * where it fired. A concept whose anchor cannot be learned gets its prevalence.
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
  control: BaselineControl = {}
): Record<BaselineName, Baseline> {
  const checked = checkTraining('trainBaselines', corpus, concepts, options)
  const rows = corpusRows(corpus)
  const n = corpus.lexicon.words.length
  const fired = concepts.map((_, i) => Uint8Array.from(corpus.documents, ({anchors}) => Number(anchors.includes(i))))
  const faults = concepts.map((one, i) => labelFault('its anchor fires', fired[i], 2) ?? anchorFault(one, fired[i]))
  const tasksBy = (targetOf: (i: number) => NoisyTarget): ClassifierTask[] =>
    concepts.map((concept, i) => ({concept, observed: fired[i], target: faults[i] ?? targetOf(i), without: [n + i]}))
  const byLoss = (loss: NoisyLoss) => tasksBy(i => noisyTarget(loss, fired[i], concepts[i]))
  const able = faults.filter(fault => fault === undefined).length
  const step = progressOf(3 * fitsNeeded(byLoss('anchor'), checked) + 2 * able, control)
  const train = (tasks: readonly ClassifierTask[], ridges = checked.ridges) =>
    trainClassifiers(rows, tasks, {...checked, ridges}, step)

  const label = train(byLoss('anchor'))
  // Guessed labels cannot choose a ridge of their own.
  const {ridge} = label.certificate.classifiers
  const corrected = train(tasksBy(guessedTarget), [ridge])
  const unbiased = bothWays(train(byLoss('unbiased')))
  const weighted = train(byLoss('weighted'))
  const tags = imputeTags(unbiased.rule, corpus.documents, rng(checked.seed).stream('imputation'))
  throwIfCancelled(control.signal)
  const {tree, noisyOr} = modelsFromTags(corpus, tags, concepts)
  return {
    ...named('anchor-label', bothWays(label)),
    ...named('positive-unlabelled', bothWays(corrected)),
    ...named('noise-unbiased', unbiased),
    ...named('noise-weighted', bothWays(weighted)),
    imputation: {...createPredictor(tree), certificate: {...unbiased.rule.certificate, noisyOr}}
  }

  function guessedTarget(i: number): NoisyTarget {
    const {seed, tolerance} = checked
    const options = {ridge, folds: foldsFor(fired[i]), seed, tolerance, stepLimit: STEP_LIMIT, without: [n + i]}
    const chances = crossFittedLogOdds(rows, fired[i], options).map(sigmoid)
    step()
    return noisyTarget('anchor', positiveUnlabelledLabels(fired[i], chances, labelledShares(concepts)[i]), concepts[i])
  }

  function bothWays({classifiers, certificate}: ReturnType<typeof trainClassifiers>) {
    const scores = conceptScores(classifiers, n)
    const prevalence = concepts.map(concept => concept.prevalence)
    return {
      plain: classifierBaseline(scores, prevalence, certificate),
      rule: classifierBaseline(withAnchorRule(scores, concepts), prevalence, certificate)
    }
  }
}

function named<Name extends string>(name: Name, {plain, rule}: {readonly plain: Baseline; readonly rule: Baseline}) {
  return {[name]: plain, [`${name}-rule`]: rule} as Record<Name | `${Name}-rule`, Baseline>
}

/** c of Elkan and Noto, P(A) / p: every anchored document counts as positive, false ones included. */
function labelledShares(concepts: readonly Concept[]): ArrayLike<number> {
  return oneSidedRates({
    truePositive: Float64Array.from(concepts, concept => concept.truePositive),
    falsePositive: Float64Array.from(concepts, concept => concept.falsePositive),
    prevalence: Float64Array.from(concepts, concept => concept.prevalence)
  }).truePositive
}

/** Anchors and the network between concepts, without words: shows what the words of a model add. */
export function anchorsInNetwork(
  {lexicon}: Pick<Corpus, 'lexicon'>,
  concepts: readonly Concept[],
  network: Network
): Baseline {
  const [conceptCount, wordCount] = [concepts.length, lexicon.words.length]
  const failure = new Float64Array(conceptCount * wordCount).fill(1)
  const loadings = {conceptCount, wordCount, failure, leak: new Float64Array(wordCount)}
  const model = composeModel({concepts, network, loadings, lexicon, seed: 0, options: {}, certificate: {}})
  return {...createPredictor(model, {words: 'hidden'}), certificate: {}}
}
