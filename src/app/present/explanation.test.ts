import {describe, expect, test} from 'vitest'
import type {Contribution, Explanation} from '../../use/prediction/index.ts'
import {emergencyModel} from '../../use/synthetic/index.ts'
import {blocksText, explanationBlocks, rowLabel, signed, waterfall} from './index.ts'

const certificate = {method: 'exact', status: 'exact', steps: 2} as const

function explanationOf(...rest: readonly Contribution[]): Explanation {
  const contributions: Contribution[] = [{kind: 'prior', probability: 0.12, logOdds: -2}, ...rest]
  const logOdds = contributions.reduce((sum, item) => sum + item.logOdds, 0)
  const probability = 1 / (1 + Math.exp(-logOdds))
  const posterior = {probabilities: Float64Array.of(probability), certificate}
  return {concept: 'asthma', probability, scores: [], logOdds, contributions, otherWords: 0, posterior}
}

const word = (name: string, logOdds: number): Contribution => ({
  kind: 'word',
  word: name,
  present: logOdds > 0,
  logOdds,
  otherwise: 0.3
})

/** The rows without the last, which is all of them together, with their labels. */
function waterfallRows(explanation: Explanation) {
  return waterfall(explanation)
    .rows.slice(0, -1)
    .map(row => ({...row, label: rowLabel(row)}))
}

describe('waterfallRows(...)', () => {
  test('waterfallRows(...) starts with the prior, goes on with the strongest, and ends with sums', () => {
    const rest: Contribution = {kind: 'rest', of: 'absent-words', count: 9, logOdds: -4}
    const rows = waterfallRows(explanationOf(rest, word('mild', 0.4), word('wheeze', 3), word('cough', -1)))
    expect(rows).toMatchObject([
      {label: 'found in 12% of all documents', logOdds: -2, from: 0, to: -2, otherwise: ''},
      {label: '"wheeze" occurs', logOdds: 3, from: -2, to: 1, otherwise: '30% without it'},
      {label: '"cough" does not occur', logOdds: -1, from: 1, to: 0, otherwise: '30% if it did'},
      {label: '"mild" occurs', logOdds: 0.4, from: 0, to: 0.4, otherwise: '30% without it'},
      {label: '9 other words that do not occur', logOdds: -4, from: 0.4, to: -3.6, otherwise: ''}
    ])
  })

  test('waterfallRows(...) has the interval of a word where it is known', () => {
    const known = {...word('wheeze', 3), low: -0.2, high: 3.8}
    const rows = waterfallRows(explanationOf(known, word('cough', -1)))
    expect(rows.map(({interval}) => interval)).toEqual([undefined, '-0.20 to +3.80', undefined])
  })

  test('waterfallRows(...) ends at the log-odds, however many steps are left over', () => {
    for (const count of [5, 17, 30]) {
      const words = Array.from({length: count}, (_, j) => word(`w${j}`, 0.02 * (j - 10)))
      const explanation = explanationOf(...words)
      const rows = waterfallRows(explanation)
      expect(rows.at(-1)?.to).toBeCloseTo(explanation.logOdds, 12)
      expect(rows.length).toBeLessThanOrEqual(19)
    }
    const even = Array.from({length: 40}, (_, j) => word(`w${j}`, j % 2 === 0 ? 0.04 : -0.04))
    expect(waterfallRows(explanationOf(...even)).slice(1)).toMatchObject([
      {label: '20 smaller reasons for it', logOdds: expect.closeTo(0.8, 12)},
      {label: '20 smaller reasons against it', logOdds: expect.closeTo(-0.8, 12)}
    ])
  })

  test('waterfallRows(...) names a small step that is the only one, and has one line for a few', () => {
    const labels = (...items: readonly Contribution[]) =>
      waterfallRows(explanationOf(...items, word('wheeze', 3))).map(({label}) => label)
    expect(labels(word('mild', 0.01)).slice(1)).toEqual(['"wheeze" occurs', '"mild" occurs'])
    const few = [word('mild', 0.04), word('very', -0.03), word('slight', 0.04)]
    expect(labels(...few).slice(1)).toEqual(['"wheeze" occurs', '3 smaller reasons'])
    expect(labels(word('text:the', 0.4), word('of', 0.3)).slice(1)).toEqual(['"wheeze" occurs', '2 function words'])
  })

  test('waterfallRows(...) says how many members or sources agree, and the factor of the odds', () => {
    const label = (fired: readonly string[], silent: readonly string[], logOdds: number) =>
      waterfallRows(explanationOf({kind: 'members', fired, silent, logOdds}))[1].label
    expect(label(['title:soy sauce'], ['text:soy sauce'], Math.log(0.8))).toContain('1 of 2 members')
    expect(label(['cold'], ['text:flu', 'text:cold'], 0)).toContain("odds x 1.0 ('cold')")
    expect(label(['votes:a=spam', 'votes:b=spam'], ['votes:c=spam'], 1)).toBe(
      "2 of 3 sources vote for it: odds x 2.7 ('a', 'b')"
    )
  })

  test('waterfallRows(...) has words for each kind of evidence, and for its reversal', () => {
    const concept = {kind: 'concept', fired: false, linked: false, sharedWords: [], otherwise: 0.5} as const
    const items: readonly (readonly [Contribution, label: string, otherwise: string])[] = [
      [{kind: 'anchor', fired: true, logOdds: 6, otherwise: 0.021}, 'its anchor fires', '2.1% if it did not'],
      [{kind: 'anchor', fired: false, logOdds: -5, otherwise: 1}, 'its anchor does not fire', '100% if it did'],
      [
        {kind: 'known', concept: 'fever', present: true, logOdds: 4, otherwise: 0.2},
        'known: fever is present',
        '20% were it absent'
      ],
      [
        {...concept, concept: 'a', probability: 0.9, linked: true, sharedWords: ['x', 'y'], logOdds: -3},
        'a (90%): linked in the network; accounts for "x", "y"',
        '50% were it absent'
      ],
      [
        {...concept, concept: 'b', probability: 0.1, sharedWords: ['x'], logOdds: 2},
        'b (10%): hardly accounts for "x"',
        '50% were it present'
      ],
      [
        {...concept, concept: 'c', probability: 0.9, fired: true, logOdds: 1},
        'c (90%): its anchor fires',
        '50% were it absent'
      ],
      [{kind: 'vote', feature: 'votes:a=spam', logOdds: 0.9, otherwise: 0.3}, 'a votes spam', '30% without it'],
      [{kind: 'no-vote', logOdds: -0.8}, 'nothing votes for it', ''],
      [{kind: 'exclusive', others: ['ham'], logOdds: 0.7}, 'it and ham exclude each other', ''],
      [{kind: 'balance', logOdds: -3}, 'baseline of a typical document', ''],
      [{kind: 'rest', of: 'concepts', count: 1200, logOdds: 0.3}, '1,200 other concepts', ''],
      [{kind: 'rest', of: 'known-tags', count: 2, logOdds: 0.2}, '2 other known tags', ''],
      [{kind: 'rest', of: 'absent-words', count: 1, logOdds: -0.1}, '1 other word that does not occur', ''],
      [{kind: 'rest', of: 'concepts-jointly', count: 3, logOdds: 0.05}, 'joint effect of the other concepts', '']
    ]
    const rows = waterfallRows(explanationOf(...items.map(([item]) => item))).slice(1)
    expect(rows.map(({label, otherwise}) => [label, otherwise])).toEqual(items.map(([, ...texts]) => texts))
    expect(rows.map(({item}) => item)).toEqual(items.map(([item]) => item))
    expect([rows[4].head, rows[4].why]).toEqual(['b (10%)', 'hardly accounts for "x"'])
  })

  test('waterfall(...) ends with all steps together, and places every step within its scale, certainty at the end', () => {
    const {rows, low, high, place} = waterfall(explanationOf(word('wheeze', 3)))
    expect(rows.at(-1)).toMatchObject({head: 'together', isWhole: true, from: 0, to: 1})
    expect([low, high, place(-2), place(0), place(1)]).toEqual([-2, 1, 0, expect.closeTo(2 / 3, 12), 1])
    const certain = waterfall(explanationOf(word('only', Number.POSITIVE_INFINITY)))
    expect([certain.low, certain.high, certain.place(Number.POSITIVE_INFINITY)]).toEqual([-2, 1.5, 1])
    const never = waterfall(explanationOf({...word('only', Number.NEGATIVE_INFINITY)}))
    expect([never.high, never.place(Number.NEGATIVE_INFINITY)]).toEqual([0, 0])
    expect(never.place(-2)).toBeGreaterThan(0)
  })
})

describe('explanationBlocks(...)', () => {
  const text = (explanation: Explanation, columns = 120) =>
    blocksText(explanationBlocks(emergencyModel(), explanation, columns))

  test('explanationBlocks(...) draws each step from where the last one ended, within the columns', () => {
    const lines = text(explanationOf(word('wheeze', 3), word('cough', -1))).split('\n')
    const bars = lines.flatMap(line => / ([-+]\d\.\d\d) {2}([-+| ]{1,24})/.exec(line)?.slice(1) ?? [])
    expect(bars.filter((_, at) => at % 2 === 0)).toEqual(['-2.00', '+3.00', '-1.00'])
    const ends = bars.filter((_, at) => at % 2 === 1).map(bar => [bar.search(/[-+]/), bar.trimEnd().length])
    expect(ends[1][0]).toBe(ends[0][0])
    expect(ends[2][1]).toBe(ends[1][1])
    const long = text(explanationOf(word('x'.repeat(200), 3)), 80)
    expect(
      Math.max(
        ...long
          .split('\n')
          .slice(2, -3)
          .map(line => line.length)
      )
    ).toBeLessThanOrEqual(110)
  })

  test('explanationBlocks(...) shows no control characters of words', () => {
    expect(text(explanationOf(word('a\x1b[2J\u202e', 3))).replaceAll('\n', '')).not.toMatch(/[\p{Cc}\u202e]/u)
  })
})

test('signed(...) never rounds to certainty', () => {
  expect([1.204, -0.355, 0.001, -0.001, Number.POSITIVE_INFINITY].map(signed)).toEqual([
    '+1.20',
    '-0.35',
    '0.00',
    '0.00',
    'certain'
  ])
})
