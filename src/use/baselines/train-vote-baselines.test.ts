import {describe, expect, test} from 'vitest'
import {rng} from '../../base/numeric/index.ts'
import type {Concept} from '../../learn/model/index.ts'
import {buildCorpus, type Corpus, parseAnchors} from '../../read/data/index.ts'
import {majorityBaseline, trainVoteBaselines} from './train-vote-baselines.ts'

const sources = ['a', 'b', 'c']
const entries = {ham: {votes: sources}, spam: {votes: sources}, late: 'late'}
const concept = (name: string, prevalence: number): Concept => ({
  name,
  truePositive: 0.8,
  falsePositive: 0.1,
  prevalence
})
const concepts = [concept('ham', 0.6), concept('spam', 0.4), concept('late', 0.1)]

/** Documents whose words and votes depend on their class; a third of the documents has no votes. */
function drawCorpus(exclusive: unknown): Corpus {
  const random = rng(3)
  const rows = Array.from({length: 400}, (_, id) => {
    const label = random.next() < 0.5 ? 'ham' : 'spam'
    const other = label === 'ham' ? 'spam' : 'ham'
    const votes = sources.map(source => [source, random.next() < 0.3 ? (random.next() < 0.8 ? label : other) : null])
    const features = [`${label}-word`, ...(random.next() < 0.1 ? ['late'] : [])].filter(() => random.next() < 0.9)
    return {id, features, votes: Object.fromEntries(votes), tags: [label]}
  })
  const anchors = parseAnchors(
    JSON.stringify({...entries, ...(exclusive !== undefined && {$exclusive: exclusive})}),
    'a'
  )
  return buildCorpus(rows, anchors)
}

const corpus = drawCorpus([['ham', 'spam']])

describe('trainVoteBaselines', () => {
  test('is undefined where concepts do not exclude each other', () => {
    const plain = drawCorpus(undefined)
    expect(trainVoteBaselines(plain, concepts)).toBeUndefined()
    expect(majorityBaseline(plain.lexicon, concepts)).toBeUndefined()
  })

  test('reads no tags', () => {
    const untagged = {...corpus, documents: corpus.documents.map(document => ({...document, labels: undefined}))}
    const [with_, without] = [corpus, untagged].map(one => trainVoteBaselines(one, concepts))
    for (const name of ['majority-vote', 'dawid-skene', 'accuracy-model', 'majority-regression'] as const)
      for (const document of corpus.documents.slice(0, 20))
        expect(without?.[name].posterior(document)).toEqual(with_?.[name].posterior(document))
  })

  test('gives probabilities that add up to 1 in a group, and the prevalence of other concepts', () => {
    const trained = trainVoteBaselines(corpus, concepts)
    for (const name of ['majority-vote', 'dawid-skene', 'accuracy-model'] as const)
      for (const document of corpus.documents) {
        const [ham, spam, late] = Array.from(trained?.[name].posterior(document) ?? [])
        // Probabilities beyond 1 - 1e-12 are not told apart.
        expect(ham + spam).toBeCloseTo(1, 10)
        expect(late).toBeCloseTo(0.1, 10)
      }
  })

  test('majority-vote takes the prevalences where nobody votes; the others find the class from more', () => {
    const trained = trainVoteBaselines(corpus, concepts)
    const nothing = {words: [], anchors: [], members: []}
    for (const name of ['majority-vote', 'dawid-skene', 'accuracy-model'] as const)
      expect(trained?.[name].posterior(nothing)[0]).toBeCloseTo(0.6, 10)
    const spamWord = {...nothing, words: [corpus.lexicon.words.indexOf('spam-word')]}
    expect(trained?.['majority-regression'].posterior(spamWord)[1]).toBeGreaterThan(0.6)
    expect(trained?.['dawid-skene'].certificate.em?.[0].change).toBeLessThan(1e-6)
  })

  test('where none may hold, nobody voting means none', () => {
    const open = drawCorpus([{group: ['ham', 'spam'], atMostOne: true}])
    const rare = [concept('ham', 0.2), concept('spam', 0.1), concept('late', 0.1)]
    const trained = trainVoteBaselines(open, rare)
    const nothing = {words: [], anchors: [], members: []}
    expect(Array.from(trained?.['majority-vote'].posterior(nothing) ?? []).slice(0, 2)).toEqual([
      expect.closeTo(0.2, 10),
      expect.closeTo(0.1, 10)
    ])
  })
})
