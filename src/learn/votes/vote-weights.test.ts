import {expect, test} from 'vitest'
import {log} from '../../base/numeric/index.ts'
import {countCorpus} from '../../read/counts/index.ts'
import type {Corpus} from '../../read/data/index.ts'
import {drawDocuments} from '../robust/test-documents.ts'
import {votedCorpus, votedCounts} from './vote-weights.ts'

const {corpus, rates} = drawDocuments(4, 400, 3)

function groupedCorpus(size: number, atMostOne: boolean): Corpus {
  const anchors = corpus.lexicon.anchors.map((anchor, i) =>
    i < size ? {...anchor, exclusive: {group: 0, size, ...(atMostOne && {atMostOne: true as const})}} : anchor
  )
  return {
    lexicon: {...corpus.lexicon, anchors},
    documents: corpus.documents.map(({labels, ...rest}) => ({...rest, labels: undefined}))
  }
}

/** The class of the highest P(class) times the likelihood of all anchors of the group; -1 for none. */
function slowClass(fired: readonly number[], size: number, atMostOne: boolean): number {
  const classes = Array.from({length: size}, (_, i) => i)
  const evidence = (i: number) => {
    const [t, e] = [rates.truePositive[i], rates.falsePositive[i]]
    return fired.includes(i) ? t / e : (1 - t) / (1 - e)
  }
  const none = Math.max(0.01, 1 - classes.reduce((sum, i) => sum + rates.prevalence[i], 0))
  const scores = classes.map(i => log(rates.prevalence[i] * evidence(i)))
  const best = scores.indexOf(Math.max(...scores))
  return atMostOne && scores[best] < log(none) ? -1 : best
}

test('votedCorpus(...) has the most probable class of each document; a whole group leaves documents without votes out', () => {
  for (const [size, atMostOne] of [
    [3, false],
    [3, true],
    [2, false]
  ] as const) {
    const given = groupedCorpus(size, atMostOne)
    const found = votedCorpus(given, rates, [])
    const kept = size === 3 && !atMostOne ? given.documents.filter(({members}) => members.length > 0) : given.documents
    expect(found.documents.map(({key}) => key)).toEqual(kept.map(({key}) => key))
    found.documents.forEach(({anchors, members}, d) => {
      const best = slowClass(kept[d].anchors, size, atMostOne)
      const others = kept[d].anchors.filter(i => i >= size)
      expect(anchors).toEqual([...(best < 0 ? [] : [best]), ...others])
      expect(members).toEqual(anchors)
    })
    // Counts of these documents are those of the counts.
    expect(votedCounts(countCorpus(given), rates, [])).toEqual(countCorpus(found))
  }
  expect(votedCorpus(corpus, rates, [])).toBe(corpus)
})

test('votedCorpus(...) takes the class of the highest evidence by the weights of votes', () => {
  const given = groupedCorpus(3, false)
  const votes = [
    {
      concepts: [0, 1, 2],
      weights: [
        [9, 0, 0],
        [0, 6, 0],
        [0, 0, 3]
      ],
      isFunction: [true, true, true],
      silent: [0, 0, 0]
    }
  ]
  for (const [d, {anchors}] of votedCorpus(given, rates, votes).documents.entries()) {
    const fired = given.documents.filter(({members}) => members.length > 0)[d].anchors
    // The weights outweigh every prevalence, so the first class that fired is the most probable one.
    expect(anchors).toEqual([Math.min(...fired)])
  }
})
