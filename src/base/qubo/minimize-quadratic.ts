import {checkOptions, type Rules, whole, within} from '../checks/index.ts'
import {type Rng, rng} from '../numeric/index.ts'
import {type BinaryQuadratic, checkFunction, coefficientScale, quadraticValue} from './binary-function.ts'
import {type BinaryMinimum, enumerateMinimum} from './enumerate-minimum.ts'
import {NodeHeap} from './node-heap.ts'
import {roofDual} from './roof-dual.ts'
import {searchMinima} from './search-minima.ts'
import {RANK, SpinRelaxation} from './spin-relaxation.ts'
import {
  expand,
  inheritState,
  type RelaxationState,
  restrict,
  type Subproblem,
  spinForm,
  splitNode
} from './subproblem.ts'
import {checkRows} from './tabu-walk.ts'
import {tightenRelaxation} from './tighten-relaxation.ts'
import {TriangleCuts} from './triangle-cuts.ts'

/** Starts of the search for the first point. */
const STARTS = 200

/** Up to this many free variables, enumeration is faster than a bound. */
const ENUMERATED = 16

/** Rounds of tightening at the root and below, where multipliers are inherited and steps begin small. */
const ROOT_ROUNDS = 12
const CHILD_ROUNDS = 4
const CHILD_AGE = 6

/** Rounding error of bounds, as a share of the coefficients. */
const ROUNDING = 1e-10

export interface MinimizeOptions {
  /** Good points to start from, row after row. */
  readonly incumbent: Uint8Array
  /** The most nodes of the search tree to visit. */
  readonly nodeLimit: number
  /** Called several times per node; true ends the search. */
  readonly stop: () => boolean
  /** The search ends once it is proven that no value lies below this. */
  readonly cutoff: number
  /** How much better than the result another point may be; 0 is the minimum up to rounding. */
  readonly tolerance: number
}

export interface QuadraticMinimum extends BinaryMinimum {
  /** Proven: no point has a smaller value. At `optimal` it is at least `value - tolerance`, or `cutoff` if that is less. */
  readonly bound: number
  readonly nodes: number
  readonly status: 'optimal' | 'node-limit' | 'stopped'
}

const infinite = Number.POSITIVE_INFINITY

const minimizeDefaults: MinimizeOptions = {
  incumbent: new Uint8Array(0),
  nodeLimit: infinite,
  stop: () => false,
  cutoff: infinite,
  tolerance: 0
}

const minimizeRules: Rules<MinimizeOptions> = {
  nodeLimit: [value => value === infinite || whole(0)[0](value), `${whole(0)[1]}, or Infinity`],
  cutoff: within(-infinite, infinite),
  tolerance: within(0, infinite)
}

/**
 * The minimum of a quadratic function of binary variables, proven, by branch and bound.
 *
 * A node fixes some variables. Roof duality bounds it and fixes more; up to 16 free variables are enumerated. Otherwise the
 * semidefinite relaxation with triangle inequalities (`SpinRelaxation`), started from the vectors and cuts of the parent,
 * bounds the node, fixes variables whose other value cannot lead below the best known point, and chooses where to branch.
 * The node with the lowest bound comes next. Where all coefficients are whole numbers, values differ by whole steps, and a
 * bound within one step of the best point is enough.
 * Cost: usually tens of nodes for 50 variables, some 10 ms each; random dense functions of 100 variables take half a minute.
 */
export function minimizeQuadratic(q: BinaryQuadratic, options?: Partial<MinimizeOptions>): QuadraticMinimum {
  checkFunction(q)
  const full = checkOptions('minimizeQuadratic', minimizeDefaults, minimizeRules, options)
  checkRows('incumbent', full.incumbent, q.size)
  return new BranchAndBound(q, full).run()
}

interface Node {
  readonly bound: number
  readonly depth: number
  readonly fixed: Int8Array
  /** Vectors and cuts of the parent; the two children share them, and neither changes them. */
  readonly state: RelaxationState | undefined
}

/** One run of `minimizeQuadratic`. The random source has a fixed seed: it only decides where to look first. */
class BranchAndBound {
  readonly #q: BinaryQuadratic
  readonly #options: MinimizeOptions
  readonly #open = new NodeHeap<Node>()
  readonly #random: Rng
  readonly #slack: number
  readonly #grain: number
  #y: Uint8Array
  #value: number
  /** The lowest bound of all closed nodes. */
  #closed = Number.POSITIVE_INFINITY
  #stopped = false

  constructor(q: BinaryQuadratic, options: MinimizeOptions) {
    this.#q = q
    this.#options = options
    this.#random = rng(1)
    this.#slack = ROUNDING * coefficientScale(q)
    this.#grain = grainOf(q, 100 * this.#slack)
    const first = searchMinima(q, {starts: STARTS, rng: this.#random, keep: 1, points: options.incumbent})
    this.#y = first.rows
    this.#value = first.values[0]
  }

  run(): QuadraticMinimum {
    const fixed = new Int8Array(this.#q.size).fill(-1)
    this.#open.push({bound: roofDual(this.#q).bound, depth: 0, fixed, state: undefined})
    let nodes = 0
    let status: QuadraticMinimum['status'] = 'optimal'
    while (this.#open.lowest < this.#target) {
      if (this.#isStopped() || nodes >= this.#options.nodeLimit) {
        status = this.#stopped ? 'stopped' : 'node-limit'
        break
      }
      const node = this.#open.pop()
      if (node === undefined) break
      nodes++
      this.#visit(node)
    }
    const bound = Math.min(this.#value, this.#roundUp(Math.min(this.#closed, this.#open.lowest)))
    return {y: this.#y, value: this.#value, bound, nodes, status}
  }

  /** A node with this bound need not be visited. */
  get #target(): number {
    const {cutoff, tolerance} = this.#options
    const step = this.#grain > 0 ? this.#grain - this.#slack : this.#slack
    return Math.min(cutoff, this.#value - Math.max(tolerance, step))
  }

  /** Values are multiples of the grain: a bound above one multiple is a bound at the next. */
  #roundUp(bound: number): number {
    return this.#grain > 0 ? this.#grain * Math.ceil((bound - this.#slack / 2) / this.#grain) : bound
  }

  #isStopped(): boolean {
    this.#stopped ||= this.#options.stop()
    return this.#stopped
  }

  #close(bound: number): void {
    this.#closed = Math.min(this.#closed, bound)
  }

  #offer(sub: Subproblem, values: Uint8Array): void {
    const y = expand(sub, values)
    const value = quadraticValue(this.#q, y)
    if (value >= this.#value) return
    this.#value = value
    this.#y = y
  }

  #visit(node: Node): void {
    const whole = restrict(this.#q, node.fixed)
    const roof = roofDual(whole.rest)
    const bound = Math.max(node.bound, whole.constant + roof.bound)
    if (bound >= this.#target) this.#close(bound)
    else this.#solve({...node, bound}, this.#fixPersistent(whole, roof.half))
  }

  #fixPersistent(sub: Subproblem, half: Float64Array): Subproblem {
    if (half.every(p => p === 0.5)) return sub
    const fixed = sub.fixed.slice()
    sub.free.forEach((i, at) => {
      if (half[at] !== 0.5) fixed[i] = half[at]
    })
    return restrict(this.#q, fixed)
  }

  #solve(node: Node, sub: Subproblem): void {
    if (sub.free.length <= ENUMERATED) {
      const best = enumerateMinimum(sub.rest)
      this.#offer(sub, best.y)
      this.#close(sub.constant + best.value)
      return
    }
    const state = node.state === undefined ? this.#firstState(sub) : inheritState(node.state, sub)
    const {J, constant} = spinForm(sub.rest)
    const relaxation = new SpinRelaxation(J, sub.constant + constant, state.vectors, state.cuts)
    const tightened = tightenRelaxation(relaxation, {
      rounds: node.depth === 0 ? ROOT_ROUNDS : CHILD_ROUNDS,
      age: node.depth === 0 ? 0 : CHILD_AGE,
      target: this.#target,
      stop: () => this.#isStopped()
    })
    const bound = Math.max(node.bound, tightened)
    if (bound < this.#target) this.#roundOff(relaxation, sub)
    if (bound >= this.#target) {
      this.#close(bound)
      return
    }
    const {parts, closed} = splitNode(sub, relaxation, this.#target)
    this.#close(closed)
    for (const part of parts)
      this.#open.push({bound: Math.max(bound, part.bound), depth: node.depth + 1, fixed: part.fixed, state})
  }

  /** A point from the signs of the vectors relative to x_0, improved by a walk. */
  #roundOff(relaxation: SpinRelaxation, sub: Subproblem): void {
    const points = Uint8Array.from(sub.free, (_, at) => (relaxation.products[at + 1] > 0 ? 1 : 0))
    const found = searchMinima(sub.rest, {starts: 0, rng: this.#random, keep: 1, points})
    this.#offer(sub, found.rows)
  }

  /** Random unit vectors and no cuts. */
  #firstState({free}: Subproblem): RelaxationState {
    const n = free.length + 1
    const vectors = Float64Array.from({length: n * RANK}, () => this.#random.next() + this.#random.next() - 1)
    for (let a = 0; a < n; a++) {
      const v = vectors.subarray(a * RANK, (a + 1) * RANK)
      const size = Math.sqrt(v.reduce((sum, x) => sum + x * x, 0))
      for (let d = 0; d < RANK; d++) v[d] /= size
    }
    return {free, vectors, cuts: new TriangleCuts()}
  }
}

/** The greatest whole number that divides every coefficient; 0 when there is none, or none above `least`. */
function grainOf({linear, quadratic}: BinaryQuadratic, least: number): number {
  let grain = 0
  for (const values of [linear, quadratic]) {
    for (let at = 0; at < values.length; at++) {
      let rest = Math.abs(values[at])
      if (!Number.isSafeInteger(rest)) return 0
      while (rest > 0) [grain, rest] = [rest, grain % rest]
    }
  }
  return grain > least ? grain : 0
}
