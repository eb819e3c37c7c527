import {describe, expect, it} from 'vitest'
import {rng} from '../../base/numeric/index.ts'
import {infer} from '../../learn/inference/index.ts'
import {countCorpus} from '../../read/counts/index.ts'
import {buildCorpus} from '../../read/data/index.ts'
import {generateDocuments, randomModel} from '../synthetic/index.ts'
import {anchorRanking, learnRanking, rankBy} from './ranking.ts'

const learnedRanking = async (...given: Parameters<typeof learnRanking>) => rankBy(await learnRanking(...given))
const truth = randomModel({concepts: 4, words: 60}, rng(3))
const documents = [...generateDocuments(truth, 3000, rng(4))]
const corpus = buildCorpus(documents, truth.lexicon.anchors)
const counts = countCorpus(corpus)
const unrated = {
  ...counts,
  lexicon: {...counts.lexicon, anchors: counts.lexicon.anchors.map(anchor => ({...anchor, rates: undefined}))}
}

/** The share of pairs, one concept that a document has and one that it has not, of which the first has more. */
function rankedRight(probabilities: (at: number) => ArrayLike<number>): number {
  let pairs = 0
  let right = 0
  corpus.documents.slice(0, 500).forEach(({labels}, at) => {
    const p = probabilities(at)
    labels?.forEach((present, i) => {
      labels.forEach((absent, k) => {
        if (present !== 1 || absent !== 0) return
        pairs++
        if (p[i] > p[k]) right++
      })
    })
  })
  return right / pairs
}

const evidence = (at: number) => corpus.documents[at]

describe('learnRanking', () => {
  it('learnedRanking(...) without any rates ranks nearly as well as the true model, and better than anchors alone', async () => {
    const best = rankedRight(at => infer(truth, evidence(at)).probabilities)
    const model = await learnedRanking(unrated, undefined)
    const found = rankedRight(at => model.probabilities(evidence(at)))
    const anchors = rankedRight(at => anchorRanking(unrated).probabilities(evidence(at)))
    expect(found).toBeGreaterThan(best - 0.1)
    expect(found).toBeGreaterThan(anchors)
  })
})
