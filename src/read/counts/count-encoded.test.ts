import fc from 'fast-check'
import {expect, it} from 'vitest'
import {anchorRule, DocumentIndex, encodeCorpus, learnLexicon} from '../data/index.ts'
import {anyEdits, anyReading, anyRows, edited, firstAnchors} from '../data/test-edits.ts'
import {messageOf} from '../data/test-rows.ts'
import {countCorpus, countEncoded} from './counter.ts'
import {countsToBytes} from './counts-file.ts'

it('the counts of an index are those of a fresh reading to the byte, with labels, after any edits', () => {
  const readingAndRows = anyReading.chain(options => fc.tuple(fc.constant(options), anyRows(options)))
  const labels = new Map([['1', new Map([['a', true]])]])
  fc.assert(
    fc.property(readingAndRows, anyEdits, fc.constantFrom(0, 0.5, 1), fc.boolean(), (read, edits, labelShare, has) => {
      const [options, rows] = read
      const index = new DocumentIndex(options)
      for (const row of rows) index.add(row)
      let anchors = firstAnchors
      for (const edit of edits) {
        anchors = edited(anchors, edit)
        const given = has ? labels : undefined
        if (messageOf(() => index.encode(anchors, given)) !== undefined) continue
        const fresh = encodeCorpus(rows, learnLexicon(rows, anchorRule(anchors), options), given)
        const bytes = countsToBytes(countEncoded(index.encode(anchors, given), {labelShare, seed: 3}))
        expect(bytes).toEqual(countsToBytes(countCorpus(fresh, {labelShare, seed: 3})))
      }
    })
  )
})
