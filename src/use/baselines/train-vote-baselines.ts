import {clamp, log, logit} from '../../base/numeric/index.ts'
import {corpusRows} from '../../learn/classifier/index.ts'
import type {Concept} from '../../learn/model/index.ts'
import {classPrior, sourceVotes, type VoteGroup, voteGroups} from '../../learn/votes/index.ts'
import {type Corpus, exclusiveGroups, type Lexicon} from '../../read/data/index.ts'
import {
  type Baseline,
  type BaselineCertificate,
  type ClassifierCertificate,
  classifierBaseline,
  conceptScores
} from './baseline.ts'
import {noisyTarget} from './noisy-labels.ts'
import {
  type BaselineControl,
  type BaselineOptions,
  checkTraining,
  constantClassifier,
  fitsNeeded,
  labelFault,
  progressOf,
  trainClassifiers
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
  const checked = checkTraining('trainVoteBaselines', corpus, concepts, options)
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
  const groups = groupsOf(lexicon, concepts)
  if (groups.length === 0) return undefined
  return voteBaseline(
    groups.map(group => ({group, beliefsOf: votes => majority(votes, group.prior)})),
    concepts
  )
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
  const em: {readonly rounds: number; readonly change: number}[] = []
  const judges = groupsOf(lexicon, concepts).map((group): Judge => {
    const all = documents.map(({members}) => sourceVotes(group, members))
    const model = fit(group.atMostOne ? all : all.filter(({length}) => length > 0), group, group.prior)
    em.push({rounds: model.rounds, change: model.change})
    const beliefs = classBeliefs(model)
    return {group, beliefsOf: votes => (votes.length === 0 ? group.prior : beliefs(votes))}
  })
  return voteBaseline(judges, concepts, {em})
}

interface PriorGroup extends VoteGroup {
  readonly prior: Float64Array
}

/** P(class | votes) for the classes of a group. */
interface Judge {
  readonly group: VoteGroup
  readonly beliefsOf: (votes: readonly number[]) => Float64Array
}

/** All groups, also those of which at most one class holds, with the prior of their classes. */
function groupsOf({anchors}: Lexicon, concepts: readonly Concept[]): PriorGroup[] {
  const prevalence = concepts.map(concept => concept.prevalence)
  return voteGroups(anchors, exclusiveGroups(anchors)).map(group => ({...group, prior: classPrior(group, prevalence)}))
}

function voteBaseline(
  judges: readonly Judge[],
  concepts: readonly Concept[],
  certificate: BaselineCertificate = {}
): Baseline {
  const prevalence = concepts.map(concept => concept.prevalence)
  const scores = ({members}: {readonly members: readonly number[]}) => {
    const z = Float64Array.from(prevalence, finiteLogit)
    for (const {group, beliefsOf} of judges) {
      const beliefs = beliefsOf(sourceVotes(group, members))
      for (const [label, i] of group.concepts.entries()) z[i] = finiteLogit(beliefs[label])
    }
    return z
  }
  return classifierBaseline(scores, prevalence, certificate)
}

/** A class may be next to certain, but beliefs that differ stay different. */
function finiteLogit(p: number): number {
  return p > 0.5 ? -log(1 / clamp(p, 0, 1 - 1e-12) - 1) : logit(Math.max(p, 1e-300))
}

function regressionBaseline(
  {lexicon, documents}: Corpus,
  concepts: readonly Concept[],
  checked: BaselineOptions,
  control: BaselineControl
): Baseline {
  const n = lexicon.words.length
  const anchors = lexicon.anchors.map((_, i) => n + i)
  const classifiers = concepts.map(({prevalence}) => constantClassifier(prevalence, n + anchors.length))
  const certificates: ClassifierCertificate[] = []
  for (const group of groupsOf(lexicon, concepts)) {
    const labels = documents.map(({members}) => clearMajority(group, sourceVotes(group, members)))
    const clear = documents.filter((_, d) => labels[d] !== undefined)
    const known = labels.filter(label => label !== undefined)
    const tasks = group.concepts.map((i, at) => {
      const observed = Uint8Array.from(known, label => Number(label === at))
      const target = labelFault('it has the most votes', observed, 2) ?? noisyTarget('anchor', observed, concepts[i])
      return {concept: concepts[i], observed, target, without: anchors}
    })
    const rows = corpusRows({lexicon, documents: clear})
    const trained = trainClassifiers(rows, tasks, checked, progressOf(fitsNeeded(tasks, checked), control))
    for (const [at, i] of group.concepts.entries()) classifiers[i] = trained.classifiers[at]
    certificates.push(trained.certificate)
  }
  const prevalence = concepts.map(concept => concept.prevalence)
  return classifierBaseline(conceptScores(classifiers, n), prevalence, {
    ...certificates.at(-1),
    untrained: certificates.flatMap(({untrained}) => untrained)
  })
}

/** The class with more votes than any other. */
function clearMajority({concepts}: VoteGroup, votes: readonly number[]): number | undefined {
  const counts = concepts.map((_, label) => votes.filter((vote, at) => at % 2 === 1 && vote === label).length)
  const most = Math.max(...counts)
  return most > 0 && counts.indexOf(most) === counts.lastIndexOf(most) ? counts.indexOf(most) : undefined
}
