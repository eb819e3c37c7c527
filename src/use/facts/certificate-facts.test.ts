import {describe, expect, test} from 'vitest'
import {certificateFacts, describeTables, edgeKey} from './certificate-facts.ts'

describe('certificateFacts', () => {
  test('certificateFacts(...) of a model without a certificate has nothing to say', () => {
    expect(Object.values(certificateFacts({certificate: {}})).every(part => part === undefined)).toBe(true)
  })

  test('certificateFacts(...) leaves out what is malformed instead of failing', () => {
    const facts = certificateFacts({
      certificate: {noise: 3, moments: {gap: 'small'}, structure: [], intervals: {level: 0.95}}
    })
    expect(Object.values(facts).every(part => part === undefined)).toBe(true)
  })

  test('certificateFacts(...) reads rates by concept', () => {
    const certainly = {value: 0.2, low: 0.2, high: 0.2}
    const concept = {
      concept: '__proto__',
      prevalence: certainly,
      precision: {value: 0.9, low: 0.8, high: 0.95},
      sources: ['guess', 'pair'],
      basis: 'constant'
    }
    const noise = {method: 'auto', labelledCount: 7, clippedPrevalence: ['b'], concepts: [concept]}
    const facts = certificateFacts({certificate: {noise}}).noise
    expect(facts).toMatchObject({method: 'auto', labelledCount: 7, clipped: ['b']})
    expect(facts?.concepts.get('__proto__')).toEqual(concept)
    // A method that was asked for by name is the source, whatever stands beside it.
    const given = certificateFacts({certificate: {noise: {...noise, method: 'given'}}}).noise
    expect(given?.concepts.get('__proto__')?.sources).toEqual(['given'])
  })

  test('certificateFacts(...) reads intervals by concept, and edges whichever way they point', () => {
    const concepts = [{name: 'a', prevalence: [0.1, 0.2], truePositive: [0.3, 0.4], falsePositive: [0.01, 0.02]}]
    const edges = [{parent: 'b', child: 'a', confidence: 0.75}]
    const {intervals} = certificateFacts({
      certificate: {intervals: {level: 0.9, replicates: 20, refused: 1, concepts, edges}}
    })
    expect(intervals).toMatchObject({level: 0.9, replicates: 20, refused: 1})
    expect(intervals?.concepts.get('a')?.truePositive).toEqual([0.3, 0.4])
    expect(intervals?.edges.get(edgeKey('a', 'b'))).toBe(0.75)
  })

  test('certificateFacts(...) reads the certificate of pairs, if it is whole', () => {
    const pairs = {method: 'pairs', status: 'optimal', couplings: 10, edges: 3, couplingShare: 1, residual: 0.001}
    expect(certificateFacts({certificate: {structure: pairs}}).structure).toEqual(pairs)
    expect(certificateFacts({certificate: {structure: {...pairs, couplings: 'ten'}}}).structure).toBeUndefined()
  })
})

test('describeTables(...) says in one sentence from what tables a model was fitted', () => {
  const text = (...minCells: number[]) => {
    const sites = minCells.map((minCell, at) => ({name: `${at}`, documents: 100, minCell}))
    return describeTables({maxOrder: 2, numbers: 25_000, withheld: 312, sites})
  }
  expect(text(10, 10, 10)).toBe(
    'tables of at most 2 anchors or words from 3 sites; cells below 10 withheld: 312 of 25,000 numbers'
  )
  expect(text(0)).toBe('tables of at most 2 anchors or words from 1 site; nothing withheld')
  expect(text(20, 0, 10)).toMatch(/cells below 10 or 20 withheld/)
})
