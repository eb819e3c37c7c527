import {describe, expect, test} from 'vitest'
import {assignment} from '../../../test/golden.ts'
import {coordinatesOf, product} from '../../../test/moment-checks.ts'
import {tablesOf} from '../../../test/problems.ts'
import {largestDifference} from '../../../test/tables.ts'
import {rng} from '../../base/numeric/index.ts'
import {AtomSet} from './atom-set.ts'
import {coordinateCount, type MomentOrder, momentLayout} from './moment-layout.ts'

const orders: readonly MomentOrder[] = [2, 3]

describe.each(orders)('AtomSet of order %i', order => {
  const m = 12
  const layout = momentLayout(m, order)
  const n = coordinateCount(layout)
  const random = rng(order)
  const dense = [0, 1].map(() => Float64Array.from({length: n}, () => random.next()))
  // From nothing on to all on: enough of them that the columns outgrow their first room.
  const rows = [0, 2 ** m - 1, ...Array.from({length: 150}, () => Math.floor(2 ** m * random.next()))]
    .map(code => Uint8Array.from(assignment(code, m)))
    .filter((row, at, all) => all.findIndex(other => other.join() === row.join()) === at)
  const atoms = new AtomSet(layout, dense)
  for (const row of rows) atoms.add(row)
  const written = [...dense, ...rows.map(row => coordinatesOf(layout, tablesOf(layout, [row])))]

  test('AtomSet has its dense points and every vertex once', () => {
    expect(atoms.size).toBe(written.length)
    expect(atoms.coordinateCount).toBe(n)
    const fresh = new AtomSet(layout, dense)
    expect([fresh.add(rows[0]), fresh.add(rows[1]), fresh.add([...rows[0]])]).toEqual([true, true, false])
    expect(fresh.size).toBe(4)
  })

  test('AtomSet.combine(...) is the sum of weight times atom, whatever stood there', () => {
    const weights = Float64Array.from(written, () => random.next() - 0.3)
    const x = new Float64Array(n).fill(7)
    atoms.combine(weights, x)
    for (let e = 0; e < n; e++) {
      const sum = written.reduce((total, atom, a) => total + weights[a] * atom[e], 0)
      // Some 150 terms below 1.
      expect(Math.abs(x[e] - sum)).toBeLessThan(1e-12)
    }
  })

  test('AtomSet.products(...) are those of a vector with every atom', () => {
    const g = Float64Array.from({length: n}, () => random.next() - 0.5)
    const out = new Float64Array(written.length).fill(7)
    atoms.products(g, out)
    written.forEach((atom, a) => {
      expect(Math.abs(out[a] - product(g, atom))).toBeLessThan(1e-12)
    })
  })

  test('AtomSet.combineSingles(...) and singleProducts(...) are what is about singles in combine(...) and products(...)', () => {
    const weights = Float64Array.from(written, () => random.next() - 0.3)
    const [p, x] = [new Float64Array(m).fill(7), new Float64Array(n)]
    atoms.combineSingles(weights, p)
    atoms.combine(weights, x)
    expect(largestDifference(p, x.subarray(0, m))).toBeLessThan(1e-12)
    const g = Float64Array.from({length: n}, (_, e) => (e < m ? random.next() - 0.5 : 0))
    const [singles, whole] = [new Float64Array(written.length).fill(7), new Float64Array(written.length)]
    atoms.singleProducts(g.subarray(0, m), singles)
    atoms.products(g, whole)
    expect(largestDifference(singles, whole)).toBeLessThan(1e-12)
  })

  test('AtomSet.addSingleGram(...) adds the weighted products of all singles with each other', () => {
    const weights = Float64Array.from(written, () => random.next() - 0.3)
    const gram = new Float64Array(m * m).fill(2)
    atoms.addSingleGram(weights, gram)
    for (let i = 0; i < m; i++)
      for (let k = 0; k < m; k++) {
        const sum = written.reduce((total, atom, a) => total + weights[a] * atom[i] * atom[k], 0)
        expect(Math.abs(gram[i * m + k] - 2 - (k <= i ? sum : 0))).toBeLessThan(1e-12)
      }
  })
})
