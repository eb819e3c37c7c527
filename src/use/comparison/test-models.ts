import fc from 'fast-check'
import {pairNetwork} from '../../base/network/index.ts'
import {rng} from '../../base/numeric/index.ts'
import {composeModel, type Model} from '../../learn/model/index.ts'
import {randomModel} from '../synthetic/index.ts'

/** What of a model is drawn; the rest follows from the seed. */
interface Drawn {
  readonly seed: number
  readonly names: readonly string[]
  readonly isPairs: boolean
  readonly basis: readonly ('given' | 'labels' | 'constant' | 'none')[]
}

const NAMES = ['fever', 'cough', 'flu', 'fall', 'gout', 'rash']

const drawn: fc.Arbitrary<Drawn> = fc.record({
  seed: fc.nat({max: 200}),
  names: fc.shuffledSubarray(NAMES, {minLength: 2}),
  isPairs: fc.boolean(),
  basis: fc.array(fc.constantFrom('given', 'labels', 'constant', 'none'), {minLength: 6, maxLength: 6})
})

/** Models over some of the same concepts and words, directed or of pairs, with certificates that may lack concepts. */
export const models: fc.Arbitrary<Model> = drawn.map(modelOf)

export function modelOf({seed, names, isPairs, basis}: Drawn): Model {
  const random = rng(seed)
  const base = randomModel({concepts: names.length, words: 30}, random)
  const concepts = base.concepts.map((concept, i) => ({...concept, name: names[i]}))
  const anchors = base.lexicon.anchors.map((anchor, i) => ({
    ...anchor,
    concept: names[i],
    any: [`${names[i]}-word`, ...(random.next() < 0.3 ? [`${names[i]}-more`] : [])]
  }))
  const interval = (value: number, basis: string) => {
    const [down, up] = basis === 'given' ? [0, 0] : [0.3 * random.next(), 0.3 * random.next()]
    return {value, low: value * (1 - down), high: value + (1 - value) * up}
  }
  const noise = concepts.flatMap(({name, prevalence}, i) =>
    basis[i] === 'none'
      ? []
      : [
          {
            concept: name,
            prevalence: interval(prevalence, basis[i]),
            precision: interval(0.5 + random.next() / 2, basis[i]),
            basis: basis[i],
            sources: []
          }
        ]
  )
  return composeModel({
    ...base,
    concepts,
    network: isPairs
      ? randomPairs(
          concepts.map(({prevalence}) => prevalence),
          random
        )
      : base.network,
    lexicon: {...base.lexicon, anchors},
    certificate: {
      ...(basis[0] !== 'none' && {moments: {status: 'optimal', objective: random.next(), gap: 1e-6, steps: 3}}),
      noise: {method: 'auto', labelledCount: 10, clippedPrevalence: [], concepts: noise}
    }
  })
}

function randomPairs(prevalence: readonly number[], random: ReturnType<typeof rng>) {
  const m = prevalence.length
  const couplings = new Float64Array(m * m)
  const [low, high] = [new Float64Array(m * m).fill(1), new Float64Array(m * m).fill(1)]
  for (let i = 0; i < m; i++)
    for (let k = i + 1; k < m; k++) {
      const strength = 4 * random.next() - 2
      const width = random.next() * 3
      for (const at of [i * m + k, k * m + i]) {
        couplings[at] = strength
        low[at] = Math.exp(strength - width)
        high[at] = Math.exp(strength + width)
      }
    }
  return pairNetwork({prevalence: Float64Array.from(prevalence), couplings, low, high})
}
