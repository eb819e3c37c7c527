/** What evaluations say in words, on every screen. */
import {counted, grouped, listed, nameList, percent} from '../../base/text/index.ts'
import type {Evaluation} from './evaluate.ts'
import type {Rival} from './figure-columns.ts'
import type {GroupFigures} from './group-figures.ts'
import type {TaggingFigures} from './tagging-figures.ts'

/** Of documents that a model was learned from. */
export function learnedNote(share: number): string {
  const which = share > 0.97 ? 'these are' : `about ${percent(share)} of these are`
  return `${which} documents that the model was learned from; evaluate on others, or take the figures as optimistic`
}

/** What to know when reading the figures. */
export function evaluationRemarks(evaluation: Evaluation): string[] {
  const {lastTag, tagging, tagLogLikelihood, tagLogLikelihoodError} = evaluation
  const {threshold} = tagging.atThreshold
  return [
    `F1: at a threshold of 0.5; *: at the threshold where each method, without any tag, expects the highest F1 (this model: ${threshold.toFixed(2)}).`,
    Number.isNaN(lastTag.standardError)
      ? ''
      : `Last tag: standard error ${lastTag.standardError.toFixed(3)}, from ${grouped(lastTag.documents)} documents; smaller differences may be due to chance.`,
    tagLogLikelihoodError === undefined
      ? ''
      : `log P(tags): the constant of this network is sampled, standard error ${tagLogLikelihoodError.toFixed(3)}.`,
    tagLogLikelihood === Number.NEGATIVE_INFINITY
      ? 'log P(tags) is -Infinity: the tags of at least one document contradict the model, such as several classes of a group of which one holds.'
      : '',
    tagging.saturated > 0 ? saturationText(tagging) : ''
  ].filter(text => text !== '')
}

export function saturationText({saturated}: TaggingFigures): string {
  if (saturated === 0) return 'No probability is exactly 0 or 1.'
  return `${percent(saturated)} of the probabilities are exactly 0 or 1: no further evidence could change them.`
}

/** "does better than this model in AUC and Brier", after the name of a rival. */
export function rivalText({columns, level}: Rival): string {
  const whom = columns.length === 0 ? 'this model' : 'it'
  return [
    ...(columns.length === 0 ? [] : [`does better than this model in ${listed(columns)}`]),
    ...(level.length === 0 ? [] : [`is level with ${whom}, within the standard error, in ${listed(level)}`])
  ].join(' and ')
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
  ['supervised', 'a classifier for each concept, given every true tag'],
  ['supervised-tree', 'those classifiers and a tree between the concepts, from true tags'],
  ['oracle-ml-tree', 'the same kind of model, fitted to true tags by maximum likelihood'],
  ['oracle-ml-independent', 'the same without edges between concepts']
])

/** What a method of an evaluation is; undefined where that is not known. */
export function methodText(name: string): string | undefined {
  const base = name.replace(/-rule$/, '')
  const meaning = METHODS.get(base)
  return meaning === undefined || base === name
    ? meaning
    : `${meaning}; where the anchor fires, the anchor alone decides`
}
