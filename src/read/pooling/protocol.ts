import {
  AdfaError,
  distinctAt,
  type JsonObject,
  jsonFault,
  numberAt,
  objectAt,
  parseJson,
  shownValue,
  textAt,
  wholeAt
} from '../../base/checks/index.ts'
import {crc32, hashShare} from '../../base/numeric/index.ts'
import type {ProtocolMark} from '../counts/index.ts'
import {
  anchorFaults,
  anchorsToJson,
  type Lexicon,
  parseAnchors,
  readingFromJson,
  readingToJson,
  textDefaults
} from '../data/index.ts'
import {checkReleaseRules} from './release.ts'
import type {ReleaseRules} from './withhold.ts'

/**
 * What sites agree on before they count: concepts and their anchors, words, how documents are read, and what they may
 * release. As a file it is small, readable JSON, with the words in any order. Its fingerprint covers all of it, is
 * stored in everything counted by it, and is short enough to compare over the telephone.
 */
export interface Protocol {
  readonly name: string
  readonly lexicon: Lexicon
  readonly labelShare: number
  readonly seed: number
  /** Low-order tables; undefined: whole counts. */
  readonly release: ReleaseRules | undefined
}

const VERSION = 2
const WAY_OUT = 'give a file written by adfa count --protocol'
const KEYS = `format version name fingerprint anchors reading labelShare seed maxOrder minCell words`.split(' ')
const READING_KEYS = [...Object.keys(textDefaults), 'phrases', 'filter', 'skipped']

export function protocolToText(protocol: Protocol): string {
  const {format, version, name, ...rest} = protocolToJson(protocol)
  return `${JSON.stringify({format, version, name, fingerprint: protocolMark(protocol).fingerprint, ...rest}, null, 2)}\n`
}

export function protocolMark(protocol: Protocol): ProtocolMark {
  const content = JSON.stringify(protocolToJson(protocol))
  const sums = [crc32(new TextEncoder().encode(content)), hashShare(content) * 2 ** 32]
  const digits = sums.map(sum => sum.toString(16).padStart(8, '0')).join('')
  return {name: protocol.name, fingerprint: digits.replace(/(.{4})(?=.)/g, '$1-')}
}

/** Read the text of a protocol file; `where` names it in errors. */
export function parseProtocol(text: string, where: string): Protocol {
  try {
    return protocolFromJson(parseJson(text))
  } catch (cause) {
    const fault = jsonFault(text)
    const what = fault === undefined ? (cause as Error).message : `not valid JSON: ${fault}; ${WAY_OUT}`
    throw new AdfaError('bad-file', `${where}: ${what}`, {cause})
  }
}

function protocolFromJson(value: unknown): Protocol {
  const given = objectAt(value, 'a protocol')
  if (given.format !== 'adfa-protocol') throw new Error(`this is not a protocol; ${WAY_OUT}`)
  if (given.version !== VERSION)
    throw new Error(
      `version ${shownValue(given.version)} of the format, and this adfa reads ${VERSION}; ` +
        (Number(given.version) < VERSION ? 'make it again with adfa count --protocol' : 'update adfa')
    )
  checkKeys(given, KEYS, 'a protocol')
  const name = textAt(given.name, '"name"')
  if (name.trim() === '') throw new Error('"name" must have letters')
  const labelShare = numberAt(given.labelShare, '"labelShare"')
  if (!(labelShare >= 0 && labelShare <= 1)) throw new Error(`"labelShare" must be from 0 to 1, not ${labelShare}`)
  const {maxOrder, minCell} = given
  const release =
    maxOrder === undefined && minCell === undefined
      ? undefined
      : {maxOrder: wholeAt(maxOrder, '"maxOrder"'), minCell: wholeAt(minCell, '"minCell"')}
  if (release !== undefined) checkReleaseRules(release)
  const protocol = {name, lexicon: lexiconOf(given), labelShare, seed: wholeAt(given.seed, '"seed"'), release}
  const {fingerprint} = protocolMark(protocol)
  if (given.fingerprint !== undefined && given.fingerprint !== fingerprint)
    throw new Error(
      `it was changed after it was made: its fingerprint says ${shownValue(given.fingerprint)}, its content ${fingerprint}; ask for the ` +
        'original; or, if the change is intended, remove the line "fingerprint" and give the new file to every site'
    )
  return protocol
}

/** The words come in any order, and every list has different texts. */
function lexiconOf({anchors: entries, words, reading: how}: JsonObject): Lexicon {
  const anchors = parseAnchors(JSON.stringify(entries ?? null), '"anchors"')
  checkKeys(objectAt(how, '"reading"'), READING_KEYS, '"reading"')
  const reading = {...readingFromJson(how, '"reading"'), skipped: []}
  texts(reading.phrases, '"reading".phrases')
  const [fault] = anchorFaults(anchors, reading.phrases, reading.reading)
  if (fault !== undefined) throw new Error(`concept "${fault.concept}": ${fault.reason}`)
  return {anchors, words: texts(words, '"words"').sort(), ...reading}
}

/** A misspelt key would be left out in silence, and documents counted otherwise than agreed. */
function checkKeys(given: JsonObject, keys: readonly string[], what: string): void {
  const unknown = Object.keys(given).find(key => !keys.includes(key))
  if (unknown !== undefined) throw new Error(`unknown key "${unknown}"; ${what} has ${keys.join(', ')}`)
}

function texts(value: unknown, place: string): string[] {
  const found = distinctAt(value, place)
  if (found.includes('')) throw new Error(`${place} must have no empty text`)
  return found
}

/** Everything that the fingerprint covers, in order. The reasons for skipped anchors contain exact numbers of one site. */
function protocolToJson({name, lexicon, labelShare, seed, release}: Protocol) {
  const {anchors, words, ...reading} = lexicon
  return {
    format: 'adfa-protocol',
    version: VERSION,
    name,
    anchors: anchorsToJson(anchors),
    reading: readingToJson({...reading, skipped: []}),
    labelShare,
    seed,
    maxOrder: release?.maxOrder,
    minCell: release?.minCell,
    words
  }
}
