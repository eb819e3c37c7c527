import {unreachable} from '../../base/checks/index.ts'
import {ActiveSet} from './active-set.ts'
import {correctFully} from './fully-corrective.ts'
import type {ConvexObjective} from './step-rules.ts'

/**
 * Where a step of conditional gradient goes. `vanilla`: towards the oracle's vertex. `pairwise`: weight goes from the worst
 * vertex of the mixture to the oracle's. `blended-pairwise`: between two vertices at hand, without calling the oracle, as long as
 * they promise half of what it last did, else towards its vertex (Tsuji et al. 2022, lazy). `fully-corrective`: as vanilla, and then
 * to the best mixture of all vertices seen.
 */
export type VariantName = 'vanilla' | 'pairwise' | 'blended-pairwise' | 'fully-corrective'

/** When `fully-corrective` corrects: as published, when the oracle gives a vertex `seen` before, or after `every` step. */
export type CorrectionTrigger = 'seen' | 'every'

/** The point as a mixture of vertices, and how a variant moves it. */
export interface Variant {
  /** Vertices that the point is mixed from; none are kept by `vanilla`. */
  atomCount(): number | undefined
  /** Look at the gradient, once a step: whether to ask the oracle, given the gap that it found when last asked. */
  needsOracle(g: Float64Array, gap: number): boolean
  /** Line 4: write the direction, from x and the oracle's vertex s; gives how far one may go. */
  aim(x: Float64Array, s: Float64Array, gap: number, d: Float64Array): number
  /** Line 6: go `gamma` along d. */
  move(x: Float64Array, d: Float64Array, gamma: number): void
  /** Sum x up afresh: the updates drift. */
  settle(x: Float64Array): void
}

export interface VariantContext {
  readonly objective: ConvexObjective
  readonly start: Float64Array
  readonly correction: CorrectionTrigger
  readonly interrupted: () => boolean
}

export function variantNamed(name: VariantName, context: VariantContext): Variant {
  switch (name) {
    case 'vanilla':
      return vanilla()
    case 'pairwise':
      return pairwise(context.start, false)
    case 'blended-pairwise':
      return pairwise(context.start, true)
    case 'fully-corrective':
      return fullyCorrective(context)
    default:
      return unreachable(name)
  }
}

function vanilla(): Variant {
  return {
    atomCount: () => undefined,
    needsOracle: () => true,
    aim: aimAt,
    move: advance,
    settle() {}
  }
}

function pairwise(start: Float64Array, blended: boolean): Variant {
  const active = new ActiveSet(start)
  let atHand = {toward: 0, away: 0, gap: 0}
  let from: number | undefined
  let to = 0
  return {
    atomCount: () => active.count,
    needsOracle(g, gap) {
      atHand = active.extremes(g)
      return !blended || atHand.gap < gap / 2
    },
    aim(x, s, gap, d) {
      const among = blended && atHand.gap >= gap / 2
      from = among || !blended ? atHand.away : undefined
      to = among ? atHand.toward : active.add(s)
      if (from === undefined) return aimAt(x, s, gap, d)
      active.difference(to, from, d)
      return active.weight(from)
    },
    move(x, d, gamma) {
      advance(x, d, gamma)
      if (from === undefined) active.moveTowards(to, gamma)
      else active.moveBetween(from, to, gamma)
      active.prune()
    },
    settle: x => active.point(x)
  }
}

function fullyCorrective({objective, start, correction, interrupted}: VariantContext): Variant {
  const active = new ActiveSet(start)
  let to = 0
  let corrects = false
  let target = 0
  return {
    atomCount: () => active.carrierCount,
    needsOracle: () => true,
    aim(x, s, gap, d) {
      corrects = correction === 'every' || active.find(s) >= 0
      to = active.add(s)
      target = gap / 2
      return aimAt(x, s, gap, d)
    },
    move(x, d, gamma) {
      advance(x, d, gamma)
      active.moveTowards(to, gamma)
      if (corrects) correctFully(objective, active, x, {gap: target, interrupted})
    },
    settle: x => active.point(x)
  }
}

function aimAt(x: Float64Array, s: Float64Array, _gap: number, d: Float64Array): number {
  for (let c = 0; c < d.length; c++) d[c] = s[c] - x[c]
  return 1
}

function advance(x: Float64Array, d: Float64Array, gamma: number): void {
  for (let c = 0; c < x.length; c++) x[c] += gamma * d[c]
}
