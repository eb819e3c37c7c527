import fc from 'fast-check'
import {describe, expect, test} from 'vitest'
import {parseAnchors, textDefaults} from '../data/index.ts'
import {limitEvidence} from './limit-evidence.ts'

const anchors = parseAnchors(
  JSON.stringify(Object.fromEntries(Array.from({length: 8}, (_, i) => [`c${i}`, [`a${i}`, `b${i}`]]))),
  'anchors.json'
)
const words = Array.from({length: 40}, (_, j) => `w${String(j).padStart(2, '0')}`)
const lexicon = {anchors, words, phrases: [], text: textDefaults, filter: undefined, skipped: []}

const evidences = fc
  .record({
    members: fc.uniqueArray(fc.nat({max: 15}), {maxLength: 16}).map(list => list.sort((a, b) => a - b)),
    words: fc.uniqueArray(fc.nat({max: 39}), {maxLength: 40}).map(list => list.sort((a, b) => a - b))
  })
  .map(({members, words}) => ({members, words, anchors: [...new Set(members.map(member => member >> 1))]}))

describe('limitEvidence', () => {
  test('limitEvidence(...) leaves at most so many concepts and words, in order, all members of a concept or none', () => {
    fc.assert(
      fc.property(
        evidences,
        fc.string(),
        fc.integer({min: 1, max: 9}),
        fc.integer({min: 1, max: 41}),
        (evidence, key, mostAnchors, mostWords) => {
          const left = limitEvidence(lexicon, {mostAnchors, mostWords})(evidence, key)
          expect(left.anchors).toHaveLength(Math.min(mostAnchors, evidence.anchors.length))
          expect(left.words).toHaveLength(Math.min(mostWords, evidence.words.length))
          expect(left.anchors).toEqual(evidence.anchors.filter(concept => left.anchors.includes(concept)))
          expect(left.words).toEqual(evidence.words.filter(word => left.words.includes(word)))
          expect(left.members).toEqual(evidence.members.filter(member => left.anchors.includes(member >> 1)))
        }
      )
    )
  })

  test('limitEvidence(...) favours nobody: over many documents every concept and word stays equally often', () => {
    const limit = limitEvidence(lexicon, {mostAnchors: 2, mostWords: 10})
    const all = {members: [...Array(16).keys()], anchors: [...Array(8).keys()], words: [...Array(40).keys()]}
    const count = 8000
    const stays = {anchors: new Array(8).fill(0), words: new Array(40).fill(0)}
    for (let document = 0; document < count; document++) {
      const left = limit(all, `document-${document}`)
      for (const i of left.anchors) stays.anchors[i]++
      for (const j of left.words) stays.words[j]++
    }
    // Each stays with probability 1/4; 5 standard errors.
    for (const number of [...stays.anchors, ...stays.words])
      expect(Math.abs(number - count / 4)).toBeLessThan(5 * Math.sqrt((count * 3) / 16))
  })

  test('limitEvidence(...) depends on the document and its key alone', () => {
    const limit = limitEvidence(lexicon, {mostAnchors: 2, mostWords: 3})
    const evidence = {members: [0, 2, 4, 6], anchors: [0, 1, 2, 3], words: [1, 2, 3, 4, 5, 6, 7, 8, 9]}
    const once = limit(evidence, 'a')
    limit(evidence, 'b')
    expect(limit(evidence, 'a')).toEqual(once)
  })
})
