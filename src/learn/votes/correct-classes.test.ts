import {expect, test} from 'vitest'
import {log, rng} from '../../base/numeric/index.ts'
import {countCorpus} from '../../read/counts/index.ts'
import {encodeCorpus, learnLexicon, parseRow, vocabularyDefaults} from '../../read/data/index.ts'
import {predictDocument} from '../../use/prediction/index.ts'
import {learnFromCounts} from '../learn.ts'

/** Two classes with a word each, functions that are often wrong, and one that votes for the other class. */
function documents(count: number, seed: number) {
  const random = rng(seed)
  const happens = (chance: number) => random.next() < chance
  return Array.from({length: count}, (_, d) => {
    const isSpam = happens(0.4)
    const words = [happens(isSpam ? 0.7 : 0.2) ? 'win' : 'hello', `w${d % 9}`, happens(0.5) ? 'you' : 'me']
    const votes = {
      link: happens(isSpam ? 0.5 : 0.2) ? 'spam' : null,
      short: happens(isSpam ? 0.2 : 0.5) ? 'ham' : null,
      // Wrong more often than right.
      odd: happens(isSpam ? 0.1 : 0.4) ? 'spam' : null
    }
    return {id: `${seed}-${d}`, text: words.join(' '), votes, tags: [isSpam ? 'spam' : 'ham']}
  })
}

async function learned(labelled: number, odd = 0) {
  const warnings: string[] = []
  const rows = documents(900, 1).map((row, d) =>
    parseRow(
      d < labelled ? row : d < odd ? {...row, tags: ['ham', 'spam']} : {...row, tags: undefined},
      vocabularyDefaults,
      'row'
    )
  )
  const anchors = ['ham', 'spam'].map(concept => ({
    concept,
    any: concept === 'ham' ? ['votes:short=ham'] : ['votes:link=spam', 'votes:odd=spam'],
    not: [],
    rates: undefined,
    exclusive: {group: 0, size: 2}
  }))
  const lexicon = learnLexicon(rows, {kind: 'given', anchors}, vocabularyDefaults)
  const corpus = encodeCorpus(rows, lexicon)
  const model = await learnFromCounts(
    countCorpus(corpus, {labelShare: 1, seed: 0}),
    corpus,
    {},
    {onWarning: text => warnings.push(text)}
  )
  const {wordModel} = model
  if (wordModel.kind !== 'weights' || wordModel.votes === undefined) throw new Error('votes have weights')
  return {model, wordModel, votes: wordModel.votes[0], warnings}
}

/** Log-likelihood of the classes of new documents, per document, and the share that is right. */
function quality({model}: Awaited<ReturnType<typeof learned>>) {
  const rows = documents(800, 2)
  let [sum, right] = [0, 0]
  for (const {tags, ...row} of rows) {
    const posterior = predictDocument(model, row)
    sum += log(posterior[tags[0]])
    if (posterior[tags[0]] > 0.5) right++
  }
  return {logLikelihood: sum / rows.length, accuracy: right / rows.length}
}

test('labels correct votes that are wrong, one by one', async () => {
  const without = await learned(0)
  const corrected = await learned(300)
  expect(without.wordModel.certificate.labelled).toBeUndefined()
  expect(corrected.wordModel.certificate.labelled).toBe(300)
  // A vote of `odd` for spam counts for spam without labels, and against it by labels.
  const oddFor = ({votes}: typeof without) => votes.weights[2][1] - votes.weights[2][0]
  expect(oddFor(without)).toBeGreaterThan(0)
  expect(oddFor(corrected)).toBeLessThan(0)
  const [before, after] = [quality(without), quality(corrected)]
  // 800 documents: a standard error of .018 of each accuracy, less of their difference.
  expect(after.accuracy).toBeGreaterThan(before.accuracy + 0.04)
  expect(after.logLikelihood).toBeGreaterThan(before.logLikelihood + 0.05)
})

test('fewer than 30 labelled documents correct nothing', async () => {
  const {wordModel} = await learned(29)
  expect(wordModel.certificate.labelled).toBeUndefined()
  expect(wordModel.votes).toEqual((await learned(0)).wordModel.votes)
  expect(wordModel.weights).toEqual((await learned(0)).wordModel.weights)
})

test('labels that name several classes correct nothing, with a warning', async () => {
  const {wordModel, warnings} = await learned(60, 65)
  expect(wordModel.certificate.labelled).toBe(60)
  expect(warnings.at(-1)).toMatch(/^5 labelled documents name several classes of a group/)
})
