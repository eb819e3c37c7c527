import {createBeliefs} from '../../base/network/index.ts'
import {sigmoid} from '../../base/numeric/index.ts'
import {WeightReader} from '../../learn/inference/index.ts'
import {documentScale, EvidenceReader, type WordWeights, weightRange} from '../../learn/robust/index.ts'
import {groupVotes, silentClasses, voteFactors, voteGroups} from '../../learn/votes/index.ts'
import {
  anchorPart,
  type Contribution,
  conceptPart,
  isFired,
  labelPart,
  NAMED_CONCEPTS,
  namedParts,
  type Parts,
  type Reading,
  readAgain,
  strongestFirst,
  totalOf,
  wordPart
} from './contributions.ts'

/**
 * An explanation by word weights, which simply add up: no order, no game.
 *
 * The constant for the state of the concept's own anchor is split into the anchor's part by Bayes' rule,
 * log P(A|Y=1) / P(A|Y=0), the same as by noisy-or links, and the rest, `balance`: the offset that keeps the mean
 * probability of such documents where the rates put it. The beliefs of the network have a part for each other concept.
 * Where the anchor fired, other concepts do not count and are not listed. Cost: a posterior for each figure that is named.
 */
export function explainWeights(reading: Reading, wordModel: WordWeights): Parts {
  const {model, evidence, i, labels, checked} = reading
  const reader = new WeightReader(model, wordModel, checked)
  reader.logOdds(evidence, labels)
  const parts = reader.parts(i)
  const prior = createBeliefs(model.network).prior[i]
  const fired = isFired(reading, i) === true
  const votes = ownVotes(reading, wordModel)
  const own = votes ?? anchorPart(reading)
  const {constants, firedFactors} = reader
  // The constant of a fired anchor includes the prior; the other is added to it.
  const constant = fired ? constants.fired[i] - prior : constants.silent[i]
  const words = presentWords(reading, wordModel, fired ? firedFactors[i] : 1)
  const contributions: Contribution[] = [
    {kind: 'prior', probability: sigmoid(prior), logOdds: prior},
    ...(fired ? [] : labelledConcepts(reading, parts)),
    ...own,
    ...(fired && votes === undefined ? ownMembers(reading, wordModel) : []),
    ...words,
    ...(fired ? [] : otherConcepts(reading, parts)),
    // The constant includes the anchor, but no votes.
    ...unlessZero({kind: 'balance', logOdds: votes === undefined ? constant - totalOf(own) : constant})
  ]
  const otherWords = checked.words === 'hidden' ? 0 : evidence.words.length - words.length
  return {contributions, otherWords}
}

/** Only rounding errors are smaller. */
const ZERO = 1e-12

function unlessZero(contribution: Contribution): Contribution[] {
  return Math.abs(contribution.logOdds) < ZERO ? [] : [contribution]
}

/** The votes of the group of a class, and that it has none; undefined where votes have no weights. */
function ownVotes(reading: Reading, {votes = []}: WordWeights): Contribution[] | undefined {
  const {model, evidence, i, checked} = reading
  const {anchors} = model.lexicon
  const group = voteGroups(anchors).find(({concepts}) => concepts.includes(i))
  const weights = votes.find(({concepts}) => concepts.includes(i))
  if (group === undefined || weights === undefined) return undefined
  if (checked.anchors === 'hidden') return []
  const own = group.concepts.indexOf(i)
  const members = anchors.flatMap(({any}, concept) => any.map(feature => ({concept, feature})))
  const places = groupVotes(group, evidence.members)
  const firing = evidence.members.filter(k => group.concepts.includes(members[k].concept))
  const factors = voteFactors(weights, group.labels, places)
  const cast = firing.map((k, at): Contribution => {
    const rest = evidence.members.filter(other => other !== k)
    const otherwise = readAgain(reading, {
      members: rest,
      anchors: [...new Set(rest.map(other => members[other].concept))]
    })
    return {
      kind: 'vote',
      feature: members[k].feature,
      logOdds: factors[at] * weights.weights[places[at]][own],
      otherwise
    }
  })
  const isSilent = silentClasses(group.labels, places, group.concepts.length).includes(own)
  return [
    ...cast.filter(({logOdds}) => logOdds !== 0).sort(strongestFirst),
    ...(isSilent ? unlessZero({kind: 'no-vote', logOdds: weights.silent[own]}) : [])
  ]
}

function ownMembers({model, evidence, i}: Reading, wordModel: WordWeights): Contribution[] {
  const {members} = wordModel
  if (members === undefined || members[i].length === 1) return []
  const logOdds = new EvidenceReader(model.lexicon, wordModel).fromMembers(evidence.members)[i]
  const first = members.slice(0, i).flat().length
  const {any} = model.lexicon.anchors[i]
  const [fired, silent] = [true, false].map(on => any.filter((_, k) => evidence.members.includes(first + k) === on))
  return fired.length === 0 ? [] : [{kind: 'members', fired, silent, logOdds}]
}

function presentWords(reading: Reading, wordModel: WordWeights, share: number): Contribution[] {
  const {evidence, i, checked} = reading
  if (checked.words === 'hidden') return []
  const {weights, scale} = wordModel
  const factor = share * documentScale(scale, evidence.words)
  return evidence.words
    .filter(j => weights[i][j] !== 0)
    .map(word => {
      const [low, high] = weightRange(wordModel, i, word) ?? []
      const range = low !== undefined && high !== undefined ? {low: factor * low, high: factor * high} : undefined
      return wordPart(reading, {word, logOdds: factor * weights[i][word], range})
    })
    .sort(strongestFirst)
}

function labelledConcepts(reading: Reading, parts: Float64Array): Contribution[] {
  const {labels} = reading
  const labelled = [...labels.keys()].filter(k => labels[k] !== -1).map(k => ({k, logOdds: parts[k]}))
  return namedParts('known-tags', labelled, NAMED_CONCEPTS, ({k, logOdds}) => labelPart(reading, k, logOdds))
}

/** Those without a label; in a directed network their parts need not add up, and the difference is a figure of its own. */
function otherConcepts(reading: Reading, parts: Float64Array): Contribution[] {
  const {i, labels} = reading
  const others = [...labels.keys()].filter(k => k !== i && labels[k] === -1).map(k => ({k, logOdds: parts[k]}))
  return [
    ...namedParts('concepts', others, NAMED_CONCEPTS, ({k, logOdds}) => conceptPart(reading, k, logOdds)),
    ...unlessZero({kind: 'rest', of: 'concepts-jointly', count: others.length, logOdds: parts[i]})
  ]
}
