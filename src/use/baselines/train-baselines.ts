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
  checkBaselineOptions,
  checkTraining,
  fitsNeeded,
  foldsFor,
  labelFault,
  progressOf,
  tasksOf,
  trainClassifiers,
  untrainedOf
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
  control: BaselineControl = {}
): Record<BaselineName, Baseline> {
  const checked = checkBaselineOptions('trainBaselines', options)
  checkTraining(corpus, concepts)
  const {rows, train, bothWays, step} = anchorTrainer(corpus, concepts, checked, control)
  const trainLoss = (loss: NoisyLoss) => train((observed, i) => noisyTarget(loss, observed, concepts[i]))

  const anchorLabel = trainLoss('anchor')
  const label = bothWays(anchorLabel)
  // Guessed labels cannot choose a ridge of their own.
  const {ridge} = anchorLabel.certificate
  // c of Elkan and Noto is P(A) / p: every anchored document counts as positive, false ones included.
  const rateOf = (rate: 'truePositive' | 'falsePositive' | 'prevalence') =>
    Float64Array.from(concepts, one => one[rate])
  const [truePositive, falsePositive, prevalence] = (['truePositive', 'falsePositive', 'prevalence'] as const).map(
    rateOf
  )
  const labelledShare = oneSidedRates({truePositive, falsePositive, prevalence}).truePositive
  const guessLabels: TargetOf = (observed, i, without) => {
    const {seed, tolerance, stepLimit} = checked
    const folds = foldsFor(observed, checked.folds)
    const options = {ridge, folds, seed, tolerance, stepLimit, without}
    const probabilities = crossFittedLogOdds(rows, observed, options).map(sigmoid)
    step()
    return noisyTarget('anchor', positiveUnlabelledLabels(observed, probabilities, labelledShare[i]), concepts[i])
  }
  const corrected = bothWays(train(guessLabels, {...checked, ridges: [ridge]}))
  const unbiased = bothWays(trainLoss('unbiased'))
  const weighted = bothWays(trainLoss('weighted'))
  const tags = imputeTags(unbiased.rule, corpus.documents, rng(checked.seed).stream('imputation'))
  throwIfCancelled(control.signal)
  const {tree, noisyOr} = modelsFromTags(corpus, tags, concepts)
  const named = <Name extends string>(name: Name, {plain, rule}: typeof label) =>
    ({[name]: plain, [`${name}-rule`]: rule}) as Record<Name | `${Name}-rule`, Baseline>
  return {
    ...named('anchor-label', label),
    ...named('positive-unlabelled', corrected),
    ...named('noise-unbiased', unbiased),
    ...named('noise-weighted', weighted),
    imputation: {...createPredictor(tree), certificate: {...unbiased.rule.certificate, noisyOr}}
  }
}

type TargetOf = (fired: Uint8Array, i: number, without: readonly number[]) => NoisyTarget

/** Trains one classifier per concept on targets made from its anchor; a concept whose anchor cannot be learned gets its prevalence. */
function anchorTrainer(
  corpus: Corpus,
  concepts: readonly Concept[],
  checked: BaselineOptions,
  control: BaselineControl
) {
  const rows = corpusRows(corpus)
  const n = corpus.lexicon.words.length
  const fired = concepts.map((_, i) => Uint8Array.from(corpus.documents, ({anchors}) => Number(anchors.includes(i))))
  const faults = concepts.map((one, i) => labelFault('its anchor fires', fired[i], 2) ?? anchorFault(one, fired[i]))
  const untrained = untrainedOf(concepts, faults)
  const prevalence = concepts.map(concept => concept.prevalence)
  const tasksBy = (targetOf: TargetOf) =>
    tasksOf(fired, {faults, prevalence, folds: checked.folds}, (observed, i) => {
      const without = [n + i]
      return {target: targetOf(observed, i, without), without}
    })
  const plain = tasksBy((observed, i) => noisyTarget('anchor', observed, concepts[i]))
  const total = 3 * fitsNeeded(plain, checked.ridges.length) + 2 * (concepts.length - untrained.length)
  const step = progressOf(total, control)
  const train = (targetOf: TargetOf, options = checked) => trainClassifiers(rows, tasksBy(targetOf), options, step)
  const bothWays = ({classifiers, certificate}: ReturnType<typeof trainClassifiers>) => {
    const scores = conceptScores(classifiers, n)
    const both = {classifiers: certificate, untrained}
    const plain = classifierBaseline(scores, prevalence, both)
    return {plain, rule: classifierBaseline(withAnchorRule(scores, concepts), prevalence, both)}
  }
  return {rows, train, bothWays, step}
}

/** Anchors and the network between concepts, without words: shows what the words of a model add. */
export function anchorsInNetwork(
  corpus: Pick<Corpus, 'lexicon'>,
  concepts: readonly Concept[],
  network: Network
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
