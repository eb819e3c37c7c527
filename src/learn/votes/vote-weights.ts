import {exp, log, logit, normalised} from '../../base/numeric/index.ts'
import {type Counts, countsFromPatterns, unpackCounts} from '../../read/counts/index.ts'
import type {Anchor, Corpus, Lexicon} from '../../read/data/index.ts'
import {classGroups, groupVotes, voteGroups} from './groups.ts'

/** What the votes of a document add to the log-odds of the classes of a group. Model files keep it with the word weights. */
export interface VoteWeights {
  /** The concepts that are the classes, ascending. */
  readonly concepts: readonly number[]
  /** The log-odds that a vote adds to each class, a row for each member of the group. */
  readonly weights: readonly (readonly number[])[]
  /** Tells for each member whether its source is a labelling function: n of these that vote for one class count n^-1/2 each. */
  readonly isFunction: readonly boolean[]
  /** What is added to the log-odds of each class in a document without a vote for it. */
  readonly silent: readonly number[]
}

/** Returns the factor of the weights of each vote. `votes` are the members that fired, `labels` the classes of all members. */
export function voteFactors({isFunction}: VoteWeights, labels: readonly number[], votes: readonly number[]): number[] {
  const functions = votes.filter(k => isFunction[k])
  return votes.map(k =>
    isFunction[k] ? 1 / Math.sqrt(functions.filter(other => labels[other] === labels[k]).length) : 1
  )
}

/** Returns the classes, of 0 to C - 1, without a vote. `votes` are the members that fired, `labels` the classes of all members. */
export function silentClasses(labels: readonly number[], votes: readonly number[], C: number): number[] {
  return Array.from({length: C}, (_, c) => c).filter(c => !votes.some(k => labels[k] === c))
}

/**
 * Returns a function `(fired, out)`. `fired` lists the anchor members that fired, by their index in the lexicon; `out` has one
 * entry per concept. For each concept that is a class of some vote group, the function sets its entry to the sum that the fired
 * members, or their absence, add to the log-odds of the concept. Other entries are unchanged.
 */
export function voteEvidence(
  votes: readonly VoteWeights[],
  anchors: readonly Anchor[]
): (fired: ArrayLike<number>, out: Float64Array) => void {
  // Vote weights exist only for groups of which exactly one class holds.
  const exclusive = votes.map(({concepts}) => ({concepts, atMostOne: false}))
  const groups = voteGroups(anchors, exclusive)
  const sums = votes.map(({concepts}) => new Float64Array(concepts.length))
  return (fired, out) =>
    votes.forEach((own, g) => {
      addVotes(own, groups[g].labels, groupVotes(groups[g], fired), sums[g].fill(0))
      for (const [c, i] of own.concepts.entries()) out[i] = sums[g][c]
    })
}

/** Adds the weights of the members that fired (`votes`), and `silent` of each class without a vote, to the log-odds `out`. */
export function addVotes(
  model: VoteWeights,
  labels: readonly number[],
  votes: readonly number[],
  out: Float64Array
): void {
  const factors = voteFactors(model, labels, votes)
  votes.forEach((k, at) => {
    for (let c = 0; c < out.length; c++) out[c] += factors[at] * model.weights[k][c]
  })
  for (const c of silentClasses(labels, votes, out.length)) out[c] += model.silent[c]
}

/** Returns the probabilities of classes whose logarithms are given up to a common constant. */
export function softmax(logits: Float64Array): Float64Array {
  const top = Math.max(...logits)
  return normalised(logits.map(value => exp(value - top)))
}

/** P(A=1|Y=1), P(A=1|Y=0) and P(Y=1) of every concept. */
export type ClassRates = Readonly<Record<'truePositive' | 'falsePositive' | 'prevalence', ArrayLike<number>>>

/**
 * Returns a function that reduces the votes of a document to the most probable class of each group, or undefined without
 * groups. Words of classes are learned with this class as label, since anchors of a group may fire together, and words learned
 * from one vote would only repeat it. The first member of the class stands for it, and members of other classes are dropped. If
 * all concepts are classes of groups of which exactly one class holds, documents without any vote would teach only the prior:
 * for them the function returns undefined, and they are left out.
 */
function reduceVotes(lexicon: Lexicon, rates: ClassRates, votes: readonly VoteWeights[]) {
  const {anchors} = lexicon
  const priors = anchors.map(({concept}, i) => ({name: concept, prevalence: rates.prevalence[i]}))
  const groups = classGroups({concepts: priors, lexicon})
  if (groups.length === 0) return undefined
  const conceptOf = anchors.flatMap(({any}, i) => any.map(() => i))
  const classes = new Set(groups.flatMap(({concepts}) => concepts))
  const areAllClasses = classes.size === anchors.length && groups.every(({atMostOne}) => !atMostOne)
  const voted = new Set(votes.flatMap(({concepts}) => concepts))
  const readVotes = voteEvidence(votes, anchors)
  const evidence = new Float64Array(anchors.length)
  // If n members of an anchor fired, the likelihood ratio P(A=1|Y=1) / P(A=1|Y=0) of the anchor is multiplied by n.
  const anchorEvidence = (i: number, fired: number) => {
    const [t, e] = [rates.truePositive[i], rates.falsePositive[i]]
    return fired > 0 ? log(t / e) + log(fired) : log((1 - t) / (1 - e))
  }
  return (members: readonly number[]) => {
    if (areAllClasses && members.length === 0) return undefined
    readVotes(members, evidence)
    const chosen = groups.flatMap(({concepts, shifts, atMostOne}) => {
      const scores = concepts.map((i, at) => {
        const fired = members.filter(k => conceptOf[k] === i).length
        return logit(rates.prevalence[i]) + shifts[at] + (voted.has(i) ? evidence[i] : anchorEvidence(i, fired))
      })
      const best = Math.max(...scores)
      return atMostOne && best < 0 ? [] : [concepts[scores.indexOf(best)]]
    })
    const others = members.filter(k => !classes.has(conceptOf[k]))
    const kept = [...others, ...chosen.map(i => conceptOf.indexOf(i))].sort((a, b) => a - b)
    return {members: kept, anchors: [...new Set(kept.map(k => conceptOf[k]))]}
  }
}

/** Returns documents in which the most probable class of each group stands for its votes; without groups, the same documents. */
export function votedCorpus(corpus: Corpus, rates: ClassRates, votes: readonly VoteWeights[]): Corpus {
  const reduce = reduceVotes(corpus.lexicon, rates, votes)
  if (reduce === undefined) return corpus
  const documents = corpus.documents.flatMap(document => {
    const reduced = reduce(document.members)
    return reduced === undefined ? [] : [{...document, ...reduced}]
  })
  return {...corpus, documents}
}

/** Returns counts in which the most probable class of each group stands for its votes, as {@link votedCorpus} does. */
export function votedCounts(counts: Counts, rates: ClassRates, votes: readonly VoteWeights[]): Counts {
  const reduce = counts.tables === undefined ? reduceVotes(counts.lexicon, rates, votes) : undefined
  if (reduce === undefined) return counts
  const patterns = Array.from(unpackCounts(counts)).flatMap(pattern => {
    const reduced = reduce(pattern.members)
    return reduced === undefined ? [] : [{...pattern, members: reduced.members}]
  })
  return countsFromPatterns(counts, patterns)
}
