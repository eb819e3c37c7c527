import {expect, test} from 'vitest'
import {connectedParts, loneConceptsDot} from './lone-concepts.ts'

function network(parents: readonly (readonly number[])[]) {
  return {parents, cpt: parents.map(list => new Float64Array(2 ** list.length).fill(0.5))}
}

test('connectedParts(...) follows edges both ways', () => {
  expect(connectedParts(network([[], [4], [], [1, 0], [], []]))).toEqual([[0, 1, 3, 4], [2], [5]])
  expect(connectedParts(network([]))).toEqual([])
})

test('loneConceptsDot(...) puts concepts without links in rows, and no others', () => {
  const dot = loneConceptsDot(network([[], [0], ...Array.from({length: 7}, () => [])]))
  expect(dot).toContain('cluster_lone')
  expect(dot).toMatch(/^ +2 -> 3 -> 4 -> 5 -> 6 \[style=invis\]$/m)
  expect(dot).toMatch(/^ +7 -> 8 \[style=invis\]$/m)
  expect(dot).not.toMatch(/\b[01] ->/)
  expect(loneConceptsDot(network([[], [0]]))).not.toContain('cluster')
})

test('loneConceptsDot(...) does not hide the one concept of a row', () => {
  expect(loneConceptsDot(network([[], [], [], [], [], []]))).toMatch(/^ +5$/m)
  expect(loneConceptsDot(network([[]]))).not.toContain('invis')
})

test('loneConceptsDot(...) stacks few parts, and fits many together', () => {
  const pairs = (count: number) => network(Array.from({length: 2 * count}, (_, i) => (i % 2 ? [i - 1] : [])))
  expect(loneConceptsDot(pairs(3))).toContain('array_c1')
  expect(loneConceptsDot(pairs(4))).toContain('clust')
})
