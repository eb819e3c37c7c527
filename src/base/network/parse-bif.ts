import type {AdfaError} from '../checks/index.ts'

/** Makes the error of one line of a BIF file. */
export type BifRefusal = (line: number, fault: string, remedy: string) => AdfaError

/** One `variable` block. */
export interface BifVariable {
  readonly id: string
  /** The property {@link nameProperty} where the block has it, otherwise the id. */
  readonly name: string
  readonly states: readonly string[]
  readonly line: number
}

/** One row of a `probability` block: a list of parent states, or the word `table` or `default`, and its numbers. */
export interface BifRow {
  readonly given: readonly string[] | 'table' | 'default'
  readonly values: readonly number[]
  readonly line: number
}

/** One `probability` block. */
export interface BifTable {
  readonly child: string
  readonly parents: readonly string[]
  readonly rows: readonly BifRow[]
  readonly line: number
}

/** The property that holds names that are not BIF words, percent-encoded. */
export const nameProperty = 'adfa-name'

/** The blocks of a BIF file as written; networkFromBif gives them their meaning. */
export function parseBif(text: string, refuse: BifRefusal): {variables: BifVariable[]; tables: BifTable[]} {
  const tokens = new BifTokens(text, refuse)
  const variables: BifVariable[] = []
  const tables: BifTable[] = []
  while (tokens.peek() !== undefined) {
    if (tokens.take('network')) skipNetwork(tokens)
    else if (tokens.take('variable')) variables.push(parseVariable(tokens))
    else if (tokens.take('probability')) tables.push(parseTable(tokens))
    else {
      const token = tokens.next('the file')
      throw tokens.refuse(
        token.line,
        `${shown(token)} where a network, variable or probability block should begin`,
        'give a network in the BIF format'
      )
    }
  }
  return {variables, tables}
}

function skipNetwork(tokens: BifTokens): void {
  const inside = 'the network block'
  while (!tokens.take('{')) tokens.name(inside)
  while (!tokens.take('}')) {
    tokens.expect('property', inside)
    tokens.rest(inside)
  }
}

function parseVariable(tokens: BifTokens): BifVariable {
  const {text: id, line} = tokens.name('a variable block')
  const inside = `variable "${id}"`
  let name = id
  let states: string[] | undefined
  tokens.expect('{', inside)
  while (!tokens.take('}')) {
    if (tokens.take('property')) name = nameIn(tokens, tokens.rest(inside), line) ?? name
    else {
      tokens.expect('type', inside)
      if (states !== undefined) throw tokens.refuse(line, `${inside} has two types`, 'keep one')
      states = parseStates(tokens, inside)
    }
  }
  if (states === undefined) throw tokens.refuse(line, `${inside} has no type`, 'add "type discrete [ 2 ] { no, yes };"')
  return {id, name, states, line}
}

function parseStates(tokens: BifTokens, inside: string): string[] {
  const type = tokens.name(inside)
  if (type.text !== 'discrete')
    throw tokens.refuse(type.line, `${inside} has type ${type.text}; only discrete ones can be read`, 'make it binary')
  tokens.expect('[', inside)
  const count = tokens.name(inside)
  tokens.expect(']', inside)
  tokens.expect('{', inside)
  const states = tokens.names('}', inside)
  tokens.expect(';', inside)
  if (String(states.length) !== count.text)
    throw tokens.refuse(count.line, `${inside} announces ${count.text} states and lists ${states.length}`, 'correct it')
  return states
}

function parseTable(tokens: BifTokens): BifTable {
  tokens.expect('(', 'a probability block')
  const {text: child, line} = tokens.name('a probability block')
  const inside = `the probabilities of "${child}"`
  const parents = tokens.names(')', inside)
  tokens.expect('{', inside)
  const rows: BifRow[] = []
  while (!tokens.take('}')) {
    if (tokens.take('property')) tokens.rest(inside)
    else rows.push(parseRow(tokens, inside))
  }
  return {child, parents, rows, line}
}

function parseRow(tokens: BifTokens, inside: string): BifRow {
  const token = tokens.next(inside)
  const {text, quoted, line} = token
  const isWord = text === 'table' || text === 'default'
  if (quoted || !(isWord || text === '('))
    throw tokens.refuse(
      line,
      `${shown(token)} in ${inside} where a row should begin`,
      'begin rows with "table", "default" or "("'
    )
  const given = isWord ? text : tokens.names(')', inside)
  const values: number[] = []
  while (!tokens.take(';')) values.push(parseNumber(tokens, inside))
  return {given, values, line}
}

function parseNumber(tokens: BifTokens, inside: string): number {
  const token = tokens.next(inside)
  const {text, line} = token
  const value = /^(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/i.test(text) ? Number(text) : Number.NaN
  if (value >= 0 && value <= 1) return value
  throw tokens.refuse(
    line,
    `${shown(token)} in ${inside} is not a probability`,
    'write numbers from 0 to 1, and end rows with ";"'
  )
}

/** The name that a property holds, if it is {@link nameProperty}. */
function nameIn(tokens: BifTokens, property: string, line: number): string | undefined {
  const [, key, value] = /^(\S+)\s*=\s*(\S+)$/.exec(property) ?? []
  if (key !== nameProperty || value === undefined) return undefined
  try {
    return decodeURIComponent(value)
  } catch {
    throw tokens.refuse(line, `"${value}" in ${nameProperty} is not percent-encoded`, 'correct or remove the property')
  }
}

/** A word, a quoted string or one of `{}()[];`. */
interface BifToken {
  readonly text: string
  readonly quoted: boolean
  readonly line: number
}

/** Reads the text of a BIF file token by token. */
class BifTokens {
  readonly #text: string
  readonly refuse: BifRefusal
  #at = 0
  #line = 1
  #ahead: BifToken | undefined

  constructor(text: string, refuse: BifRefusal) {
    this.#text = text
    this.refuse = refuse
  }

  /** The next token, not consumed; undefined at the end of the file. */
  peek(): BifToken | undefined {
    this.#ahead ??= this.#read()
    return this.#ahead
  }

  /** The next token, consumed; `inside` names what is incomplete if the file ends here. */
  next(inside: string): BifToken {
    const token = this.peek()
    if (token === undefined) throw this.#cutOff(inside)
    this.#ahead = undefined
    return token
  }

  /** Consumes the next token if it is this keyword or mark. */
  take(text: string): boolean {
    const token = this.peek()
    if (token === undefined || token.quoted || token.text !== text) return false
    this.#ahead = undefined
    return true
  }

  expect(text: string, inside: string): void {
    const token = this.next(inside)
    if (token.quoted || token.text !== text)
      throw this.refuse(token.line, `${shown(token)} in ${inside} where "${text}" is expected`, 'correct the line')
  }

  /** A name: any word or quoted string, but not a mark. */
  name(inside: string): BifToken {
    const token = this.next(inside)
    if (token.text === '' || (!token.quoted && /^[{}()[\];]$/.test(token.text)))
      throw this.refuse(token.line, `${shown(token)} in ${inside} where a name is expected`, 'correct the line')
    return token
  }

  /** All names up to `end`, which is consumed. */
  names(end: string, inside: string): string[] {
    const names: string[] = []
    while (!this.take(end)) names.push(this.name(inside).text)
    return names
  }

  /** The raw text up to the next semicolon, which is consumed: the value of a property may be any text. */
  rest(inside: string): string {
    const end = this.#text.indexOf(';', this.#at)
    if (end < 0) throw this.#cutOff(inside)
    const text = this.#text.slice(this.#at, end)
    this.#advance(end + 1 - this.#at)
    return text.trim()
  }

  #read(): BifToken | undefined {
    for (let gap = this.#gap(); gap > 0; gap = this.#gap()) this.#advance(gap)
    if (this.#at === this.#text.length) return undefined
    const line = this.#line
    const found = this.#token()
    if (found === '') throw this.refuse(line, 'a quoted name does not end on its line', 'close the quote')
    const quoted = found.startsWith('"')
    // A word ends where a comment begins.
    const comment = quoted ? -1 : found.search(/\/[/*]/)
    if (comment === 0) throw this.refuse(line, 'a comment that begins with /* does not end', 'close it with */')
    const text = comment < 0 ? found : found.slice(0, comment)
    this.#advance(text.length)
    return {text: quoted ? text.slice(1, -1) : text, quoted, line}
  }

  /** The length of the white space, which in this format includes commas and bars, or of the comment that comes next. */
  #gap(): number {
    if (this.#text.startsWith('//', this.#at)) return this.#until(/[\n\r]/g) - this.#at
    if (!this.#text.startsWith('/*', this.#at)) return this.#until(/[^\s,|]/g) - this.#at
    const end = this.#text.indexOf('*/', this.#at + 2)
    return end < 0 ? 0 : end + 2 - this.#at
  }

  /** A mark, a quoted string or a word; empty for a quote without an end. */
  #token(): string {
    const first = this.#text[this.#at]
    if ('{}()[];'.includes(first)) return first
    if (first !== '"') return this.#text.slice(this.#at, this.#until(/[\s,|{}()[\];"]/g))
    const end = this.#until(/["\n\r]/g, 1)
    return this.#text[end] === '"' ? this.#text.slice(this.#at, end + 1) : ''
  }

  /** Where a character of this kind comes next. One character at a time: longer matches can exhaust the stack of the engine. */
  #until(kind: RegExp, skipped = 0): number {
    kind.lastIndex = this.#at + skipped
    return kind.exec(this.#text)?.index ?? this.#text.length
  }

  #advance(length: number): void {
    for (const end = this.#at + length; this.#at < end; this.#at++) if (this.#text[this.#at] === '\n') this.#line++
  }

  #cutOff(inside: string): AdfaError {
    return this.refuse(this.#line, `the file ends inside ${inside}`, 'it is cut off; get the whole file')
  }
}

/** The token as errors quote it, shortened: a file that is not BIF may be one long word. */
function shown({text}: BifToken): string {
  return `"${text.length > 40 ? `${text.slice(0, 40)}...` : text}"`
}
