import {expect, test} from 'vitest'
import {type Rng, rng} from '../../base/numeric/index.ts'
import type {Anchor} from '../../read/data/index.ts'
import {fitVotes, priorShares, type VotedDocuments} from './fit-votes.ts'
import {voteGroups} from './groups.ts'

/** Anchors of C classes: source s votes for the classes of `supports[s]`. */
function anchorsOf(C: number, supports: readonly (readonly number[])[], rates?: Anchor['rates']): Anchor[] {
  return Array.from({length: C}, (_, c) => ({
    concept: `c${c}`,
    any: supports.flatMap((own, s) => (own.includes(c) ? [`votes:s${s}=c${c}`] : [])),
    not: [],
    rates,
    exclusive: {group: 0, size: C}
  }))
}

function draw(random: Rng, chances: readonly number[]): number {
  let rest = random.next()
  for (let at = 0; at < chances.length - 1; at++) {
    rest -= chances[at]
    if (rest < 0) return at
  }
  return chances.length - 1
}

/** Annotators with these tables of P(vote | class), who judge each document with a chance of `coverage`. */
function annotated(tables: readonly (readonly (readonly number[])[])[], balance: readonly number[], coverage: number) {
  const random = rng(3)
  const C = balance.length
  const [group] = voteGroups(
    anchorsOf(
      C,
      tables.map(() => [...balance.keys()])
    )
  )
  const truth: number[] = []
  const documents: VotedDocuments[] = Array.from({length: 3000}, () => {
    const y = draw(random, balance)
    truth.push(y)
    const votes = tables.flatMap((table, s) => {
      if (random.next() >= coverage) return []
      const vote = draw(random, table[y])
      return [group.labels.findIndex((label, k) => label === vote && group.sources[k] === s)]
    })
    return {votes, documents: 1}
  })
  return {group, documents, truth}
}

/** P(vote | class) of four annotators: each class has its own accuracy, and errors are for the next class more often. */
const TABLES = [0.9, 0.8, 0.7, 0.5].map((accuracy, s) =>
  [0, 1, 2].map(y => {
    const right = accuracy - 0.1 * ((y + s) % 3)
    return [0, 1, 2].map(vote => (vote === y ? right : (1 - right) * (vote === (y + 1) % 3 ? 0.7 : 0.3)))
  })
)

test('fitVotes(...) of annotators finds their tables and the balance without labels', () => {
  const balance = [0.5, 0.3, 0.2]
  const {group, documents} = annotated(TABLES, balance, 0.9)
  const {shares, weights} = fitVotes(group, documents)
  // 3,000 documents: standard errors up to .01 of a share by labels; about three times that by agreement alone.
  shares.forEach(({prevalence}, c) => {
    expect(Math.abs(prevalence - balance[c])).toBeLessThan(0.06)
  })
  expect(weights.isFunction.every(isFunction => !isFunction)).toBe(true)
  expect(weights.silent).toEqual([0, 0, 0])
  weights.weights.forEach((row, k) => {
    const table = TABLES[group.sources[k]]
    const vote = group.labels[k]
    const chance = balance.reduce((sum, p, c) => sum + p * table[c][vote], 0)
    row.forEach((weight, c) => {
      // The standard error of a rate of .2 in 600 documents is .016 by labels, 8%: about three times that, and 30 rounds of EM,
      // by agreement. Smaller rates are known to within a factor of two or so.
      if (table[c][vote] >= 0.2) expect(Math.abs(weight - Math.log(table[c][vote] / chance))).toBeLessThan(0.3)
    })
  })
})

test('fitVotes(...) takes sources of several classes for functions where few judge the same document', () => {
  const {group, documents} = annotated(TABLES, [0.5, 0.3, 0.2], 0.3)
  // 0.3 x 4 votes per document, 1.6 in documents that have any: below two.
  expect(fitVotes(group, documents).weights.isFunction.every(Boolean)).toBe(true)
})

/** The recipe of functions, written out: three rounds from the usual row of the class. */
function slowFunctions(C: number, functions: readonly number[], documents: readonly (readonly number[])[]) {
  const classes = Array.from({length: C}, (_, c) => c)
  const firing = classes.map(c => documents.filter(votes => votes.some(k => functions[k] === c)).length / 400)
  const shares = priorShares(firing)
  const usual = functions.map(own =>
    shares.map(({prevalence: p}, c) => {
      const {prevalence, precision} = shares[own]
      return c === own ? precision : ((1 - precision) * p) / (1 - prevalence)
    })
  )
  const silent = shares.map(({prevalence: p, precision: r}, c) =>
    Math.log((1 - (r * firing[c]) / p) / (1 - ((1 - r) * firing[c]) / (1 - p)))
  )
  let truth = usual
  for (let round = 0; round < 3; round++) {
    const beliefs = documents.map(votes => {
      const scores = shares.map(({prevalence}, c) => {
        const fromVotes = votes.reduce((sum, k) => {
          const alike = votes.filter(other => functions[other] === functions[k]).length
          return sum + Math.log(truth[k][c] / prevalence) / Math.sqrt(alike)
        }, Math.log(prevalence))
        return Math.exp(fromVotes + (votes.some(k => functions[k] === c) ? 0 : silent[c]))
      })
      return scores.map(score => score / scores.reduce((all, one) => all + one, 0))
    })
    truth = usual.map((row, k) => {
      const own = documents.flatMap((votes, d) => (votes.includes(k) ? [beliefs[d]] : []))
      return row.map((share, c) => {
        const sum = own.reduce((all, belief) => all + belief[c], 0)
        return (sum + (4 + own.length) * share) / (2 * own.length + 4)
      })
    })
  }
  return {truth, silent, shares}
}

test('fitVotes(...) of functions is the recipe, written out', () => {
  const functions = [0, 0, 1, 1, 2]
  const random = rng(11)
  const documents = Array.from({length: 400}, () => {
    const y = draw(random, [0.4, 0.4, 0.2])
    return functions.flatMap((c, k) => (random.next() < (c === y ? 0.5 : 0.1 + 0.02 * k) ? [k] : []))
  })
  const supports = functions.map(c => [c])
  const [group] = voteGroups(anchorsOf(3, supports))
  const slow = slowFunctions(3, functions, documents)
  const voted = documents.map(votes => ({votes, documents: 1}))
  const {weights, truth, shares} = fitVotes(group, voted)
  // Sums of 400 numbers, in another order.
  slow.truth.forEach((row, k) => {
    row.forEach((share, c) => {
      expect(truth[k][c]).toBeCloseTo(share, 9)
      expect(weights.weights[k][c]).toBeCloseTo(Math.log(share / shares[c].prevalence), 9)
    })
  })
  weights.silent.forEach((value, c) => {
    expect(value).toBeCloseTo(slow.silent[c], 9)
  })
  expect(shares).toEqual(slow.shares)
})

test('fitVotes(...) keeps the shares of an anchors file, and takes words as evidence', () => {
  const given = {kind: 'shares', prevalence: 0.5, precision: 0.9} as const
  const [group] = voteGroups(anchorsOf(2, [[0], [1], [1]], given))
  const votes = [[0], [1], [1, 2], [0, 2], []].map(own => ({votes: own, documents: 20}))
  const plain = fitVotes(group, votes)
  expect(plain.shares.map(({prevalence}) => prevalence)).toEqual([0.5, 0.5])
  // Words against class 1 in all its documents lower the precision of its functions.
  const doubted = fitVotes(
    group,
    votes.map(one => ({...one, words: [2, -2]}))
  )
  expect(doubted.weights.weights[1][1]).toBeLessThan(plain.weights.weights[1][1])
  expect(doubted.weights.weights[0][0]).toBeGreaterThan(plain.weights.weights[0][0])
})
