import fc from 'fast-check'
import {describe, expect, test} from 'vitest'
import {parseAnchors, textDefaults} from '../data/index.ts'
import {type Protocol, parseProtocol, protocolMark, protocolToText} from './protocol.ts'

const protocol: Protocol = {
  name: 'winter study',
  lexicon: {
    anchors: parseAnchors(
      '{"flu": ["influenza", "text:flu"], "asthma": {"any": ["asthma"], "not": ["no asthma"]}}',
      'a'
    ),
    words: ['__proto__', 'fever', 'text:cough'],
    phrases: ['chest pain'],
    reading: {...textDefaults, text: ['text'], vocabulary: 1000, negation: true},
    filter: undefined,
    skipped: []
  },
  labelShare: 0,
  seed: 3,
  release: {maxOrder: 2, minCell: 10}
}

/** The file with some of it changed; what is undefined is left out. */
const changed = (change: object) => JSON.stringify({...JSON.parse(protocolToText(protocol)), ...change})

const withReading = (change: object) =>
  changed({reading: {...JSON.parse(protocolToText(protocol)).reading, ...change}, fingerprint: undefined})

describe('protocol', () => {
  test('parseProtocol(protocolToText(...)) gives the protocol back, whatever its words', () => {
    expect(parseProtocol(protocolToText(protocol), 'p.json')).toEqual(protocol)
    const bare = {...protocol, release: undefined}
    expect(parseProtocol(protocolToText(bare), 'p.json')).toEqual(bare)
    const filtered = {...protocol, lexicon: {...protocol.lexicon, filter: {minTags: 2, tags: ['a', 'b']}}}
    expect(parseProtocol(protocolToText(filtered), 'p.json')).toEqual(filtered)
    fc.assert(
      fc.property(
        fc.uniqueArray(fc.string({minLength: 1, unit: 'binary'})),
        fc.string({minLength: 1}),
        (words, name) => {
          fc.pre(name.trim() !== '' && words.every(word => !/\p{Cs}/u.test(word)))
          const other = {...protocol, name, lexicon: {...protocol.lexicon, words: words.toSorted()}}
          expect(parseProtocol(protocolToText(other), 'p.json')).toEqual(other)
        }
      ),
      {numRuns: 50}
    )
  })

  test('protocolMark(...) has another fingerprint for every other content, and the same for words in another order', () => {
    const {lexicon} = protocol
    const others: Protocol[] = [
      protocol,
      {...protocol, name: 'summer study'},
      {...protocol, labelShare: 0.1},
      {...protocol, seed: 4},
      {...protocol, release: {maxOrder: 3, minCell: 10}},
      {...protocol, release: {maxOrder: 2, minCell: 11}},
      {...protocol, lexicon: {...lexicon, words: lexicon.words.slice(1)}},
      {...protocol, lexicon: {...lexicon, phrases: []}},
      {...protocol, lexicon: {...lexicon, anchors: lexicon.anchors.toReversed()}},
      {...protocol, lexicon: {...lexicon, reading: {...lexicon.reading, negation: false}}},
      {...protocol, lexicon: {...lexicon, filter: {minTags: 1, tags: ['a']}}}
    ]
    const prints = others.map(other => protocolMark(other).fingerprint)
    expect(new Set(prints).size).toBe(others.length)
    for (const print of prints) expect(print).toMatch(/^[0-9a-f]{4}(-[0-9a-f]{4}){3}$/)
    expect(parseProtocol(changed({words: [...lexicon.words].reverse()}), 'p.json')).toEqual(protocol)
  })

  test('protocolToText(...) does not tell which anchors were left out, for the reasons have numbers in them', () => {
    const skipped = [{concept: 'gout', reason: 'its anchor fires in 2 documents'}]
    const other = {...protocol, lexicon: {...protocol.lexicon, skipped}}
    expect(protocolToText(other)).toBe(protocolToText(protocol))
  })

  test('protocolMark(...) never changes: files in other houses carry it', () => {
    expect(protocolMark(protocol)).toEqual({name: 'winter study', fingerprint: '8efb-a32c-5e47-8852'})
  })

  test('parseProtocol(...) refuses a file that was edited, and takes it without its fingerprint', () => {
    expect(() => parseProtocol(changed({minCell: 5}), 'p.json')).toThrow(
      /^p.json: it was changed after it was made: its fingerprint says .*, its content .*give the new file to every site$/
    )
    expect(parseProtocol(changed({minCell: 5, fingerprint: undefined}), 'p.json').release?.minCell).toBe(5)
  })

  test.each([
    ['{', /p.json: not valid JSON: line 1, .*; give a file written by adfa count --protocol$/],
    ['[]', /p.json: a protocol must be an object, not \[\]/],
    ['{"format": "adfa-model"}', /p.json: this is not a protocol; give a file written by adfa count --protocol/],
    [changed({version: 1}), /version 1 of the format, and this adfa reads 2; make it again with adfa count --protocol/],
    [changed({version: 3}), /version 3 of the format, and this adfa reads 2; update adfa/],
    [changed({wrods: []}), /unknown key "wrods"/],
    [changed({name: ' '}), /"name" must have letters/],
    [changed({labelShare: 2}), /"labelShare" must be from 0 to 1, not 2/],
    [changed({seed: -1}), /"seed" must be a whole number, at least 0, not -1/],
    [changed({words: ['a', 'b', 'a']}), /"words" names "a" twice/],
    [changed({words: ['']}), /"words" must have no empty text/],
    [withReading({phrases: 'chest pain'}), /"reading"\.phrases must be a list, not "chest pain"/],
    [withReading({phrases: ['a b', 'a b']}), /"reading"\.phrases names "a b" twice/],
    [withReading({fliter: {minTags: 1, tags: []}}), /unknown key "fliter"; "reading" has text, /],
    [changed({anchors: {}}), /p.json: "anchors": no concepts defined/],
    [changed({anchors: {pain: 'x', ache: ['y', 'x']}}), /concept "pain": member 'x' is shared with "ache"/],
    [changed({reading: undefined}), /"reading" must be an object, not nothing/],
    [changed({maxOrder: 4}), /`maxOrder` must be a whole number from 1 to 3/],
    [changed({minCell: undefined}), /"minCell" must be a whole number, at least 0, not nothing/]
  ])('parseProtocol(...) refuses what is wrong by name: %#', (text, message) => {
    expect(() => parseProtocol(text, 'p.json')).toThrow(message)
  })
})
