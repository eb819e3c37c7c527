import type {SpinRelaxation} from './spin-relaxation.ts'

/** Moves of the multipliers between renewals of the cuts, and sweeps without moves before the bound is proven. */
const ASCENTS = 30
const SWEEPS_AT_REST = 20

/** New cuts per round and sign. */
const CUTS_PER_SIGN = 4

/** Steps of the multipliers: large at first, then falling with the rounds so that they settle. */
const FIRST_STEP = 2
const STEP_DECAY = 0.5

interface TightenOptions {
  readonly rounds: number
  /** How many rounds the multipliers have already had. */
  readonly age: number
  /** The bound to reach. */
  readonly target: number
  readonly stop: () => boolean
}

/**
 * Raise the bound of a relaxation: in rounds, renew the cuts, move vectors and multipliers in turn, let the vectors settle
 * and prove the bound reached. Ends at `target`, after `rounds`, or when the target is out of reach at the current pace.
 */
export function tightenRelaxation(relaxation: SpinRelaxation, {rounds, age, target, stop}: TightenOptions): number {
  let best = Number.NEGATIVE_INFINITY
  if (age === 0) for (let sweep = 0; sweep < ASCENTS; sweep++) relaxation.sweep()
  for (let round = 0; round < rounds; round++) {
    relaxation.renewCuts(CUTS_PER_SIGN * relaxation.n)
    const step = FIRST_STEP / (1 + STEP_DECAY * (age + round))
    for (let ascent = 0; ascent < ASCENTS; ascent++) {
      relaxation.sweep()
      relaxation.ascend(step)
    }
    for (let sweep = 0; sweep < SWEEPS_AT_REST; sweep++) relaxation.sweep()
    const previous = best
    best = Math.max(best, relaxation.prove(target))
    const outOfReach = round >= 2 && 2 * (best - previous) * (rounds - round) < target - best
    if (best >= target || outOfReach || stop()) break
  }
  return best
}
