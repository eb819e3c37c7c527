import type {PolytopeName} from '../../../learn/polytopes/index.ts'
import type {Experiment} from '../experiment.ts'
import {trainingCount} from '../split.ts'
import {measureTime, type TimingCell, type TimingResult} from './timing-measure.ts'
import {presentTiming} from './timing-present.ts'

const POLYTOPES: readonly PolytopeName[] = ['simplex', 'local', 'cycle', 'marginal']
const CONCEPTS = [10, 20, 30, 40, 50]
/** Beyond these a recovery can take minutes, and the paper's method does from the start. */
const MOST_MARGINAL = 60
const MOST_SLOW = 50

/** Section 5.3.1: how long learning takes, by polytope, concepts and documents, and with the paper's method. */
export const timing: Experiment<TimingCell, TimingResult> = {
  name: 'timing',
  title: 'Time to learn, by polytope',
  isTimed: true,
  cells(material, {seed}) {
    const all = material.lexicon.anchors.length
    const documents = trainingCount(material)
    const counts = [...CONCEPTS.filter(count => count < all), all]
    const learning = (concepts: number, some: number) =>
      POLYTOPES.filter(polytope => polytope !== 'marginal' || concepts <= MOST_MARGINAL).map(
        (polytope): TimingCell => ({task: 'learning', polytope, concepts, documents: some, seed})
      )
    const slow = counts
      .filter(concepts => concepts <= MOST_SLOW)
      .flatMap(concepts =>
        (['local', 'marginal'] as const).map(
          (polytope): TimingCell => ({task: 'conditional-gradient', polytope, concepts, documents, seed})
        )
      )
    return [
      {task: 'counting', polytope: 'none', concepts: all, documents, seed},
      ...counts.flatMap(concepts => learning(concepts, documents)),
      // After the others, so that a program that is not warm yet does not make few documents look slow.
      ...[documents / 4, documents / 2].flatMap(some => learning(all, Math.round(some))),
      ...slow
    ]
  },
  // Roughly seconds.
  cost({task, polytope, concepts}) {
    if (task === 'conditional-gradient') return 0.1 + 22 * (concepts / 50) ** 2
    return 2 + (polytope === 'marginal' ? 6 * (concepts / 50) ** 2 : 0)
  },
  measure: measureTime,
  present: presentTiming
}
