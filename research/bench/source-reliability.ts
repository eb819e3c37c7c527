/**
 * Claim: the 90% intervals of the accuracy of a source of votes hold the truth in at least 85% of the cases, without labels and with few.
 * Compared with the labels of all documents (with half a vote added to the right and half to the wrong ones), for sources of ten votes or
 * more: on the train documents of the WRENCH format, and on drawn votes of sources that vote in every document, in some, or for one class,
 * independent or correlated (half of them err by the same luck as the one before; ten worlds each). "covered" and "error" (root mean square) are with so many
 * labelled documents; "error of 80%" is that of a constant, "width" the mean width without labels, "named" the share of sources whose most
 * frequent error, without labels, is the one by the labels.
 * Last, a class as a concept by itself; where no vote is against it there is no interval.
 *
 * Command: npx tsx research/bench/source-reliability.ts (needs the data beside the checkout)
 */
import {fileURLToPath} from 'node:url'
import {wrench, wrenchClasses} from '../../examples/convert/wrench.ts'
import {type Rng, randomIndex, rng} from '../../src/base/numeric/index.ts'
import {estimateNoise} from '../../src/learn/noise/index.ts'
import {type SourceReliability, sourceReliability} from '../../src/learn/votes/index.ts'
import {type Counts, countCorpus} from '../../src/read/counts/index.ts'
import {
  anchorRule,
  buildCorpus,
  type Corpus,
  encodeCorpus,
  learnLexicon,
  parseAnchors,
  parseRow,
  type Row,
  vocabularyDefaults
} from '../../src/read/data/index.ts'
import {countingDefaults} from '../../src/read/engines/index.ts'
import {dataFolder} from '../quality/corpora.ts'
import {mean} from '../spread.ts'
import {type BenchRow, record, rounded} from './bench.ts'

const LABELLED = [0, 10, 30, 100, 300]
const LEAST_VOTES = 10

const rows: BenchRow[] = []
for (const set of ['youtube', 'trec']) rows.push(measure(set, [await votesOf(set)]))
for (const [kind, classes, sources] of [
  ['every', 2, 5],
  ['every', 4, 5],
  ['some', 2, 10],
  ['some', 4, 10],
  ['one class', 2, 10],
  ['one class', 5, 15]
] as const)
  for (const correlation of [0, 0.5]) {
    const names = Array.from({length: classes}, (_, c) => `class ${c}`)
    const worlds = Array.from({length: 10}, (_, seed) => {
      const random = rng(seed)
      return votingCorpus(drawVotes(randomVoting(random, kind, [classes, sources], correlation), 1500, random), names)
    })
    rows.push(measure(`${kind}, ${classes} classes, ${correlation ? 'correlated' : 'independent'}`, worlds))
  }
for (const isAgainst of [true, false])
  for (const [kind, classes] of [
    ['every', 2],
    ['every', 5],
    ['some', 2],
    ['some', 5]
  ] as const)
    rows.push(measureConcept(kind, classes, isAgainst))
record('source-reliability', 'Accuracy of sources of votes: coverage of 90% intervals', rows)

async function votesOf(set: string): Promise<[Counts, Corpus]> {
  const path = fileURLToPath(new URL(`wrench/${set}/train.json.gz`, dataFolder))
  const read: Row[] = []
  for await (const document of wrench(path)) read.push(parseRow(document, {text: ['text']}, path))
  return corpusOf(read, wrenchClasses(path))
}

/** Documents with votes for exclusive classes. */
function corpusOf(rows: readonly Row[], classes: readonly string[] | undefined): [Counts, Corpus] {
  const rule = anchorRule(parseAnchors(JSON.stringify({$exclusive: [classes]}), 'classes'))
  const corpus = encodeCorpus(rows, learnLexicon(rows, rule, countingDefaults))
  return [countCorpus(corpus), corpus]
}

function measure(votes: string, worlds: readonly (readonly [Counts, Corpus])[]): BenchRow {
  const truths = worlds.map(([counts, corpus]) => accuracies(counts, corpus))
  const found = LABELLED.map(labelled =>
    worlds.flatMap(([counts, corpus], world) => {
      const random = rng(1000 * world + labelled)
      const drawn = new Set(
        [...corpus.documents.keys()]
          .map(at => [random.next(), at] as const)
          .sort(([a], [b]) => a - b)
          .slice(0, labelled)
          .map(([, at]) => at)
      )
      const documents = corpus.documents.map((one, at) => (drawn.has(at) ? one : {...one, labels: undefined}))
      return pairs(reliability(counts, {...corpus, documents}), truths[world])
    })
  )
  const errors = found.map(list => Math.sqrt(mean(list.map(({one, right}) => (one.accuracy.value - right) ** 2))))
  const constant = Math.sqrt(mean(found[0].map(({right}) => (0.8 - right) ** 2)))
  return {
    votes,
    sources: found[0].length,
    ...Object.fromEntries(
      LABELLED.flatMap((labelled, at) => [
        [`covered, ${labelled}`, rounded(mean(found[at].map(({held}) => Number(held))))],
        [`error, ${labelled}`, rounded(errors[at])]
      ])
    ),
    'error of 80%': rounded(constant),
    width: rounded(mean(found[0].map(({one: {accuracy}}) => (accuracy.high ?? 1) - (accuracy.low ?? 0)))),
    named: rounded(mean(found[0].map(({named}) => Number(named))))
  }
}

/** The first class as a concept by itself: votes for other classes are against it, or left out, as in a list of hits. */
function measureConcept(kind: 'every' | 'some', classes: number, isAgainst: boolean): BenchRow {
  const names = Array.from({length: 6}, (_, s) => `s${s}`)
  const anchors = parseAnchors(JSON.stringify({a: {votes: names}}), 'anchors')
  const found = Array.from({length: 20}, (_, seed) => {
    const random = rng(seed)
    const drawn = drawVotes(randomVoting(random, kind, [classes, 6], seed % 2 === 0 ? 0 : 0.5), 1000, random)
    const isShown = (vote: number) => vote === 0 || (vote > 0 && isAgainst)
    const documents = drawn.map(({votes}, id) => ({
      id,
      votes: Object.fromEntries(votes.flatMap((vote, s) => (isShown(vote) ? [[names[s], vote === 0]] : [])))
    }))
    const corpus = buildCorpus(documents, anchors, {maxShare: 1})
    const counts = countCorpus(corpus)
    const {prevalence} = estimateNoise(counts, 'auto')
    return sourceReliability(counts, prevalence, corpus)[0].sources.map(({source, accuracy: {value, low, high}}) => {
      const voted = drawn.filter(({votes}) => isShown(votes[names.indexOf(source)]))
      const isRight = ({votes, truth}: (typeof drawn)[0]) => (votes[names.indexOf(source)] === 0) === (truth === 0)
      const right = (voted.filter(isRight).length + 0.5) / (voted.length + 1)
      return {right, value, held: low === undefined || high === undefined ? undefined : low <= right && right <= high}
    })
  }).flat()
  const held = found.flatMap(one => (one.held === undefined ? [] : [Number(one.held)]))
  return {
    votes: `one of ${classes} classes by itself, ${kind}, ${isAgainst ? 'for and against' : 'for only'}`,
    sources: found.length,
    'covered, 0': held.length === 0 ? 'no interval' : rounded(mean(held)),
    'error, 0': rounded(Math.sqrt(mean(found.map(({value, right}) => (value - right) ** 2)))),
    'error of 80%': rounded(Math.sqrt(mean(found.map(({right}) => (0.8 - right) ** 2))))
  }
}

function reliability(counts: Counts, corpus: Corpus): readonly SourceReliability[] {
  return sourceReliability(counts, estimateNoise(counts, 'auto').prevalence, corpus)[0].sources
}

interface Truth {
  readonly right: number
  readonly votes: number
  readonly mostWrong: string
}

function accuracies({lexicon}: Counts, {documents}: Corpus): Map<string, Truth> {
  const votes = new Map<string, {right: number; all: number; wrong: Map<string, number>}>()
  const members = lexicon.anchors.flatMap(({any}, concept) => any.map(name => ({concept, name})))
  for (const {members: fired, labels} of documents)
    for (const k of fired) {
      const {concept, name} = members[k]
      const source = /votes:(.*)=/.exec(name)?.[1] ?? ''
      const one = votes.get(source) ?? {right: 0, all: 0, wrong: new Map()}
      votes.set(source, one)
      one.all++
      const truth = labels?.indexOf(1) ?? -1
      if (truth === concept) one.right++
      else {
        const key = `${lexicon.anchors[concept].concept} ${lexicon.anchors[truth].concept}`
        one.wrong.set(key, (one.wrong.get(key) ?? 0) + 1)
      }
    }
  return new Map(
    [...votes].map(([source, {right, all, wrong}]) => {
      const [mostWrong = ''] = [...wrong].sort((a, b) => b[1] - a[1]).map(([key]) => key)
      return [source, {right: (right + 0.5) / (all + 1), votes: all, mostWrong}]
    })
  )
}

function pairs(found: readonly SourceReliability[], truths: ReadonlyMap<string, Truth>) {
  return found.flatMap(one => {
    const truth = truths.get(one.source)
    if (truth === undefined || truth.votes < LEAST_VOTES) return []
    const {right, mostWrong} = truth
    const held = (one.accuracy.low ?? 0) <= right && right <= (one.accuracy.high ?? 1)
    const named = likeliestError(one) === mostWrong
    return [{one, right, held, named}]
  })
}

/** Named for any number of classes, unlike `mostWrong`. */
function likeliestError({confusion}: SourceReliability): string | undefined {
  const errors = confusion.flatMap(({vote, votes, truth}) =>
    Object.entries(truth).flatMap(([held, share]) =>
      held === vote ? [] : [{key: `${vote} ${held}`, count: votes * share}]
    )
  )
  return errors.sort((a, b) => b.count - a.count)[0]?.key
}

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
function randomVoting(
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
function drawVotes({balance, sources, correlation}: VotingWorld, documents: number, random: Rng) {
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

/** The same as a corpus whose labels are the classes that hold. */
function votingCorpus(drawn: DrawnVotes, classes: readonly string[]): [Counts, Corpus] {
  const rows = drawn.map(({id, truth, votes}) => ({
    id,
    votes: Object.fromEntries(votes.flatMap((vote, s) => (vote < 0 ? [] : [[`s${s}`, classes[vote]]]))),
    tags: [classes[truth]]
  }))
  return corpusOf(
    rows.map((row, at) => parseRow(row, vocabularyDefaults, `row ${at + 1}`)),
    classes
  )
}
