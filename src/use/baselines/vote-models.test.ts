import fc from 'fast-check'
import {describe, expect, test} from 'vitest'
import {classPrior, sourceVotes, voteGroups} from '../../learn/votes/index.ts'
import {buildCorpus, exclusiveGroups, parseAnchors} from '../../read/data/index.ts'
import {classBeliefs, fitAccuracies, fitDawidSkene, majority, type VoteModel} from './vote-models.ts'

/** Votes of a document as `groupVotes` gives them, from a class or -1 per source. */
const flat = (votes: readonly number[]) => votes.flatMap((vote, source) => (vote < 0 ? [] : [source, vote]))

const anyProblem = fc.integer({min: 2, max: 4}).chain(classes =>
  fc.record({
    classes: fc.constant(classes),
    documents: fc.array(fc.array(fc.integer({min: -1, max: classes - 1}), {minLength: 3, maxLength: 3}), {
      minLength: 2,
      maxLength: 30
    })
  })
)

/** The slow twin of both fits: nested lists, no logarithms, the definition of each step. */
function slowly(documents: readonly (readonly number[])[], C: number, kind: 'free' | 'equal', rounds: number) {
  let beliefs = documents.map(votes => {
    const shares = Array.from({length: C}, (_, c) => votes.filter(vote => vote === c).length + 1 / C)
    return shares.map(share => share / shares.reduce((a, b) => a + b))
  })
  let rate = (_source: number, _label: number, _vote: number) => 0
  let balance: number[] = []
  for (let round = 0; round < rounds; round++) {
    const now = beliefs
    const expected = (source: number, label: number, vote: number) =>
      documents.reduce((sum, votes, d) => sum + (votes[source] === vote ? now[d][label] : 0), 0)
    const labels = [...Array(C).keys()]
    if (kind === 'free') {
      const all = C * 1e-6 + documents.length
      balance = labels.map(c => (now.reduce((sum, belief) => sum + belief[c], 0) + 1e-6) / all)
      const table = documents[0].map((_, source) =>
        labels.map(c => {
          const counts = [...labels, -1].map(vote => expected(source, c, vote) + 0.1)
          return counts.map(count => count / counts.reduce((a, b) => a + b))
        })
      )
      rate = (source, label, vote) => table[source][label][vote < 0 ? C : vote]
    } else {
      balance = labels.map(() => 1 / C)
      const accuracies = documents[0].map((_, source) => {
        const right = labels.reduce((sum, c) => sum + expected(source, c, c), 0)
        const n = documents.filter(votes => votes[source] >= 0).length
        return (right + 0.7 * (n + 4)) / (2 * n + 4)
      })
      rate = (source, label, vote) =>
        vote < 0 ? 1 : vote === label ? accuracies[source] : (1 - accuracies[source]) / (C - 1)
    }
    beliefs = documents.map(votes => {
      const joint = labels.map(c =>
        votes.reduce((product, vote, source) => product * rate(source, c, vote), balance[c])
      )
      return joint.map(one => one / joint.reduce((a, b) => a + b))
    })
  }
  return {beliefs, rate}
}

describe('models of votes', () => {
  test.each([
    ['free', fitDawidSkene],
    ['equal', fitAccuracies]
  ] as const)('rates and beliefs are those of the slow twin after as many rounds, errors %s', (kind, fit) => {
    fc.assert(
      fc.property(anyProblem, ({classes, documents}) => {
        const sizes = {classCount: classes, sourceCount: 3}
        const start = new Float64Array(classes).fill(1 / classes)
        const model = fit(documents.map(flat), sizes, start)
        const {beliefs, rate} = slowly(documents, classes, kind, model.rounds)
        const beliefsOf = classBeliefs(model)
        // The same sums in another order, 200 rounds at most: errors of rounding stay far below 1e-6.
        documents.forEach((votes, d) => {
          beliefsOf(flat(votes)).forEach((belief, c) => {
            expect(belief).toBeCloseTo(beliefs[d][c], 6)
          })
        })
        for (let at = 0; at < model.rates.length; at++) {
          const [row, vote] = [Math.floor(at / (classes + 1)), at % (classes + 1)]
          const slow = rate(Math.floor(row / classes), row % classes, vote === classes ? -1 : vote)
          expect(model.rates[at]).toBeCloseTo(slow, 6)
        }
      }),
      {numRuns: 50}
    )
  })

  test('classBeliefs(...) stay probabilities where a source is never wrong', () => {
    const model: VoteModel = {
      balance: Float64Array.of(0.5, 0.5),
      rates: Float64Array.of(1 - 1e-12, 1e-12, 1e-12, 1e-12, 1 - 1e-12, 1e-12),
      rounds: 1,
      change: 0
    }
    const [first, second] = classBeliefs(model)([0, 1])
    expect([first < 1e-9, second > 1 - 1e-9]).toEqual([true, true])
  })
})

describe('majority and sourceVotes', () => {
  test('majority(...) is the class with the most votes; ties and silence go to the larger share of the balance', () => {
    fc.assert(
      fc.property(fc.array(fc.integer({min: -1, max: 2}), {maxLength: 6}), votes => {
        const balance = Float64Array.of(0.2, 0.5, 0.3)
        const counts = [0, 1, 2].map(c => votes.filter(vote => vote === c).length)
        const most = Math.max(...counts)
        const expected = [1, 2, 0].find(c => counts[c] === most)
        const shares = majority(flat(votes), balance)
        expect(shares.indexOf(Math.max(...shares))).toBe(expected)
        expect(shares.reduce((a, b) => a + b)).toBeCloseTo(1, 12)
      })
    )
  })

  test('voteGroups(...) has one source for all votes of a source, and one for each other member', () => {
    const anchors = parseAnchors(
      JSON.stringify({
        ham: {votes: ['nurse', 'llm'], any: ['x']},
        late: 'z',
        spam: {votes: ['nurse']},
        $exclusive: [{group: ['ham', 'spam'], atMostOne: true}]
      }),
      'anchors.json'
    )
    const rows = [
      {features: ['x', 'z'], votes: {nurse: 'spam', llm: 'ham'}},
      {features: ['z'], votes: {nurse: 'ham'}},
      {features: []}
    ]
    const {lexicon, documents} = buildCorpus(rows, anchors)
    const [group] = voteGroups(lexicon.anchors, exclusiveGroups(lexicon.anchors))
    expect([group.classCount, group.sourceCount]).toEqual([3, 3])
    const [x, nurse, llm] = [0, 1, 2]
    expect(documents.map(({members}) => sourceVotes(group, members))).toEqual([
      [x, 0, llm, 0, nurse, 1],
      [nurse, 0],
      []
    ])
    const balance = classPrior(group, [0.2, 0.9, 0.3])
    expect([...balance]).toEqual([0.2, 0.3, 0.5].map(share => expect.closeTo(share, 12)))
  })
})
