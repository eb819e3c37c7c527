import {classShifts} from '../../base/network/index.ts'
import {log, logit} from '../../base/numeric/index.ts'
import {type Counts, countsFromPatterns, unpackCounts} from '../../read/counts/index.ts'
import {type Corpus, exclusiveGroups, type Lexicon} from '../../read/data/index.ts'
import {type VoteWeights, voteEvidence} from './vote-weights.ts'

/** P(A=1|Y=1), P(A=1|Y=0) and P(Y=1) of every concept. */
export type ClassRates = Readonly<Record<'truePositive' | 'falsePositive' | 'prevalence', ArrayLike<number>>>

/** The members that stand for the classes by which words are learned; undefined for a document that teaches nothing. */
type Vote = (members: readonly number[]) => readonly number[] | undefined

/**
 * Anchors of a group may fire together, and words that fire one vote would only repeat it. So words of classes are learned
 * with the most probable class of each group by its anchors as label: the first member of this class stands for it, and those of
 * the others go. Where all concepts are classes of which exactly one holds, documents without any vote are left out, since
 * they would teach the prior. Undefined without groups.
 */
function classVote({anchors}: Lexicon, rates: ClassRates, votes: readonly VoteWeights[]): Vote | undefined {
  const groups = exclusiveGroups(anchors).map(group => {
    const prevalence = group.concepts.map(i => rates.prevalence[i])
    return {...group, shifts: classShifts({...group, prevalence})}
  })
  if (groups.length === 0) return undefined
  const conceptOf = anchors.flatMap(({any}, i) => any.map(() => i))
  const classes = new Set(groups.flatMap(({concepts}) => concepts))
  const isAll = classes.size === anchors.length && groups.every(({atMostOne}) => !atMostOne)
  const voted = new Set(votes.flatMap(({concepts}) => concepts))
  const readVotes = voteEvidence(votes, conceptOf)
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

/** The same for counts. */
export function votedCounts(counts: Counts, rates: ClassRates, votes: readonly VoteWeights[]): Counts {
  const vote = counts.tables === undefined ? classVote(counts.lexicon, rates, votes) : undefined
  if (vote === undefined) return counts
  const patterns = Array.from(unpackCounts(counts)).flatMap(pattern => {
    const members = vote(pattern.members)
    return members === undefined ? [] : [{...pattern, members}]
  })
  return countsFromPatterns(counts, patterns)
}
