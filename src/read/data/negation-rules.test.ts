import {expect, test} from 'vitest'
import {NEGATION_KINDS, type NegationKind, negationTree, type RuleNode, rulesOf, spellOut} from './negation-rules.ts'
import {negatedTokens} from './test-negation.ts'

// "w o" and "r o" are the words of w/o and r/o.
const spellings = (kind: NegationKind) =>
  rulesOf(kind).flatMap(rule => spellOut(rule.replace(/\.$/, '')).map(words => words.join(' ').replace(': ', '')))
const negates = (text: string) => negatedTokens(text).includes('zebra')

test('markNegation(...) negates what follows each rule of "before"', () => {
  expect(spellings('before').filter(rule => !negates(`there ${rule} zebra`))).toEqual([])
})

test('markNegation(...) negates what stands in front of each rule of "after"', () => {
  expect(spellings('after').filter(rule => !negates(`a zebra: ${rule}`))).toEqual([])
})

test('markNegation(...) negates nothing around each rule of "seeming"', () => {
  expect(spellings('seeming').filter(rule => negates(`zebra ${rule} zebra`))).toEqual([])
})

test('markNegation(...) ends a negation at each rule of "end"', () => {
  expect(spellings('end').filter(rule => negates(`no lion ${rule} zebra`))).toEqual([])
  expect(spellings('end').filter(rule => !negates(`no zebra ${rule} lion`))).toEqual([])
})

test('NEGATION_RULES gives words to one kind alone, unless the clause ends', () => {
  const kinds = new Map<string, Set<NegationKind>>()
  for (const kind of NEGATION_KINDS)
    for (const words of rulesOf(kind).flatMap(spellOut)) {
      const rule = words.join(' ')
      kinds.set(rule, (kinds.get(rule) ?? new Set()).add(kind))
    }
  expect([...kinds].filter(([, of]) => of.size > 1)).toEqual([])
  expect(kinds.size).toBeGreaterThan(1000)
})

test.each([
  ['no', [['no']]],
  [
    '(is|was) [now] gone',
    [
      ['is', 'now', 'gone'],
      ['is', 'gone'],
      ['was', 'now', 'gone'],
      ['was', 'gone']
    ]
  ],
  [
    '[has been|is] ruled out',
    [
      ['has', 'been', 'ruled', 'out'],
      ['is', 'ruled', 'out'],
      ['ruled', 'out']
    ]
  ],
  ["can't be (seen)", [["can't", 'be', 'seen']]]
])('spellOut(%j) is %j', (rule, spelled) => {
  expect(spellOut(rule)).toEqual(spelled)
})

test('negationTree() knows rules that go on, rules that end with the clause, and rules after a colon', () => {
  const root = negationTree()
  const at = (...words: string[]) => words.reduce<RuleNode | undefined>((node, word) => node?.next.get(word), root)
  expect(at('no')).toMatchObject({kind: 'before', kindAtEnd: undefined})
  expect(at('no', 'change')).toMatchObject({kind: 'seeming'})
  expect(at('absent')).toMatchObject({kind: 'before', kindAtEnd: 'after'})
  expect(at('negative')).toMatchObject({kind: undefined, kindAtEnd: 'after'})
  expect(at(':', 'none')).toMatchObject({kind: undefined, kindAtEnd: 'after'})
  expect(at('none')?.kindAtEnd).toBeUndefined()
  expect(at('fever')).toBeUndefined()
})
