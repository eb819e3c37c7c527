import {crc32} from '../../base/numeric/index.ts'
import {textToJson} from '../data/index.ts'
import {conceptSetCount, conceptSets} from './concept-sets.ts'
import type {Release} from './release.ts'

/**
 * The release file: JSON Lines that people can read, for they must be able to see what leaves the house.
 *
 * The first line says how the documents were read and by which sites; then comes one line for each set of anchors, with the
 * number of documents where all of them fired and the number of these with each word; then one for the labelled documents of
 * each concept; last the number of lines before it and their CRC-32. Withheld numbers are `[low, high]`. A word that a line
 * does not name is in none of its documents, and a set of anchors without a line never fired. Equal releases give equal bytes.
 */
const FORMAT = 'adfa-release'
export const RELEASE_VERSION = 1
const START = `{"format":"${FORMAT}"`

export function releaseToBytes(release: Release): Uint8Array {
  const body = [...releaseLines(release)].map(line => `${JSON.stringify(line)}\n`)
  const text = new TextEncoder().encode(body.join(''))
  const last = new TextEncoder().encode(`${JSON.stringify({lines: body.length, crc32: crc32(text)})}\n`)
  const bytes = new Uint8Array(text.length + last.length)
  bytes.set(text)
  bytes.set(last, text.length)
  return bytes
}

/** Whether the bytes begin like a release. */
export function isReleaseFile(bytes: Uint8Array): boolean {
  return new TextDecoder('latin1').decode(bytes.subarray(0, START.length)) === START
}

function* releaseLines(release: Release): Generator<object> {
  const {lexicon, labelShare, seed, protocol, maxOrder, sites, low, high, wordLow, wordHigh} = release
  const {anchors, words} = lexicon
  const n = words.length
  const header = {lexicon: {...lexicon, text: textToJson(lexicon.text)}, labelShare, seed, protocol}
  yield {format: FORMAT, version: RELEASE_VERSION, maxOrder, sites, ...header}
  const withWords = conceptSetCount(anchors.length, maxOrder - 1)
  for (const [at, set] of conceptSets(anchors.length, maxOrder).entries()) {
    const row: [string, number | readonly [number, number]][] = []
    for (let cell = at * n; at < withWords && cell < (at + 1) * n; cell++)
      if (wordLow[cell] !== 0 || wordHigh[cell] !== 0) row.push([words[cell % n], told(wordLow[cell], wordHigh[cell])])
    if (at > 0 && row.length === 0 && low[at] === 0 && high[at] === 0) continue
    const names = set.map(i => anchors[i].concept)
    yield {anchors: names, documents: told(low[at], high[at]), ...(at < withWords && {words: row})}
  }
  for (const [i, {concept}] of anchors.entries()) {
    const [silent, falsely, missed, fired] = release.labelled.subarray(4 * i, 4 * i + 4)
    const withheldBy = release.withheldLabels[i]
    if (silent || falsely || missed || fired || withheldBy)
      yield {labelled: concept, absent: {silent, fired: falsely}, present: {silent: missed, fired}, withheldBy}
  }
}

function told(low: number, high: number): number | readonly [number, number] {
  return low === high ? low : [low, high]
}
