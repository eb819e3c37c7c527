import {arrayAt, type JsonObject, numbersAt, objectAt, shownValue} from '../../base/checks/index.ts'
import {isPairNetwork, type Network, pairNetwork} from '../../base/network/index.ts'
import type {Concept} from './model.ts'

/** A network of pairs as the rows of the lower triangle; a Bayesian network as one entry per concept. */
export function networkToJson(network: Network, concepts: readonly Concept[]): unknown {
  if (!isPairNetwork(network))
    return concepts.map(({name}, i) => ({
      concept: name,
      parents: network.parents[i].map(k => concepts[k].name),
      probabilities: [...network.cpt[i]]
    }))
  const m = concepts.length
  const rows = (values: Float64Array) => concepts.map((_, i) => [...values.subarray(i * m, i * m + i)])
  const {biases, couplings, low, high, required} = network
  return {
    kind: 'pairs',
    biases: [...biases],
    couplings: rows(couplings),
    low: rows(low),
    high: rows(high),
    ...(required && {required: required.map(pair => pair.map(i => concepts[i].name))})
  }
}

export function readNetwork(
  value: unknown,
  concepts: readonly Concept[],
  numberOf: (value: unknown, place: string) => number
): Network {
  if (!Array.isArray(value)) return readPairs(objectAt(value, 'network'), concepts, numberOf)
  const parents: number[][] = concepts.map(() => [])
  const cpt: Float64Array[] = concepts.map(() => new Float64Array(0))
  arrayAt(value, 'network', (entry, place) => {
    const node = objectAt(entry, place)
    const i = numberOf(node.concept, `${place}.concept`)
    parents[i] = arrayAt(node.parents, `${place}.parents`, numberOf)
    cpt[i] = numbersAt(node.probabilities, `${place}.probabilities`)
  })
  return {parents, cpt}
}

function readPairs(
  network: JsonObject,
  concepts: readonly Concept[],
  numberOf: (value: unknown, place: string) => number
): Network {
  if (network.kind !== 'pairs') throw new Error(`network.kind must be "pairs", not ${shownValue(network.kind)}`)
  const m = concepts.length
  const square = (name: 'couplings' | 'low' | 'high', diagonal: number) => {
    const values = new Float64Array(m * m).fill(diagonal)
    const rows = arrayAt(network[name], `network.${name}`, (row, place) => numbersAt(row, place))
    if (rows.length !== m || rows.some((row, i) => row.length !== i))
      throw new Error(`network.${name} must be ${m} rows, each with one number more than the one before`)
    for (const [i, row] of rows.entries())
      for (const [k, number] of row.entries()) values[i * m + k] = values[k * m + i] = number
    return values
  }
  return pairNetwork({
    prevalence: Float64Array.from(concepts, ({prevalence}) => prevalence),
    couplings: square('couplings', 0),
    low: square('low', 1),
    high: square('high', 1),
    ...(network.biases !== undefined && {biases: numbersAt(network.biases, 'network.biases', m)}),
    ...(network.required !== undefined && {
      required: arrayAt(network.required, 'network.required', (pair, place) => {
        const [i, k, ...rest] = arrayAt(pair, place, numberOf)
        if (k === undefined || i === k || rest.length > 0) throw new Error(`${place} must name two concepts`)
        return [i, k] as const
      })
    })
  })
}
