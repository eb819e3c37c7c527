import {type Interval, NORMAL_90} from '../../base/numeric/index.ts'

/** Documents with the same votes. */
export interface VoteRow {
  /** Source and class, one after the other; what is no class (a vote against one) agrees with nothing and is left out. */
  readonly votes: readonly number[]
  readonly documents: number
}

/** Agreement in fewer documents is left out: its interval would be too narrow. */
const FEWEST_DOCUMENTS = 20

/**
 * Krippendorff's alpha of all sources (nominal classes): 1 - observed / expected disagreement of pairs of votes in the same
 * document; 1 is perfect agreement, 0 that of chance. Its 90% interval is by the influence of each document. Undefined where
 * fewer than 20 documents have two votes, or all votes are equal.
 */
export function votesAlpha(rows: readonly VoteRow[], classCount: number): Interval | undefined {
  const totals = new Float64Array(classCount)
  let [all, apart, documents] = [0, 0, 0]
  const units = rows.flatMap(({votes, documents: weight}) => {
    const shares = classVotes(votes, classCount)
    const m = shares.reduce((sum, count) => sum + count, 0)
    if (m < 2) return []
    const disagreeing = shares.reduce((sum, count) => sum + count * (m - count), 0) / (m - 1)
    shares.forEach((count, c) => {
      totals[c] += weight * count
    })
    all += weight * m
    apart += weight * disagreeing
    documents += weight
    return [{shares, m, disagreeing, weight}]
  })
  const chance = all * all - totals.reduce((sum, count) => sum + count * count, 0)
  if (documents < FEWEST_DOCUMENTS || chance === 0) return undefined
  // alpha = 1 - (n - 1) D / E, and the derivative of its last term by one more document.
  const ratio = ((all - 1) * apart) / chance
  const variance = units.reduce((sum, {shares, m, disagreeing, weight}) => {
    const own = shares.reduce((total, count, c) => total + count * totals[c], 0)
    const change = ((all - 1) * disagreeing + m * apart - 2 * ratio * (all * m - own)) / chance
    return sum + weight * change * change
  }, 0)
  return around(1 - ratio, variance)
}

/**
 * Cohen's kappa of one source against the votes of the others, averaged within documents where both vote. Chance is the product of the
 * classes of these votes and those of all votes of the others, so that a source that votes for one class only has a kappa too. For two
 * sources that vote in every document it is Cohen's. With its 90% interval and the number of documents; undefined as alpha is.
 */
export function sourceKappa(
  rows: readonly VoteRow[],
  source: number,
  classCount: number
): (Interval & {readonly documents: number}) | undefined {
  const [own, others] = [new Float64Array(classCount), new Float64Array(classCount)]
  let [agreeing, both, voted] = [0, 0, 0]
  const units = rows.flatMap(({votes, documents: weight}) => {
    const place = votes.findIndex((one, at) => at % 2 === 0 && one === source)
    const vote = place < 0 || votes[place + 1] >= classCount ? undefined : votes[place + 1]
    const rest = place < 0 ? votes : votes.toSpliced(place, 2)
    const counts = classVotes(rest, classCount)
    const m = counts.reduce((sum, count) => sum + count, 0)
    if (m === 0) return []
    const shares = counts.map(count => count / m)
    shares.forEach((share, c) => {
      others[c] += weight * share
    })
    voted += weight
    if (vote !== undefined) {
      own[vote] += weight
      agreeing += weight * shares[vote]
      both += weight
    }
    return [{vote, shares, weight}]
  })
  if (both < FEWEST_DOCUMENTS) return undefined
  const [observed, chanceOf] = [agreeing / both, others.map(count => count / voted)]
  const expected = own.reduce((sum, count, c) => sum + (count / both) * chanceOf[c], 0)
  if (expected > 1 - 1e-9) return undefined
  const kappa = (observed - expected) / (1 - expected)
  const variance = units.reduce((sum, {vote, shares, weight}) => {
    const chance = own.reduce((total, count, c) => total + (count / both) * shares[c], 0)
    let change = ((kappa - 1) * (chance - expected)) / voted
    if (vote !== undefined) change += (shares[vote] - observed + (kappa - 1) * (chanceOf[vote] - expected)) / both
    return sum + weight * (change / (1 - expected)) ** 2
  }, 0)
  return {...around(kappa, variance), documents: both}
}

function classVotes(votes: readonly number[], classCount: number): Float64Array {
  const counts = new Float64Array(classCount)
  for (let at = 1; at < votes.length; at += 2) if (votes[at] < classCount) counts[votes[at]]++
  return counts
}

function around(value: number, variance: number): Interval {
  const margin = NORMAL_90 * Math.sqrt(variance)
  return {value, low: Math.max(-1, value - margin), high: Math.min(1, value + margin)}
}
