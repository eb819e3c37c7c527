import {exp, log, logit, normalised} from '../../base/numeric/index.ts'
import {type Counts, countsFromPatterns, unpackCounts} from '../../read/counts/index.ts'
import type {Anchor, Corpus, Lexicon} from '../../read/data/index.ts'
import {classGroups, groupVotes, voteGroups} from './groups.ts'

/** What the votes of a document add to the classes of a group: plain data, part of the word weights of a model file. */
export interface VoteWeights {
  /** The classes, ascending. */
  readonly concepts: readonly number[]
  /** Per member of their anchors, in order: log-odds added to each class where it fires. */
  readonly weights: readonly (readonly number[])[]
  /** Whether the member belongs to a function: n functions that vote for one class count n^-1/2 each. */
  readonly isFunction: readonly boolean[]
  /** Added to a class where none of its members fires. */
  readonly silent: readonly number[]
}

/** What each vote, given by its place, counts; `labels` has the class of each place. */
export function voteFactors({isFunction}: VoteWeights, labels: readonly number[], votes: readonly number[]): number[] {
  const functions = votes.filter(k => isFunction[k])
  return votes.map(k =>
    isFunction[k] ? 1 / Math.sqrt(functions.filter(other => labels[other] === labels[k]).length) : 1
  )
}

/** Classes without a vote. */
export function silentClasses(labels: readonly number[], votes: readonly number[], C: number): number[] {
  return Array.from({length: C}, (_, c) => c).filter(c => !votes.some(k => labels[k] === c))
}

/**
 * Reads what the members that fired add to the log-odds of classes into `out`, where other concepts keep their numbers.
 * Members are numbered through all concepts.
 */
export function voteEvidence(
  votes: readonly VoteWeights[],
  anchors: readonly Anchor[]
): (fired: ArrayLike<number>, out: Float64Array) => void {
  const groups = voteGroups(
    anchors,
    votes.map(({concepts}) => ({concepts, atMostOne: false}))
  )
  const sums = votes.map(({concepts}) => new Float64Array(concepts.length))
  return (fired, out) =>
    votes.forEach((own, g) => {
      addVotes(own, groups[g].labels, groupVotes(groups[g], fired), sums[g].fill(0))
      for (const [c, i] of own.concepts.entries()) out[i] = sums[g][c]
    })
}

/** Adds the votes to the log-odds of the classes. */
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

/** The probabilities of classes with these log-odds, up to a common constant. */
export function softmax(logits: ArrayLike<number>): Float64Array {
  const values = Float64Array.from(logits)
  const top = Math.max(...values)
  return normalised(values.map(value => exp(value - top)))
}

/** P(A=1|Y=1), P(A=1|Y=0) and P(Y=1) of every concept. */
export type ClassRates = Readonly<Record<'truePositive' | 'falsePositive' | 'prevalence', ArrayLike<number>>>

/** The members that stand for the classes by which words are learned; undefined for a document that teaches nothing. */
type Vote = (members: readonly number[]) => readonly number[] | undefined

/**
 * Anchors of a group may fire together, and words that fire one vote would only repeat it. So words of classes are learned
 * with the most probable class of each group by its anchors as label: the first member of this class stands for it, and
 * members of the other classes go. Where all concepts are classes of which exactly one holds, documents without any vote are left out, since
 * they would teach the prior. Undefined without groups.
 */
function classVote(lexicon: Lexicon, rates: ClassRates, votes: readonly VoteWeights[]): Vote | undefined {
  const {anchors} = lexicon
  const priors = anchors.map(({concept}, i) => ({name: concept, prevalence: rates.prevalence[i]}))
  const groups = classGroups({concepts: priors, lexicon})
  if (groups.length === 0) return undefined
  const conceptOf = anchors.flatMap(({any}, i) => any.map(() => i))
  const classes = new Set(groups.flatMap(({concepts}) => concepts))
  const isAll = classes.size === anchors.length && groups.every(({atMostOne}) => !atMostOne)
  const voted = new Set(votes.flatMap(({concepts}) => concepts))
  const readVotes = voteEvidence(votes, anchors)
  const evidence = new Float64Array(anchors.length)
  const anchorEvidence = (i: number, fired: number) => {
    const [t, e] = [rates.truePositive[i], rates.falsePositive[i]]
    return fired > 0 ? log(t / e) + log(fired) : log((1 - t) / (1 - e))
  }
  return members => {
    if (isAll && members.length === 0) return undefined
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
    return [...others, ...chosen.map(i => conceptOf.indexOf(i))].sort((a, b) => a - b)
  }
}

/** The documents as they teach words; the same ones where no concepts exclude each other. */
export function votedCorpus(corpus: Corpus, rates: ClassRates, votes: readonly VoteWeights[]): Corpus {
  const vote = classVote(corpus.lexicon, rates, votes)
  if (vote === undefined) return corpus
  const conceptOf = corpus.lexicon.anchors.flatMap(({any}, i) => any.map(() => i))
  const documents = corpus.documents.flatMap(document => {
    const members = vote(document.members)
    return members === undefined ? [] : [{...document, members, anchors: [...new Set(members.map(k => conceptOf[k]))]}]
  })
  return {...corpus, documents}
}

/**
 * Returns counts in which the most probable class of each group stands for its votes, as {@link votedCorpus} does for
 * documents.
 */
export function votedCounts(counts: Counts, rates: ClassRates, votes: readonly VoteWeights[]): Counts {
  const vote = counts.tables === undefined ? classVote(counts.lexicon, rates, votes) : undefined
  if (vote === undefined) return counts
  const patterns = Array.from(unpackCounts(counts)).flatMap(pattern => {
    const members = vote(pattern.members)
    return members === undefined ? [] : [{...pattern, members}]
  })
  return countsFromPatterns(counts, patterns)
}
