import {clamp, log, logit} from '../../base/numeric/index.ts'
import {type Classifier, corpusRows} from '../../learn/classifier/index.ts'
import type {Concept} from '../../learn/model/index.ts'
import {classPrior, sourceVotes, type VoteGroup, voteGroups} from '../../learn/votes/index.ts'
import {type Corpus, type Evidence, exclusiveGroups, type Lexicon} from '../../read/data/index.ts'
import {
  type Baseline,
  type BaselineCertificate,
  type ConceptScores,
  classifierBaseline,
  conceptScores
} from './baseline.ts'
import {noisyTarget} from './noisy-labels.ts'
import {
  type BaselineControl,
  type BaselineOptions,
  checkBaselineOptions,
  checkTraining,
  constantClassifier,
  fitsNeeded,
  labelFault,
  progressOf,
  tasksOf,
  trainClassifiers,
  untrainedOf
} from './train-classifiers.ts'
import {classBeliefs, fitAccuracies, fitDawidSkene, majority} from './vote-models.ts'

export type VoteBaselineName = 'majority-vote' | 'dawid-skene' | 'accuracy-model' | 'majority-regression'

/**
 * Common methods for votes on exclusive classes, from the members that fire, without tags. Concepts in no group get their
 * prevalence.
 *
 * - `majority-vote`: the class with the most votes; ties, and documents without votes, by the prevalences.
 * - `dawid-skene`, `accuracy-model`: {@link fitDawidSkene} and {@link fitAccuracies} on the training documents.
 * - `majority-regression`: logistic regression of each class on the words, with the class of the most votes as label, from documents
 *   in which one class has more votes than all others.
 *
 * Undefined where the lexicon has no exclusive group.
 */
export function trainVoteBaselines(
  corpus: Corpus,
  concepts: readonly Concept[],
  options?: Partial<BaselineOptions>,
  control: BaselineControl = {}
): Record<VoteBaselineName, Baseline> | undefined {
  const checked = checkBaselineOptions('trainVoteBaselines', options)
  checkTraining(corpus, concepts)
  const majorityVote = majorityBaseline(corpus.lexicon, concepts)
  if (majorityVote === undefined) return undefined
  return {
    'majority-vote': majorityVote,
    'dawid-skene': modelBaseline(corpus, concepts, fitDawidSkene),
    'accuracy-model': modelBaseline(corpus, concepts, fitAccuracies),
    'majority-regression': regressionBaseline(corpus, concepts, checked, control)
  }
}

/** `majority-vote`, which needs no training; undefined where the lexicon has no exclusive group. */
export function majorityBaseline(lexicon: Lexicon, concepts: readonly Concept[]): Baseline | undefined {
  const {groups, prevalence, balances} = voteGroupsOf(lexicon, concepts)
  if (groups.length === 0) return undefined
  return voteBaseline(groups, prevalence, (votes, at) => majority(votes, balances[at]), {})
}

/**
 * A baseline by a model of votes, from the documents with votes; where none of the classes may hold, from all. Without votes
 * the prevalences count.
 */
function modelBaseline(
  {lexicon, documents}: Corpus,
  concepts: readonly Concept[],
  fit: typeof fitDawidSkene
): Baseline {
  const {groups, prevalence, balances} = voteGroupsOf(lexicon, concepts)
  const models = groups.map((group, at) => {
    const all = documents.map(({members}) => sourceVotes(group, members))
    return fit(group.atMostOne ? all : all.filter(({length}) => length > 0), group, balances[at])
  })
  const beliefs = models.map(classBeliefs)
  const em = models.map(({rounds, change}) => ({rounds, change}))
  return voteBaseline(groups, prevalence, (votes, at) => (votes.length === 0 ? balances[at] : beliefs[at](votes)), {em})
}

/** All groups, those too of which at most one class holds, with the prior of their classes. */
function voteGroupsOf({anchors}: Lexicon, concepts: readonly Concept[]) {
  const groups = voteGroups(anchors, exclusiveGroups(anchors))
  const prevalence = concepts.map(concept => concept.prevalence)
  return {groups, prevalence, balances: groups.map(group => classPrior(group, prevalence))}
}

/** A baseline by the beliefs on the classes of each group. */
function voteBaseline(
  groups: readonly VoteGroup[],
  prevalence: readonly number[],
  beliefsOf: (votes: readonly number[], group: number) => Float64Array,
  certificate: BaselineCertificate
): Baseline {
  const base = Float64Array.from(prevalence, finiteLogit)
  const scores: ConceptScores = evidence => {
    const z = base.slice()
    groups.forEach((group, at) => {
      const beliefs = beliefsOf(sourceVotes(group, evidence.members), at)
      group.concepts.forEach((i, label) => {
        z[i] = finiteLogit(beliefs[label])
      })
    })
    return z
  }
  return classifierBaseline(scores, prevalence, certificate)
}

/** A class may be next to certain, but beliefs that differ stay different. */
function finiteLogit(p: number): number {
  return p > 0.5 ? -log(1 / clamp(p, 0, 1 - 1e-12) - 1) : logit(Math.max(p, 1e-300))
}

function regressionBaseline(
  corpus: Corpus,
  concepts: readonly Concept[],
  checked: BaselineOptions,
  control: BaselineControl
): Baseline {
  const {lexicon} = corpus
  const columnCount = lexicon.words.length + lexicon.anchors.length
  const {groups, prevalence} = voteGroupsOf(lexicon, concepts)
  const classifiers: Classifier[] = concepts.map(({prevalence: p}) => constantClassifier(finiteLogit(p), columnCount))
  const untrained: ReturnType<typeof untrainedOf> = []
  let certificate: BaselineCertificate = {}
  for (const group of groups) {
    const labelled = corpus.documents.flatMap(document => {
      const label = clearMajority(group, document)
      return label === undefined ? [] : [{document, label}]
    })
    const rows = corpusRows({lexicon, documents: labelled.map(({document}) => document)})
    const anchors = lexicon.anchors.map((_, i) => lexicon.words.length + i)
    const observed = group.concepts.map((_, at) => Uint8Array.from(labelled, ({label}) => Number(label === at)))
    const faults = observed.map(labels => labelFault('it has the most votes', labels, 2))
    const own = group.concepts.map(i => concepts[i])
    untrained.push(...untrainedOf(own, faults))
    const labelling = {faults, prevalence: own.map(concept => concept.prevalence), folds: checked.folds}
    const tasks = tasksOf(observed, labelling, (labels, at) => {
      return {target: noisyTarget('anchor', labels, own[at]), without: anchors}
    })
    const step = progressOf(fitsNeeded(tasks, checked.ridges.length), control)
    const trained = trainClassifiers(rows, tasks, checked, step)
    group.concepts.forEach((i, at) => {
      classifiers[i] = trained.classifiers[at]
    })
    certificate = {classifiers: trained.certificate}
  }
  return classifierBaseline(conceptScores(classifiers, lexicon.words.length), prevalence, {...certificate, untrained})
}

/** The class with more votes than any other. */
function clearMajority(group: VoteGroup, {members}: Evidence): number | undefined {
  const counts = group.concepts.map(() => 0)
  const votes = sourceVotes(group, members)
  for (let at = 1; at < votes.length; at += 2) counts[votes[at]]++
  const most = Math.max(...counts)
  const winners = [...counts.keys()].filter(label => counts[label] === most)
  return most > 0 && winners.length === 1 ? winners[0] : undefined
}
