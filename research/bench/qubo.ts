/**
 * Claim: the smallest value of a dense quadratic function of 50 binary variables, proven, in about a second.
 * Compared with HiGHS on the usual integer program (one column per pair), stopped after 20 s, and with enumeration where
 * possible. `dense` functions have coefficients uniform in [-1, 1]; `near ties` are the gradients of moment recovery near
 * its optimum, where many points are almost as good as the best; the others are from the Biq Mac Library, left out if it
 * is not next to the checkout. Not part of the package, so this runs on the sources.
 */

import {type LinearRow, loadLinearSolver} from '../../src/base/linear/index.ts'
import {type Rng, rng} from '../../src/base/numeric/index.ts'
import {
  type BinaryQuadratic,
  enumerateMinimum,
  minimizeQuadratic,
  pairIndex,
  searchMinima
} from '../../src/base/qubo/index.ts'
import {libraryIsThere, readInstance} from '../../src/base/qubo/test-functions.ts'
import {type BenchRow, record, rounded, seconds} from './record.ts'

const HIGHS_LIMIT = 20
const ENUMERATED = 26

const named = libraryIsThere ? ['gka/gka4b', 'gka/gka5a', 'gka/gka2c', 'beasley/bqp100-1', 'gka/gka10d'] : []

const cases: {function: string; q: BinaryQuadratic}[] = [
  ...[20, 25, 30, 40, 50, 60, 70].map(m => ({function: 'dense', q: dense(m)})),
  ...[20, 30, 40, 50, 60].map(m => ({function: 'near ties', q: nearTies(m)})),
  ...named.map(name => ({function: name, q: readInstance(name)}))
]

const solver = await loadLinearSolver()
const rows = cases.map(({function: name, q}): BenchRow => {
  let result = minimizeQuadratic(q, {nodeLimit: 0})
  const ours = seconds(
    () => {
      result = minimizeQuadratic(q)
    },
    q.size <= 50 ? 3 : 1
  )
  const {nodes, value, status} = result
  const highs = solveByHighs(q)
  const enumeration = q.size <= ENUMERATED ? seconds(() => enumerateMinimum(q)) : undefined
  if (highs.proven && Math.abs(highs.value - value) > 1e-5 * (1 + Math.abs(value)))
    throw new Error(`${name}: values differ`)
  return {
    function: name,
    variables: q.size,
    minimum: rounded(value),
    status,
    nodes,
    s: rounded(ours),
    'HiGHS s': highs.proven ? rounded(highs.seconds) : `> ${HIGHS_LIMIT}`,
    ratio: highs.proven ? rounded(highs.seconds / ours) : `> ${rounded(HIGHS_LIMIT / ours)}`,
    'enumeration s': enumeration === undefined ? '-' : rounded(enumeration)
  }
})

record('qubo', 'The minimum of a dense quadratic function of 50 binary variables, proven, in about a second', rows)

/** One column per variable and per weighted pair, and the rows of the local polytope that the sign of the weight needs. */
function solveByHighs({size: m, linear, quadratic}: BinaryQuadratic): {
  value: number
  proven: boolean
  seconds: number
} {
  const costs = Array.from(linear)
  const constraints: LinearRow[] = []
  for (let i = 0; i < m; i++) {
    for (let k = i + 1; k < m; k++) {
      const w = quadratic[pairIndex(i, k, m)]
      if (w === 0) continue
      const pair = costs.push(w) - 1
      const below = {lower: Number.NEGATIVE_INFINITY, upper: 0}
      if (w > 0) constraints.push({...below, indices: [i, k, pair], values: [1, 1, -1], upper: 1})
      else for (const one of [i, k]) constraints.push({...below, indices: [pair, one], values: [1, -1]})
    }
  }
  const integer = Array.from({length: m}, (_, i) => i)
  const program = solver.open({costs, lower: costs.map(() => 0), upper: costs.map(() => 1), integer})
  program.addRows(constraints)
  const started = performance.now()
  const {objective, status} = program.solve({stop: () => performance.now() - started > 1000 * HIGHS_LIMIT})
  program.dispose()
  return {value: objective, proven: status === 'optimal', seconds: (performance.now() - started) / 1000}
}

function dense(m: number): BinaryQuadratic {
  const random = rng(m)
  const draw = () => 2 * random.next() - 1
  const linear = Float64Array.from({length: m}, draw)
  return {size: m, linear, quadratic: Float64Array.from({length: (m * (m - 1)) / 2}, draw)}
}

/**
 * Noisy moments of a chain of rare concepts, and the point of the marginal polytope nearest to them in the squares, by
 * pairwise conditional gradient: the difference is the gradient there.
 */
function nearTies(m: number): BinaryQuadratic {
  const random = rng(100 + m)
  const wanted = chainMoments(m, random).map(value => value + 0.02 * (random.next() - 0.5))
  const atoms: (Atom & {readonly y: Uint8Array})[] = [
    {y: new Uint8Array(m), v: new Float64Array(wanted.length), weight: 1}
  ]
  const x = new Float64Array(wanted.length)
  let q: BinaryQuadratic = {size: m, linear: new Float64Array(0), quadratic: new Float64Array(0)}
  for (let round = 0; round < 150; round++) {
    const g = x.map((value, at) => value - wanted[at])
    q = {size: m, linear: g.slice(0, m), quadratic: g.slice(m)}
    const found = searchMinima(q, {starts: 20, rng: random, keep: 2})
    for (let at = 0; at < found.count; at++) {
      const y = found.rows.slice(at * m, (at + 1) * m)
      if (atoms.every(atom => atom.y.some((bit, i) => bit !== y[i]))) atoms.push({y, v: momentsOf(y), weight: 0})
    }
    for (let step = 0; step < 6; step++) pairwiseStep(x, wanted, atoms)
  }
  return q
}

interface Atom {
  readonly v: Float64Array
  weight: number
}

/** Move weight from the worst atom to the best, as far as the objective falls. */
function pairwiseStep(x: Float64Array, wanted: Float64Array, atoms: readonly Atom[]): void {
  const slope = ({v}: Atom) => v.reduce((sum, value, at) => sum + value * (x[at] - wanted[at]), 0)
  const slopes = atoms.map(slope)
  const used = atoms.map((_, at) => at).filter(at => atoms[at].weight > 0)
  const to = slopes.indexOf(Math.min(...slopes))
  const from = used.reduce((worst, at) => (slopes[at] > slopes[worst] ? at : worst), used[0])
  const d = atoms[to].v.map((value, at) => value - atoms[from].v[at])
  const square = d.reduce((sum, value) => sum + value * value, 0)
  if (square === 0) return
  const step = Math.min(atoms[from].weight, (slopes[from] - slopes[to]) / square)
  atoms[from].weight -= step
  atoms[to].weight += step
  for (let at = 0; at < x.length; at++) x[at] += step * d[at]
}

function chainMoments(m: number, random: Rng): Float64Array {
  const documents = 500
  const sum = new Float64Array((m * (m + 1)) / 2)
  const rate = Array.from({length: m}, () => 0.03 + 0.15 * random.next())
  for (let n = 0; n < documents; n++) {
    const y = new Uint8Array(m)
    for (let i = 0; i < m; i++) y[i] = random.next() < (i > 0 && y[i - 1] === 1 ? 4 : 1) * rate[i] ? 1 : 0
    momentsOf(y).forEach((value, at) => {
      sum[at] += value / documents
    })
  }
  return sum
}

/** y and its products, pairs row-major. */
function momentsOf(y: Uint8Array): Float64Array {
  const pairs = Array.from(y).flatMap((one, i) => Array.from(y.subarray(i + 1), other => one * other))
  return Float64Array.from([...y, ...pairs])
}
