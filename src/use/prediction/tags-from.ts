import type {Model} from '../../learn/model/index.ts'
import {exclusiveGroups} from '../../read/data/index.ts'

/** The concepts with at least this probability, most probable first; of an exclusive group its most probable class, or none. */
export function tagsFrom({concepts, lexicon}: Model, probabilities: ArrayLike<number>, threshold: number): string[] {
  const chosen = new Map<number, boolean>()
  for (const group of exclusiveGroups(lexicon.anchors)) {
    const none = group.atMostOne ? 1 - group.concepts.reduce((sum, i) => sum + probabilities[i], 0) : 0
    const best = group.concepts.reduce((a, b) => (probabilities[b] > probabilities[a] ? b : a))
    for (const i of group.concepts) chosen.set(i, i === best && probabilities[i] >= none)
  }
  return byProbability(probabilities, i => chosen.get(i) ?? probabilities[i] >= threshold).map(i => concepts[i].name)
}

/** The concepts that count, most probable first; equals in the order of the model. */
export function byProbability(probabilities: ArrayLike<number>, counts: (i: number) => boolean = () => true): number[] {
  const chosen: number[] = []
  for (let i = 0; i < probabilities.length; i++) if (counts(i)) chosen.push(i)
  return chosen.sort((a, b) => probabilities[b] - probabilities[a])
}
