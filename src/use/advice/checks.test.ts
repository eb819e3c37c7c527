import {expect, test} from 'vitest'
import {countCorpus} from '../../read/counts/index.ts'
import {type Anchors, buildCorpus} from '../../read/data/index.ts'
import {type FindingKind, type Mend, mendOf} from './checks.ts'
import {diagnose} from './diagnose.ts'
import {countPlanted, generated, withMembers} from './test-faults.ts'

/** What the checks find in these texts, 40 documents of each. */
async function findingsOf(anchors: Anchors, texts: readonly string[]) {
  const rows = texts.flatMap(text => Array.from({length: 40}, () => ({text})))
  return (await diagnose(countCorpus(buildCorpus(rows, anchors, {skipBadAnchors: true})))).findings
}

const anchor = (concept: string, ...any: readonly string[]) => ({concept, any, not: [], rates: undefined})
const mends = (findings: Awaited<ReturnType<typeof findingsOf>>, kind: FindingKind) =>
  findings.filter(finding => finding.kind === kind).map(mendOf)

test('mendOf(...) of members that never occur removes them one after the other, until there is none', async () => {
  let anchors = [anchor('heart', 'Heart', 'hart', 'text:Cor Bovinum'), anchor('lung', 'lung')]
  const made: Mend[] = []
  for (;;) {
    const [mend] = mends(await findingsOf(anchors, ['heart x', 'lung y', 'x', 'y']), 'dead-member')
    if (mend?.kind !== 'remove') break
    made.push(mend)
    anchors = anchors.map(one =>
      one.concept === mend.concept ? {...one, any: one.any.filter(name => name !== mend.feature)} : one
    )
  }
  expect(made).toEqual([
    {kind: 'remove', concept: 'heart', feature: 'hart'},
    {kind: 'remove', concept: 'heart', feature: 'text:Cor Bovinum'}
  ])
  expect(anchors[0].any).toEqual(['Heart'])
})

test('mendOf(...) of a member of two concepts removes it from the concept of the finding, by the name it has there', async () => {
  const anchors = [anchor('alcohol', 'drunk', 'etoh'), anchor('fall', 'fell', 'text:ETOH')]
  expect(mends(await findingsOf(anchors, ['drunk x', 'etoh y', 'fell x', 'x', 'y']), 'shared')).toEqual([
    {kind: 'remove', concept: 'alcohol', feature: 'etoh'},
    {kind: 'remove', concept: 'fall', feature: 'text:ETOH'}
  ])
})

test('mendOf(...) of a member that belongs to another concept moves it there', async () => {
  const planted = generated(7, 3000, {concepts: 5, words: 80, prevalence: [0.1, 0.2], memberCount: 2})
  const swapped = withMembers(planted, ({members}) => members.map(w => (w === 1 ? 3 : w === 3 ? 1 : w)))
  const found = mends((await diagnose(countPlanted(swapped))).findings, 'foreign-member')
  expect(found).toContainEqual({kind: 'move', feature: 'anchor-01-b', from: 'concept-01', to: 'concept-02'})
  expect(found).toContainEqual({kind: 'move', feature: 'anchor-02-b', from: 'concept-02', to: 'concept-01'})
})

test('mendOf(...) has no edit where people must decide', async () => {
  const findings = await findingsOf([anchor('rare', 'seldom'), anchor('x', 'x')], ['x y', 'x z', 'x', 'y'])
  expect(findings.length).toBeGreaterThan(0)
  expect(findings.map(mendOf).filter(mend => mend !== undefined)).toEqual([])
})

test('mendOf(...) of negated words reads them as negated', () => {
  const evidence = {documents: 9, negated: 8, examples: []}
  const finding = {concept: 'fever', severity: 'warning', kind: 'negated', evidence} as const
  expect(mendOf(finding)).toEqual({kind: 'negation'})
})
