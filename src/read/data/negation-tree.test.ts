import {expect, test} from 'vitest'
import {negationTree, type RuleNode, spellOut} from './negation-tree.ts'

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
