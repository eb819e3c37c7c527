import {isPairNetwork} from '../../base/network/index.ts'
import {exp, log} from '../../base/numeric/index.ts'
import type {Model} from '../../learn/model/index.ts'
import {networkNeighbours} from '../report/index.ts'
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

/** A model, and which of its concepts have rates that somebody measured. */
interface MeasuredModel {
  readonly model: Model
  readonly isMeasured: readonly boolean[]
}

/** Edges gained, lost, turned and moved between concepts that both models have; clear changes first, the largest first. */
export function compareEdges([a, b]: readonly [MeasuredModel, MeasuredModel], matches: readonly Match[]): EdgeChange[] {
  const [before, after] = [edgeReader(a), edgeReader(b)]
  const changes: {readonly change: EdgeChange; readonly size: number}[] = []
  matches.forEach(([i, k], at) => {
    for (const [j, l] of matches.slice(at + 1)) {
      const [own, other] = [before(i, j), after(k, l)]
      const kind = kindOf(own, other)
      if (kind === undefined) continue
      const between = [b.model.concepts[k].name, b.model.concepts[l].name] as const
      const verdict = oddsVerdict(own.odds, other.odds)
      const size = isClear(verdict) ? Math.abs(log(other.odds?.value ?? 1) - log(own.odds?.value ?? 1)) : -1
      changes.push({change: {kind, between, a: own.odds?.value, b: other.odds?.value, verdict}, size})
    }
  })
  return changes.sort((x, y) => y.size - x.size).map(({change}) => change)
}

interface ReadEdge {
  readonly isEdge: boolean
  readonly odds?: Figure
}

function kindOf(a: ReadEdge, b: ReadEdge): EdgeChangeKind | undefined {
  if (!a.isEdge && !b.isEdge) return undefined
  if (!a.isEdge) return 'gained'
  if (!b.isEdge) return 'lost'
  const [from, to] = [a.odds?.value ?? 1, b.odds?.value ?? 1]
  if ((from - 1) * (to - 1) < 0) return 'turned'
  return isClear(oddsVerdict(a.odds, b.odds)) ? 'moved' : undefined
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
function edgeReader({model, isMeasured}: MeasuredModel): (i: number, k: number) => ReadEdge {
  const {network, concepts} = model
  const neighbours = networkNeighbours(model).map(list => new Map(list.map(({index, strength}) => [index, strength])))
  return (i, k) => {
    const strength = neighbours[i].get(k)
    const isEdge = strength !== undefined
    if (!isPairNetwork(network)) return {isEdge, ...(isEdge && {odds: {value: exp(strength)}})}
    const at = i * concepts.length + k
    const value = exp(network.couplings[at])
    // The error of a guessed rate is unknown, and so is that of the odds.
    return {
      isEdge,
      odds: isMeasured[i] && isMeasured[k] ? {value, low: network.low[at], high: network.high[at]} : {value}
    }
  }
}
