import {isPairNetwork} from '../../base/network/index.ts'
import {exp, log} from '../../base/numeric/index.ts'
import type {Model} from '../../learn/model/index.ts'
import {type CertificateFacts, networkNeighbours, shownRates} from '../facts/index.ts'
import type {Match} from './match-concepts.ts'
import {type Figure, isClear, type Verdict, verdictOf} from './verdict.ts'

/** `turned`: from more often together than by chance to less often, or back. `moved`: a clear change of the odds alone. */
export type EdgeChangeKind = 'gained' | 'lost' | 'turned' | 'moved'

/** An edge that differs; directions do not count. */
export interface EdgeChange {
  readonly kind: EdgeChangeKind
  /** The names of its ends in the second model. */
  readonly between: readonly [string, string]
  /** The odds ratio, which networks of pairs have for every pair; undefined where a graph lacks the edge. */
  readonly a?: number | undefined
  readonly b?: number | undefined
  /** By the sampling errors of two networks of pairs, which do not cover the odds of the true concepts and are not shown. */
  readonly verdict: Verdict
}

/** A model, with what its certificate says. */
export interface Side {
  readonly model: Model
  readonly facts: CertificateFacts
}

/** Edges gained, lost, turned and moved between concepts that both models have; clear changes first, the largest first. */
export function compareEdges(a: Side, b: Side, matches: readonly Match[]): EdgeChange[] {
  const [before, after] = [edgeReader(a), edgeReader(b)]
  const pairs = matches.flatMap((first, at) => matches.slice(at + 1).map(second => [first, second] as const))
  const changes = pairs.flatMap(([[i, k], [j, l]]): EdgeChange[] => {
    const [own, other] = [before(i, j), after(k, l)]
    const verdict = oddsVerdict(own.odds, other.odds)
    const kind = kindOf(own, other, verdict)
    const between = [b.model.concepts[k].name, b.model.concepts[l].name] as const
    return kind === undefined ? [] : [{kind, between, a: own.odds?.value, b: other.odds?.value, verdict}]
  })
  const size = ({a = 1, b = 1, verdict}: EdgeChange) => (isClear(verdict) ? Math.abs(log(b) - log(a)) : -1)
  return changes.sort((x, y) => size(y) - size(x))
}

interface ReadEdge {
  readonly isEdge: boolean
  readonly odds?: Figure
}

function kindOf(a: ReadEdge, b: ReadEdge, verdict: Verdict): EdgeChangeKind | undefined {
  if (!a.isEdge && !b.isEdge) return undefined
  if (a.isEdge !== b.isEdge) return a.isEdge ? 'lost' : 'gained'
  if (((a.odds?.value ?? 1) - 1) * ((b.odds?.value ?? 1) - 1) < 0) return 'turned'
  return isClear(verdict) ? 'moved' : undefined
}

/** By their logarithms, since an odds ratio of 2 is as far from 1 as one of a half. */
function oddsVerdict(a: Figure | undefined, b: Figure | undefined): Verdict {
  const logs = ({value, low, high}: Figure): Figure => ({
    value: log(value),
    ...(low !== undefined && high !== undefined && {low: log(low), high: log(high)})
  })
  return a === undefined || b === undefined ? 'no interval' : verdictOf(logs(a), logs(b))
}

/** Whether two concepts share an edge, and the odds ratio of the pair as far as the network has one. */
function edgeReader({model, facts}: Side): (i: number, k: number) => ReadEdge {
  const {network, concepts} = model
  const isMeasured = concepts.map(concept => shownRates(facts, concept) !== undefined)
  const neighbours = networkNeighbours(model)
  return (i, k) => {
    const strength = neighbours[i].find(({index}) => index === k)?.strength
    if (!isPairNetwork(network))
      return strength === undefined ? {isEdge: false} : {isEdge: true, odds: {value: exp(strength)}}
    const at = i * concepts.length + k
    const value = exp(network.couplings[at])
    // The error of a guessed rate is unknown, and so is that of the odds.
    const isKnown = isMeasured[i] && isMeasured[k]
    const odds = isKnown ? {value, low: network.low[at], high: network.high[at]} : {value}
    return {isEdge: strength !== undefined, odds}
  }
}
