import {ESCAPED, foldTable, isBlank, isDigit, isHexDigit, isNumberPart, isSame, NUMBER} from './json-bytes.ts'
import type {RowReading} from './row.ts'
import {inputNames, keyFields, soughtNames} from './row-fields.ts'
import {type PlainText, StringPlaces} from './string-places.ts'
import {HASH_FACTOR, HASH_START} from './token-table.ts'

/** What a key of a line means: the number of a text field, or one of these. */
const ID = -1
const FEATURES = -2
const TAGS = -3
const IGNORED = -4
/** Its line is not plain, unless the value is null. */
const ODD = -5

interface Key {
  readonly bytes: Uint8Array
  readonly meaning: number
}

/** Files with more keys than this are read by JSON.parse. */
const MOST_KEYS = 64
const MOST_STRINGS = 1_000_000
const MOST_TEXT = 16 * 1024 * 1024

const decoder = new TextDecoder('utf-8', {ignoreBOM: true})
const [QUOTE, COMMA, COLON, BACKSLASH] = [0x22, 0x2c, 0x3a, 0x5c]

/**
 * A line of JSON as places in its bytes. Only plain lines: an object with the fields to read, ready-made features and tags as
 * lists of strings without escapes, an id that is text or a whole number, text, and other values that are neither lists nor
 * objects. `scan` refuses all others, valid or not; they are for JSON.parse and `parseRow`.
 */
export class PlainLine {
  readonly features = new StringPlaces()
  readonly tags = new StringPlaces()
  readonly texts: readonly PlainText[]
  bytes: Uint8Array = new Uint8Array()
  /** The place of the line. */
  from = 0
  to = 0
  /** The place of the text or the digits of the id; both 0 where there is none. */
  idFrom = 0
  idTo = 0
  readonly #fields: RowReading
  readonly #sought: readonly string[]
  readonly #folds: Uint8Array
  readonly #keys: Key[] = []
  #at = 0

  constructor(fields: RowReading, lowerCase: boolean) {
    this.#fields = fields
    this.#sought = [...soughtNames(fields), 'features', 'labels', 'votes'].map(name => name.trim().toLowerCase())
    this.#folds = foldTable(lowerCase)
    this.texts = fields.fields.map(() => ({
      isThere: false,
      isAscii: true,
      bytes: new Uint8Array(1024),
      length: 0,
      from: 0,
      to: 0
    }))
  }

  /** Whether lines can be plain with this reading: values, votes and whole records need parsed JSON. */
  static canRead(fields: RowReading): boolean {
    return !fields.keepsRecords && fields.part === undefined && inputNames(fields).length === fields.fields.length
  }

  /** For lines that are read as these fields, and then by `text`; undefined where that differs, or lines cannot be plain. */
  static of(fields: RowReading, text: {readonly fields: readonly string[]; readonly lowerCase: boolean}) {
    const isSame = JSON.stringify(fields.fields) === JSON.stringify(text.fields)
    return isSame && PlainLine.canRead(fields) ? new PlainLine(fields, text.lowerCase) : undefined
  }

  /** Find the places in the line at `from` to `to`, which is valid UTF-8. */
  scan(bytes: Uint8Array, from: number, to: number): boolean {
    this.bytes = bytes
    this.from = from
    this.to = to
    this.idFrom = 0
    this.idTo = 0
    this.features.count = -1
    this.tags.count = -1
    for (const text of this.texts) text.isThere = false
    this.#at = from
    if (!this.#take(0x7b)) return false
    if (!this.#take(0x7d))
      for (let number = 0; ; number++) {
        if (!this.#entry(number)) return false
        if (this.#take(COMMA)) continue
        if (this.#take(0x7d)) break
        return false
      }
    this.#skipBlanks()
    return this.#at === to && (this.features.count >= 0 || this.texts.some(text => text.isThere))
  }

  /** The content of a text field, neither lower-cased nor in ASCII. */
  textOf({from, to}: PlainText): string {
    return JSON.parse(decoder.decode(this.bytes.subarray(from, to)))
  }

  /** The id as text. */
  get id(): string {
    return decoder.decode(this.bytes.subarray(this.idFrom, this.idTo))
  }

  /** The id as `parseRow` gives it. */
  get rowId(): string | number | undefined {
    if (this.idTo === 0) return undefined
    return this.bytes[this.idFrom - 1] === QUOTE ? this.id : Number(this.id)
  }

  /** A key and its value; `number` is that of the entry in its line. */
  #entry(number: number): boolean {
    this.#skipBlanks()
    const meaning = this.#key(number)
    if (meaning === undefined || !this.#take(COLON)) return false
    this.#skipBlanks()
    if (this.bytes[this.#at] === 0x6e) return this.#word('null')
    switch (meaning) {
      case ODD:
        return false
      case FEATURES:
        return this.#strings(this.features)
      case TAGS:
        return this.#strings(this.tags)
      case ID:
        return this.idTo === 0 && this.#id()
      case IGNORED:
        return this.#ignored()
      default:
        return this.#text(this.texts[meaning])
    }
  }

  /** The meaning of the key that begins here; undefined when it is not plain. Files repeat their keys in the same order. */
  #key(number: number): number | undefined {
    const {bytes} = this
    if (bytes[this.#at] !== QUOTE) return undefined
    const from = this.#at + 1
    let to = from
    while (to < this.to && bytes[to] !== QUOTE && bytes[to] !== BACKSLASH && bytes[to] >= 0x20 && bytes[to] < 0x80) to++
    if (to >= this.to || bytes[to] !== QUOTE) return undefined
    this.#at = to + 1
    const keys = this.#keys
    for (let tried = 0; tried < keys.length; tried++) {
      const key = keys[(number + tried) % keys.length]
      if (isSame(key.bytes, bytes, from, to)) return key.meaning
    }
    if (keys.length === MOST_KEYS) return undefined
    const key = {
      bytes: bytes.slice(from, to),
      meaning: this.#meaningOf(String.fromCharCode(...bytes.subarray(from, to)))
    }
    keys.push(key)
    return key.meaning
  }

  #meaningOf(name: string): number {
    const {id, tags} = keyFields(this.#fields)
    const field = this.#fields.fields.indexOf(name)
    // A field that is read twice, as text and as the id, is not plain.
    if (field >= 0) return [id, tags, 'features', 'labels', 'votes'].includes(name) ? ODD : field
    if (name === id) return ID
    if (name === tags) return TAGS
    if (name === 'features') return FEATURES
    // Also another spelling of a name, which is read if there is no exact one.
    return this.#sought.includes(name.trim().toLowerCase()) ? ODD : IGNORED
  }

  #strings(places: StringPlaces): boolean {
    if (places.count >= 0 || !this.#take(0x5b)) return false
    places.count = 0
    if (this.#take(0x5d)) return true
    const {bytes, to: end} = this
    for (let at = this.#at; ; ) {
      while (isBlank(bytes[at])) at++
      if (bytes[at] !== QUOTE) return false
      const from = ++at
      let hash = HASH_START
      for (let byte = bytes[at]; byte !== QUOTE; byte = bytes[++at]) {
        if (byte === BACKSLASH || byte < 0x20 || at >= end) return false
        hash = Math.imul(hash ^ byte, HASH_FACTOR)
      }
      if (at >= end || places.count === MOST_STRINGS) return false
      places.push(from, at++, hash)
      while (isBlank(bytes[at])) at++
      if (bytes[at] === COMMA) at++
      else {
        this.#at = at + 1
        return bytes[at] === 0x5d && at < end
      }
    }
  }

  #id(): boolean {
    const {bytes} = this
    const from = this.#at
    if (bytes[from] === QUOTE) {
      const to = this.#skipString(false)
      if (to < 0) return false
      this.idFrom = from + 1
      this.idTo = to
      return to > from + 1
    }
    let to = from
    while (isDigit(bytes[to])) to++
    // Longer ones may lose digits, and 007 is no JSON.
    if (to === from || to - from > 15 || (bytes[from] === 0x30 && to - from > 1) || isNumberPart(bytes[to]))
      return false
    this.idFrom = from
    this.idTo = to
    this.#at = to
    return true
  }

  #text(text: PlainText): boolean {
    const {bytes, to: end} = this
    const from = this.#at
    if (text.isThere || bytes[from] !== QUOTE) return false
    text.isThere = true
    text.isAscii = true
    text.from = from
    if (text.bytes.length < end - from) text.bytes = new Uint8Array(2 * (end - from))
    const target = text.bytes
    const folds = this.#folds
    let length = 0
    let at = from + 1
    for (; at < end; at++) {
      let byte = bytes[at]
      if (byte === QUOTE) break
      if (byte < 0x20) return false
      if (byte === BACKSLASH) {
        byte = ESCAPED[bytes[++at]]
        if (byte === 0) {
          if (bytes[at] !== 0x75) return false
          for (let digit = 1; digit <= 4; digit++) if (!isHexDigit(bytes[at + digit])) return false
          text.isAscii = false
        }
      } else if (byte >= 0x80) text.isAscii = false
      target[length++] = folds[byte]
    }
    if (at >= end || at - from > MOST_TEXT) return false
    text.length = length
    text.to = at + 1
    this.#at = at + 1
    return true
  }

  #ignored(): boolean {
    const byte = this.bytes[this.#at]
    if (byte === QUOTE) return this.#skipString(true) >= 0
    if (byte === 0x74) return this.#word('true')
    if (byte === 0x66) return this.#word('false')
    if (byte !== 0x2d && !isDigit(byte)) return false
    const from = this.#at
    while (isNumberPart(this.bytes[this.#at])) this.#at++
    return NUMBER.test(String.fromCharCode(...this.bytes.subarray(from, this.#at)))
  }

  /** The place of the quote that ends the string that begins here, or -1 when it is not plain. */
  #skipString(mayEscape: boolean): number {
    const {bytes, to: end} = this
    for (let at = this.#at + 1; at < end; at++) {
      const byte = bytes[at]
      if (byte === QUOTE) {
        this.#at = at + 1
        return at
      }
      if (byte < 0x20 || (byte === BACKSLASH && !(mayEscape && ESCAPED[bytes[++at]] > 0))) return -1
    }
    return -1
  }

  #word(word: string): boolean {
    for (let k = 0; k < word.length; k++) if (this.bytes[this.#at++] !== word.charCodeAt(k)) return false
    return true
  }

  /** Skip blanks and this byte; false when another one follows. */
  #take(byte: number): boolean {
    this.#skipBlanks()
    if (this.#at >= this.to || this.bytes[this.#at] !== byte) return false
    this.#at++
    return true
  }

  #skipBlanks(): void {
    while (this.#at < this.to && isBlank(this.bytes[this.#at])) this.#at++
  }
}
