/** Smaller violations are ignored: the cut would hardly move the bound. */
const LEAST_VIOLATION = 0.01

/** Products of unit vectors violate by at most 1/2; violations are sorted to 1/128. */
const BUCKETS = 64
const BUCKETS_PER_UNIT = 128

/**
 * Triangle inequalities with their multipliers. Signs x_a, x_b, x_c of any three variables obey
 * `(x_a + beta x_b + gamma x_c)^2 >= 1` for beta, gamma = +1 or -1, so the products X obey
 * `beta X_ab + gamma X_ac + beta gamma X_bc >= -1`; a < b < c.
 */
export class TriangleCuts {
  count = 0
  a = new Int32Array(64)
  b = new Int32Array(64)
  c = new Int32Array(64)
  beta = new Int8Array(64)
  gamma = new Int8Array(64)
  multiplier = new Float64Array(64)

  /** Plain numbers, not a record, here and below: these run in inner loops. */
  add(a: number, b: number, c: number, beta: number, gamma: number, multiplier: number): void {
    if (this.count === this.a.length) this.#grow()
    const at = this.count++
    this.a[at] = a
    this.b[at] = b
    this.c[at] = c
    this.beta[at] = beta
    this.gamma[at] = gamma
    this.multiplier[at] = multiplier
  }

  /** Drop the cuts whose multiplier is 0. */
  dropIdle(): void {
    const columns = [this.a, this.b, this.c, this.beta, this.gamma, this.multiplier]
    let kept = 0
    for (let at = 0; at < this.count; at++) {
      if (this.multiplier[at] === 0) continue
      for (const column of columns) column[kept] = column[at]
      kept++
    }
    this.count = kept
  }

  /**
   * Add about `budget` of the inequalities that the n x n matrix X of products violates most. Two passes over all
   * triples: the first counts violations by size, the second adds those above the size that fills the budget.
   */
  separate(X: Float64Array, n: number, budget: number): void {
    const known = new Set<number>()
    for (let at = 0; at < this.count; at++)
      known.add(cutKey(n, this.a[at], this.b[at], this.c[at], this.beta[at], this.gamma[at]))
    const sizes = new Int32Array(BUCKETS + 1)
    visitViolated(X, n, LEAST_VIOLATION, violation => {
      sizes[Math.min(BUCKETS, Math.floor(violation * BUCKETS_PER_UNIT))]++
    })
    let wanted = 0
    let least = BUCKETS
    while (least > 0 && wanted + sizes[least] <= budget + known.size) wanted += sizes[least--]
    let left = budget
    visitViolated(X, n, Math.max(LEAST_VIOLATION, least / BUCKETS_PER_UNIT), (_, a, b, c, beta, gamma) => {
      if (left === 0 || known.has(cutKey(n, a, b, c, beta, gamma))) return
      this.add(a, b, c, beta, gamma, 0)
      left--
    })
  }

  #grow(): void {
    const longer = <T extends Int32Array | Int8Array | Float64Array>(old: T, empty: T): T => {
      empty.set(old)
      return empty
    }
    const length = 2 * this.a.length
    this.a = longer(this.a, new Int32Array(length))
    this.b = longer(this.b, new Int32Array(length))
    this.c = longer(this.c, new Int32Array(length))
    this.beta = longer(this.beta, new Int8Array(length))
    this.gamma = longer(this.gamma, new Int8Array(length))
    this.multiplier = longer(this.multiplier, new Float64Array(length))
  }
}

function cutKey(n: number, a: number, b: number, c: number, beta: number, gamma: number): number {
  return 4 * ((a * n + b) * n + c) + (1 + beta) + (1 + gamma) / 2
}

type Visit = (violation: number, a: number, b: number, c: number, beta: number, gamma: number) => void

/** Visit the most violated of the four inequalities of each triple, where it is violated by more than `least`. */
function visitViolated(X: Float64Array, n: number, least: number, visit: Visit): void {
  for (let a = 0; a < n; a++) {
    for (let b = a + 1; b < n; b++) {
      const ab = X[a * n + b]
      for (let c = b + 1; c < n; c++) {
        const ac = X[a * n + c]
        const bc = X[b * n + c]
        // The signs of the three products have s1 s2 s3 = 1: the sum is least when each is opposite to its product or,
        // where that has the wrong sign, when all but the smallest are.
        const u = Math.abs(ab)
        const v = Math.abs(ac)
        const w = Math.abs(bc)
        const free = (ab > 0 ? -1 : 1) * (ac > 0 ? -1 : 1) * (bc > 0 ? -1 : 1) > 0
        const least3 = u < v ? (u < w ? u : w) : v < w ? v : w
        const violation = u + v + w - 1 - (free ? 0 : 2 * least3)
        if (violation <= least) continue
        let beta = ab > 0 ? -1 : 1
        let gamma = ac > 0 ? -1 : 1
        if (!free) {
          if (least3 === u) beta = -beta
          else if (least3 === v) gamma = -gamma
        }
        visit(violation, a, b, c, beta, gamma)
      }
    }
  }
}
