/** What evaluations say in words, on every screen. */
import {counted, grouped, listed, nameList, percent} from '../../base/text/index.ts'
import type {Model} from '../../learn/model/index.ts'
import type {Evaluation, LabelsWorth, TaggingFigures} from './evaluation.ts'
import type {Rival} from './figure-columns.ts'
import type {GroupFigures} from './group-figures.ts'
import type {LabelEvaluation} from './label-evaluation.ts'
import type {ReliabilityBin} from './weighted-figures.ts'

/** Of documents that a model was learned from. */
export function learnedNote(share: number): string {
  const which = share > 0.97 ? 'these are' : `about ${percent(share)} of these are`
  return `${which} documents that the model was learned from, so the figures are optimistic; evaluate on other documents for fair ones`
}

/** What to know when reading the figures. */
export function evaluationRemarks(evaluation: Evaluation): string[] {
  const {tagging, tagLogLikelihood, tagLogLikelihoodError, level, labelsWorth} = evaluation
  const {threshold} = tagging.atThreshold
  return [
    labelsWorth === undefined ? '' : labelsWorthText(labelsWorth, level),
    `F1 is at a threshold of 0.5; F1* is by the rule of this model (${threshold === undefined ? 'without labels where the anchor fires or the score is very high' : `at ${threshold.toFixed(2)} or more`}), of other methods at the threshold where they expect their highest F1 without seeing any tag.`,
    `Intervals and differences are at the ${percent(level)} level, by resampling the documents; two methods are compared on the same resamples.`,
    tagLogLikelihoodError === undefined
      ? ''
      : `log P(tags): the normalising constant of this network is sampled, with a standard error of ${tagLogLikelihoodError.toFixed(3)}; the intervals include it.`,
    tagLogLikelihood === Number.NEGATIVE_INFINITY
      ? 'log P(tags) is -Infinity: the tags of at least one document are impossible under the model, such as several classes of a group in which exactly one holds.'
      : '',
    tagging.saturated > 0 ? saturationText(tagging) : ''
  ].filter(text => text !== '')
}

function labelsWorthText({value, low, high, least, most}: LabelsWorth, level: number): string {
  const amount = (labels: number, about = '') => {
    if (labels <= least) return `fewer than ${grouped(least)}`
    return labels >= most ? `more than all ${grouped(most)}` : `${about}${grouped(Number(labels.toPrecision(2)))}`
  }
  const interval = low === high ? '' : ` (${percent(level)} interval: ${amount(low)} to ${amount(high)})`
  return `In average precision this model is worth ${amount(value, 'about ')} labelled documents${interval}, by the learning curve of TF-IDF logistic regression ("supervised").`
}

/** A gap between probability and frequency below this is small. */
const LARGE_GAP = 0.1

/** Standard errors of a frequency within which a gap may be due to chance. */
const CHANCE = 3

/** Where probabilities are far too high, in a sentence; undefined where they are not, or where scores stand in for them. */
export function overconfidenceText({
  reliability,
  atThreshold
}: Pick<TaggingFigures, 'reliability' | 'atThreshold'>): string | undefined {
  if (atThreshold.threshold === undefined) return undefined
  const far = reliability.filter(({meanProbability, shareFound, count}) => {
    const error = Math.sqrt((meanProbability * (1 - meanProbability)) / count)
    return meanProbability - shareFound > Math.max(LARGE_GAP, CHANCE * error)
  })
  if (far.length === 0) return undefined
  const excess = (bin: ReliabilityBin) => bin.count * (bin.meanProbability - bin.shareFound)
  const worst = far.reduce((a, b) => (excess(b) > excess(a) ? b : a))
  return `The model is overconfident: of ${counted(worst.count, 'prediction')} at about ${percent(worst.meanProbability)}, only ${percent(worst.shareFound)} are right.`
}

export function saturationText({saturated}: TaggingFigures): string {
  if (saturated === 0) return 'No probability is exactly 0 or 1.'
  return `${percent(saturated)} of the probabilities are exactly 0 or 1, so no further evidence could change them.`
}

/** "does better than this model in AUC and Brier", after the name of a rival. */
export function rivalText({columns, level}: Rival): string {
  const unclear = `ahead in ${listed(level)} without a clear difference`
  if (columns.length === 0) return `is ${unclear}`
  return `does better than this model in ${listed(columns)}${level.length === 0 ? '' : `, and is ${unclear}`}`
}

/** What the accuracy of a group of exclusive concepts is of. */
export function groupText({classes, documents, leftOut}: GroupFigures): string {
  const left = leftOut > 0 ? `; left out: ${grouped(leftOut)} whose tags do not name one of them` : ''
  return `The most probable of ${nameList(classes, 8)} in ${counted(documents, 'document')}${left}`
}

const METHODS: ReadonlyMap<string, string> = new Map([
  ['this model', 'the model of this report'],
  ['noisy-or', 'the same model, predicting with the links that the concept cards show'],
  ['prior', 'predicts the prevalence of each concept for every document'],
  ['anchors-only', 'uses the anchor of each concept alone, without words or network'],
  ['anchors-network', 'uses the anchors and the network, without words'],
  ['independent', 'the same learner without edges between concepts'],
  ['anchor-label', 'a classifier for each concept that takes the anchor as its label'],
  ['positive-unlabelled', 'the same, corrected for documents that have the concept but not its anchor'],
  ['noise-unbiased', 'the same, corrected for the noise of the anchor in its loss'],
  ['noise-weighted', 'the same, corrected for the noise of the anchor by weights'],
  ['imputation', 'draws all tags once, then learns from them as if they were true'],
  ['oracle', 'the same learner, given every true tag'],
  ['supervised', 'TF-IDF logistic regression, given every true tag'],
  ['oracle-ml-tree', 'the same kind of model, fitted to true tags by maximum likelihood'],
  ['oracle-ml-independent', 'the same without edges between concepts']
])

/** What a method of an evaluation is; undefined where that is not known. */
export function methodText(name: string): string | undefined {
  const [, size] = /^supervised-(\d+)$/.exec(name) ?? []
  if (size !== undefined) return `TF-IDF logistic regression on ${grouped(Number(size))} labelled documents`
  const base = name.replace(/-rule$/, '')
  const meaning = METHODS.get(base)
  return meaning === undefined || base === name
    ? meaning
    : `${meaning}; where the anchor fires, the anchor alone decides`
}

/** Whether the figures are of documents that the model has learned from. */
export function labelsUsedText(
  {usedForRates, evaluated, labelled, shortAnswers}: LabelEvaluation,
  {certificate}: Pick<Model, 'certificate'>
): string {
  const {labelledCount = 0} = (certificate.noise ?? {}) as {labelledCount?: number}
  if (usedForRates === undefined)
    return `The rates of the model are from ${counted(labelledCount, 'labelled document')}, and it does not record which; if these are among them, the figures are optimistic.`
  if (usedForRates === 0) return 'The model was learned without these labels.'
  if (evaluated === 'others')
    return `The model was learned from ${counted(usedForRates, 'other document')} of the labels file, which are left out.`
  return `The rates of the model are from ${usedForRates} of these ${labelled + shortAnswers} labels, so the figures are optimistic.`
}
