import {AdfaError, type JsonObject, parseJson, shownValue} from '../../base/checks/index.ts'
import {crc32, hashShare} from '../../base/numeric/index.ts'
import type {ProtocolMark} from '../counts/index.ts'
import {
  type Anchors,
  anchorFaults,
  anchorsToJson,
  fieldNames,
  indexAnchors,
  type Lexicon,
  parseAnchors,
  type TextOptions,
  textFromJson,
  textToJson
} from '../data/index.ts'
import type {ReleaseRules} from './release.ts'
import {checkReleaseRules} from './release-counts.ts'

/**
 * What sites agree on before they count: concepts and their anchors, words, how documents are read, and what they may
 * release. As a file it is small, readable JSON, with the words in any order. Its fingerprint covers all of it, is stored
 * in everything counted by it, and is short enough to compare over the telephone.
 */
export interface Protocol {
  readonly name: string
  readonly lexicon: Lexicon
  readonly labelShare: number
  readonly seed: number
  /** Low-order tables; undefined: whole counts. */
  readonly release: ReleaseRules | undefined
}

const VERSION = 1
const KEYS = `format version name fingerprint anchors text phrases filter labelShare seed maxOrder minCell words`.split(
  ' '
)

export function protocolToText(protocol: Protocol): string {
  const {format, version, name, ...rest} = protocolToJson(protocol)
  return `${JSON.stringify({format, version, name, fingerprint: protocolMark(protocol).fingerprint, ...rest}, null, 2)}\n`
}

/** The name of a protocol and the fingerprint of its content. */
export function protocolMark(protocol: Protocol): ProtocolMark {
  const content = JSON.stringify(protocolToJson(protocol))
  const sums = [crc32(new TextEncoder().encode(content)), hashShare(content) * 2 ** 32]
  const digits = sums.map(sum => sum.toString(16).padStart(8, '0')).join('')
  return {name: protocol.name, fingerprint: digits.replace(/(.{4})(?=.)/g, '$1-')}
}

/** Read the text of a protocol file; `where` names it in errors. */
export function parseProtocol(text: string, where: string): Protocol {
  const refuse = (fault: string) => new AdfaError('bad-file', `${where}: ${fault}`)
  const given = parseObject(text, refuse)
  if (given.format !== 'adfa-protocol') throw refuse('not a protocol; give a file written by adfa protocol')
  if (given.version !== VERSION)
    throw refuse(`version ${shownValue(given.version)} of the format, and this adfa reads ${VERSION}; update adfa`)
  const unknown = Object.keys(given).find(key => !KEYS.includes(key))
  if (unknown !== undefined) throw refuse(`unknown key "${unknown}"; a protocol has ${KEYS.join(', ')}`)
  const {name, labelShare, seed} = given
  if (typeof name !== 'string' || name.trim() === '') throw refuse('it has no name; write "name": "..."')
  if (typeof labelShare !== 'number' || !(labelShare >= 0 && labelShare <= 1))
    throw refuse(`"labelShare" is a share from 0 to 1; got ${shownValue(labelShare)}`)
  if (typeof seed !== 'number' || !Number.isSafeInteger(seed) || seed < 0)
    throw refuse(`"seed" is a whole number; got ${shownValue(seed)}`)
  const protocol = {name, lexicon: parseLexicon(given, where, refuse), labelShare, seed, ...parseRules(given, refuse)}
  const {fingerprint} = protocolMark(protocol)
  if (given.fingerprint !== undefined && given.fingerprint !== fingerprint)
    throw refuse(
      `it was changed after it was made: its fingerprint says ${shownValue(given.fingerprint)}, its content ${fingerprint}; ask for the ` +
        'original; or, if the change is intended, remove the line "fingerprint" and give the new file to every site'
    )
  return protocol
}

/** Everything that the fingerprint covers, in a fixed order. */
function protocolToJson({name, lexicon, labelShare, seed, release}: Protocol) {
  const {anchors, text, phrases, filter, words} = lexicon
  return {
    format: 'adfa-protocol',
    version: VERSION,
    name,
    anchors: anchorsToJson(anchors),
    text: textToJson(text),
    phrases,
    filter,
    labelShare,
    seed,
    maxOrder: release?.maxOrder,
    minCell: release?.minCell,
    words
  }
}

type Refuse = (fault: string) => AdfaError

function parseObject(text: string, refuse: Refuse): JsonObject {
  let value: unknown
  try {
    value = parseJson(text)
  } catch (cause) {
    throw refuse(`not valid JSON: ${(cause as Error).message}; give a file written by adfa protocol`)
  }
  if (!isObject(value)) throw refuse('not a protocol; give a file written by adfa protocol')
  return value
}

function parseLexicon(given: JsonObject, where: string, refuse: Refuse): Lexicon {
  const anchors = parseAnchors(JSON.stringify(given.anchors ?? null), `${where}, "anchors"`)
  const words = stringList(given.words, 'words', refuse)
  const phrases = stringList(given.phrases, 'phrases', refuse)
  const {text: options, filter} = given
  if (!isObject(options))
    throw refuse('"text" says how documents are read, such as {"fields": ["text"], ...}; it is missing')
  const reading = parseText(options, refuse)
  const [fault] = anchorFaults(anchors, phrases, reading)
  if (fault !== undefined) throw refuse(`concept "${fault.concept}": ${fault.reason}`)
  return {
    anchors,
    words: words.toSorted(),
    phrases,
    text: reading,
    filter: parseFilter(filter, refuse),
    skipped: []
  }
}

function parseText(options: JsonObject, refuse: Refuse): Lexicon['text'] {
  try {
    return textFromJson(options)
  } catch (cause) {
    throw refuse((cause as Error).message)
  }
}

function parseFilter(filter: unknown, refuse: Refuse): Lexicon['filter'] {
  if (filter === undefined) return undefined
  if (!isObject(filter) || !Number.isInteger(filter.minTags))
    throw refuse('"filter" is {"minTags": n, "tags": [...]}; leave it out to count all documents')
  return {minTags: Number(filter.minTags), tags: stringList(filter.tags, 'tags of filter', refuse)}
}

function parseRules(given: JsonObject, refuse: Refuse): Pick<Protocol, 'release'> {
  const {maxOrder, minCell} = given
  if (maxOrder === undefined && minCell === undefined) return {release: undefined}
  if (typeof maxOrder !== 'number' || typeof minCell !== 'number')
    throw refuse('a release needs both "maxOrder" and "minCell", two whole numbers')
  const release = {maxOrder, minCell}
  checkReleaseRules(release)
  return {release}
}

function stringList(value: unknown, name: string, refuse: Refuse): readonly string[] {
  if (!Array.isArray(value) || !value.every(item => typeof item === 'string' && item !== ''))
    throw refuse(`"${name}" is a list of texts, none of them empty`)
  const seen = new Set<string>()
  const twice = value.find(item => seen.size === seen.add(item).size)
  if (twice !== undefined) throw refuse(`"${name}" has ${shownValue(twice)} twice; keep one`)
  return value
}

function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** The words of a list, and remarks about it. */
export interface WordList {
  /** Ascending, each once. */
  readonly words: readonly string[]
  /** Words that are anchors and therefore left out. */
  readonly anchors: readonly string[]
  /** Whether no word names a field, although documents are read from fields. */
  readonly isWithoutFields: boolean
}

/** Parse a list of words, one per line, named as in models (`text:fever`, `sex:f`). */
export function parseWordList(list: string, anchors: Anchors, phrases: readonly string[], text: TextOptions): WordList {
  const lines = list
    .replace(/^\uFEFF/, '')
    .split(/\r?\n/)
    .map(line => line.trim())
  const named = [...new Set(lines.filter(line => line !== ''))]
  const index = indexAnchors(anchors, phrases, text)
  const isAnchor = (word: string) => {
    const role = index.featureRole(word)
    if (role !== undefined && role.members.length > 0) return true
    const field = text.fields.findIndex(name => word.startsWith(`${name}:`))
    return field >= 0 && index.isAnchor(field, word.slice(text.fields[field].length + 1))
  }
  const fields = fieldNames(text)
  return {
    words: named.filter(word => !isAnchor(word)).toSorted(),
    anchors: named.filter(isAnchor),
    isWithoutFields: fields.length > 0 && !named.some(word => fields.some(name => word.startsWith(`${name}:`)))
  }
}
