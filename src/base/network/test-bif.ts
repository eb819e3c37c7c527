import {existsSync, readFileSync} from 'node:fs'
import {gunzipSync} from 'node:zlib'
import fc from 'fast-check'
import {rng} from '../numeric/index.ts'
import type {BayesNetwork} from './bayes-network.ts'

/** Generates acyclic networks over up to 6 concepts, with parents in any order and probabilities from 0 to 1. */
export const anyNetwork: fc.Arbitrary<BayesNetwork> = fc.integer({min: 1, max: 6}).chain(m =>
  fc
    .record({
      order: fc.shuffledSubarray(
        Array.from({length: m}, (_, i) => i),
        {minLength: m, maxLength: m}
      ),
      edges: fc.array(fc.boolean(), {minLength: m * m, maxLength: m * m}),
      seed: fc.integer(),
      few: fc.array(fc.oneof(fc.constantFrom(0, 1, 1e-6), fc.double({min: 1e-100, max: 1, noNaN: true})), {
        maxLength: 4
      })
    })
    .map(({order, edges, seed, few}) => {
      const random = rng(seed)
      const parents = order.map((_, i) => order.filter((k, at) => at < order.indexOf(i) && edges[i * m + k]))
      const draws = [...few]
      const cpt = parents.map(list => Float64Array.from({length: 2 ** list.length}, () => draws.pop() ?? random.next()))
      return {parents, cpt}
    })
)

/** Generates different names for `count` concepts, plain words as well as names that could break a file format. */
export function anyNames(count: number): fc.Arbitrary<string[]> {
  const nasty = fc.constantFrom(
    '__proto__',
    'constructor',
    'chest pain',
    'chest_pain',
    'c++',
    'c#',
    'c',
    'c_',
    'variable',
    'my network',
    'table',
    'property',
    '12',
    'a "quoted" {name};',
    '// no comment',
    '%41',
    'häufig',
    '心',
    '\n'
  )
  const word = fc.oneof(nasty, fc.string({minLength: 1, maxLength: 12, unit: 'binary'}))
  return fc.uniqueArray(word, {minLength: count, maxLength: count})
}

/** The classic networks are not part of the project; tests use them if this folder beside the checkout exists. */
const library = new URL('../../../../shared/data/networks/bif/', import.meta.url)

export const libraryIsThere: boolean = existsSync(library)

export function classicNetwork(name: string): BifNetwork {
  return readBif(new URL(`${name}.bif.gz`, library))
}

export interface BifNetwork {
  readonly names: string[]
  readonly network: BayesNetwork
}

export function readBif(file: URL): BifNetwork {
  return parseBif(gunzipSync(readFileSync(file)).toString())
}

/** Parses BIF with two states and one row per configuration of the parents, as `networkToBif` and the classic networks write it. */
export function parseBif(text: string): BifNetwork {
  const variables = [
    ...text.matchAll(/variable (\S+) \{\s*type discrete \[ 2 \] \{ (\S+), (\S+) \};(?:\s*property \S+ = (\S+) ;)?/g)
  ]
  const ids = variables.map(([, id]) => id)
  // Y = 1 is the first state if its name says so, otherwise the second.
  const isFirst = variables.map(([, , first]) => /^(yes|true|positive|present|high)/i.test(first))
  const parents: number[][] = ids.map(() => [])
  const cpt = ids.map(() => new Float64Array(1))
  for (const [, head, body] of text.matchAll(/probability \( ([^)]+) \) \{([^}]*)\}/g)) {
    const [child, ...list] = head
      .split(/[\s|,]+/)
      .filter(Boolean)
      .map(id => ids.indexOf(id))
    parents[child] = list
    cpt[child] = new Float64Array(2 ** list.length)
    for (const [, given = '', first, second] of body.matchAll(/(?:table|\(([^)]*)\)) ([^,;]+), ([^;]+);/g)) {
      const states = given.split(/, */).filter(Boolean)
      const row = list.reduce((s, k, at) => 2 * s + (states[at] === variables[k][isFirst[k] ? 2 : 3] ? 1 : 0), 0)
      cpt[child][row] = Number(isFirst[child] ? first : second)
    }
  }
  const names = variables.map(([, id, , , property]) => (property === undefined ? id : decodeURIComponent(property)))
  return {names, network: {parents, cpt}}
}
