import {AdfaError} from '../checks/index.ts'

/** A word, a quoted string or one of `{}()[];`. */
export interface BifToken {
  readonly text: string
  readonly quoted: boolean
  readonly line: number
}

/** What lies between tokens: white space, to which the format counts commas and bars, and comments. */
const gaps = [/[\s,|]+/y, /\/\/[^\n\r]*/y, /\/\*[\s\S]*?\*\//y]
const mark = /[{}()[\];]/y
const quotedString = /"[^"\n\r]*"/y
const word = /[^\s,|{}()[\];"]+/y

/** Reads the text of a BIF file word by word; every refusal names the file and the line. */
export class BifTokens {
  readonly #text: string
  readonly #where: string
  #at = 0
  #line = 1
  #ahead: BifToken | undefined

  constructor(text: string, where: string) {
    this.#text = text
    this.#where = where
  }

  /** The next token, left where it is; undefined at the end of the file. */
  peek(): BifToken | undefined {
    this.#ahead ??= this.#read()
    return this.#ahead
  }

  /** The next token; `inside` says what would be broken off if the file ended here. */
  next(inside: string): BifToken {
    const token = this.peek()
    if (token === undefined)
      throw this.refuse(this.#line, `the file ends inside ${inside}`, 'it was cut off; get the whole file')
    this.#ahead = undefined
    return token
  }

  /** True, and one token further, when the next one is this keyword or mark. */
  take(text: string): boolean {
    const token = this.peek()
    if (token === undefined || token.quoted || token.text !== text) return false
    this.#ahead = undefined
    return true
  }

  expect(text: string, inside: string): void {
    const token = this.next(inside)
    if (token.quoted || token.text !== text)
      throw this.refuse(token.line, `${shown(token)} in ${inside} where "${text}" belongs`, 'correct the line')
  }

  /** A name: any word or quoted string, but no mark. */
  name(inside: string): BifToken {
    const token = this.next(inside)
    if (token.text === '' || (!token.quoted && isMark(token.text)))
      throw this.refuse(token.line, `${shown(token)} in ${inside} where a name belongs`, 'correct the line')
    return token
  }

  /** The raw text up to the next semicolon, which is passed: what a property holds need not be made of words. */
  rest(inside: string): string {
    const end = this.#text.indexOf(';', this.#at)
    if (end < 0) throw this.refuse(this.#line, `the file ends inside ${inside}`, 'it was cut off; get the whole file')
    const text = this.#text.slice(this.#at, end)
    this.#advance(end + 1)
    return text.trim()
  }

  refuse(line: number, fault: string, remedy: string): AdfaError {
    return new AdfaError('bad-file', `${this.#where}:${line}: ${fault}; ${remedy}`)
  }

  #read(): BifToken | undefined {
    while (gaps.some(gap => this.#match(gap) !== undefined));
    const line = this.#line
    if (this.#at === this.#text.length) return undefined
    const plain = this.#match(mark) ?? this.#word()
    if (plain !== undefined) return {text: plain, quoted: false, line}
    const string = this.#match(quotedString)
    if (string !== undefined) return {text: string.slice(1, -1), quoted: true, line}
    if (this.#text[this.#at] === '"')
      throw this.refuse(line, 'a quoted name does not end on its line', 'close the quote')
    throw this.refuse(line, 'a comment that begins with /* does not end', 'close it with */')
  }

  /** A word ends where a comment begins. */
  #word(): string | undefined {
    const start = this.#at
    const text = this.#find(word) ?? ''
    const comment = text.search(/\/[/*]/)
    this.#advance(start + (comment < 0 ? text.length : comment))
    return this.#at === start ? undefined : this.#text.slice(start, this.#at)
  }

  #match(pattern: RegExp): string | undefined {
    const found = this.#find(pattern)
    if (found !== undefined) this.#advance(this.#at + found.length)
    return found
  }

  #find(pattern: RegExp): string | undefined {
    // A copy, because the position of a sticky pattern is state, and patterns of a module are shared.
    const here = new RegExp(pattern)
    here.lastIndex = this.#at
    return here.exec(this.#text)?.[0]
  }

  #advance(to: number): void {
    for (; this.#at < to; this.#at++) if (this.#text[this.#at] === '\n') this.#line++
  }
}

/** The token as errors quote it: what is no BIF file may well be one long word. */
export function shown({text}: BifToken): string {
  return `"${text.length > 40 ? `${text.slice(0, 40)}...` : text}"`
}

function isMark(text: string): boolean {
  return text.length === 1 && '{}()[];'.includes(text)
}
