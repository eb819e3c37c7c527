/** Drawn votes of sources whose accuracy is known. */
import {type Rng, randomIndex} from '../../src/base/numeric/index.ts'
import {type Counts, countCorpus} from '../../src/read/counts/index.ts'
import {
  anchorRule,
  type Corpus,
  encodeCorpus,
  learnLexicon,
  parseAnchors,
  parseRow,
  vocabularyDefaults
} from '../../src/read/data/index.ts'

interface VotingSource {
  /** P(right | it votes), whatever the class; all errors are equally likely. */
  readonly accuracy: number
  readonly coverage: number
  /** The only class it votes for, if there is one: `accuracy` and `coverage` are then roughly those of its votes. */
  readonly only?: number
}

interface VotingWorld {
  readonly balance: readonly number[]
  readonly sources: readonly VotingSource[]
  /** The chance that a source is right or wrong, or fires, by the same luck as the one before. */
  readonly correlation: number
}

/** A world of sources with accuracies of 50% to 98%: of all classes in every document or in some, or of one class each. */
export function randomVoting(
  random: Rng,
  kind: 'every' | 'some' | 'one class',
  [classes, sources]: readonly [number, number],
  correlation: number
): VotingWorld {
  const weights = Array.from({length: classes}, () => 0.5 + random.next())
  const total = weights.reduce((a, b) => a + b)
  return {
    balance: weights.map(weight => weight / total),
    sources: Array.from({length: sources}, (_, s) => ({
      accuracy: 0.5 + 0.48 * random.next(),
      coverage: kind === 'every' ? 1 : 0.05 + 0.4 * random.next(),
      ...(kind === 'one class' && {only: s % classes})
    })),
    correlation
  }
}

/** Documents as rows: the votes of source s are those of "s0", "s1" and so on, the class that holds is the tag. */
export function drawVotes({balance, sources, correlation}: VotingWorld, documents: number, random: Rng) {
  return Array.from({length: documents}, (_, id) => {
    const at = random.next()
    const sums = balance.map((_, c) => balance.slice(0, c + 1).reduce((sum, share) => sum + share))
    const truth = Math.max(
      0,
      sums.findIndex(sum => at < sum)
    )
    let luck = random.next()
    const votes = sources.map(({accuracy, coverage, only}) => {
      if (random.next() >= correlation) luck = random.next()
      if (only !== undefined) {
        const falsely = (coverage * balance[only] * (1 - accuracy)) / ((1 - balance[only]) * accuracy)
        return luck < (truth === only ? coverage : Math.min(0.9, falsely)) ? only : -1
      }
      if (random.next() >= coverage) return -1
      return luck < accuracy ? truth : (truth + 1 + randomIndex(random, balance.length - 1)) % balance.length
    })
    return {id, truth, votes}
  })
}

type DrawnVotes = ReturnType<typeof drawVotes>

/** The same as a corpus whose labels are the classes that hold; counts read those of `labelShare`. */
export function votingCorpus(drawn: DrawnVotes, classes: readonly string[], labelShare = 0): [Counts, Corpus] {
  const rows = drawn.map(({id, truth, votes}) => ({
    id,
    votes: Object.fromEntries(votes.flatMap((vote, s) => (vote < 0 ? [] : [[`s${s}`, classes[vote]]]))),
    tags: [classes[truth]]
  }))
  const parsed = rows.map((row, at) => parseRow(row, vocabularyDefaults, `row ${at + 1}`))
  const corpus = encodeCorpus(
    parsed,
    learnLexicon(
      parsed,
      anchorRule(parseAnchors(JSON.stringify({$exclusive: [classes]}), 'classes')),
      vocabularyDefaults
    )
  )
  return [countCorpus(corpus, {labelShare, seed: 0}), corpus]
}
