/**
 * Regular expressions that match in linear time, so that no expression makes adfa hang on any text. `RegExp` backtracks and
 * may take exponential time; it is used where the number of ways to match is bounded, as in `/heart (size )?is enlarged/`.
 * Other expressions run by the simulation of Thompson (1968) and Pike, which follows all alternatives at once, in order of
 * preference: one search takes O(length * instructions). Character classes are tested by `RegExp`, on one character;
 * look-around is computed for all positions of a text in one pass. Back references are refused.
 *
 * Matches are those of `RegExp`, except that a lazy part inside a repeated part that may be empty, as in `/(a*?)*\/`, can
 * match fewer characters.
 */

import {AdfaError} from '../checks/index.ts'
import {type Check, type CompiledRegex, compileRegex, type Program} from './compile-regex.ts'
import {parseRegex, type RegexNode} from './parse-regex.ts'

export interface Regex {
  /** `/source/flags` */
  readonly name: string
  /** The matches of at least one character, as by `matchAll`. */
  spans(text: string): Span[]
}

interface Span {
  readonly start: number
  readonly end: number
}

type CharacterTest = (code: number) => boolean

/** Whether the rest of the alternatives, which are less preferred, end with this match. */
type OnMatch = (start: number, end: number) => boolean

export function createRegex(source: string, flags: string): Regex {
  const name = `/${source}/${flags}`
  try {
    new RegExp(source, flags)
  } catch (cause) {
    throw new AdfaError(
      'bad-option',
      `${name} is not a valid regular expression: ${(cause as Error).message.replace(/^Invalid regular expression: .*: /s, '')}`
    )
  }
  const node = parseRegex(source, flags)
  if (waysToMatch(node) <= mostWays) return {name, spans: nativeSpans(source, flags)}
  const simulation = new Simulation(compileRegex(node, name), flags)
  return {name, spans: text => simulation.spans(text)}
}

/** The most ways to match for which backtracking, which may try each of them at each position, is fast enough. */
const mostWays = 1000

/** In how many ways an expression could match at one position. */
function waysToMatch(node: RegexNode): number {
  switch (node.kind) {
    case 'character':
    case 'assertion':
      return 1
    case 'look':
      return waysToMatch(node.body)
    case 'sequence':
      return node.parts.reduce((ways, part) => ways * waysToMatch(part), 1)
    case 'choice':
      return node.parts.reduce((ways, part) => ways + waysToMatch(part), 0)
    case 'repeat': {
      if (node.max > mostWays) return Number.POSITIVE_INFINITY
      const once = waysToMatch(node.body)
      return Array.from({length: node.max - node.min + 1}, (_, k) => once ** (node.min + k)).reduce((a, b) => a + b, 0)
    }
  }
}

function nativeSpans(source: string, flags: string): Regex['spans'] {
  const pattern = new RegExp(source, `${flags.replace('g', '')}g`)
  return text =>
    Array.from(text.matchAll(pattern), ({0: match, index}) => ({start: index, end: index + match.length})).filter(
      ({start, end}) => end > start
    )
}

class Simulation {
  readonly #search: Program
  readonly #checks: readonly Check[]
  readonly #accepts: readonly CharacterTest[]
  /** Whether a match can begin with a character; undefined if a match may be empty. */
  readonly #canStart: CharacterTest | undefined
  readonly #isWord: CharacterTest
  readonly #isUnicode: boolean
  /** The characters that border a line, -1 for the end of the text. */
  readonly #borders: readonly number[]
  #text = ''
  /** For each look-around, the positions of the text where its program matches. */
  #looks: (Uint8Array | undefined)[] = []

  constructor({program, classes, checks}: CompiledRegex, flags: string) {
    const characterTest = (source: string) => createCharacterTest(`^(?:${source})$`, flags.replace(/[dgm]/g, ''))
    const first = firstClasses(program)
    this.#search = program
    this.#checks = checks
    this.#accepts = classes.map(characterTest)
    this.#canStart = first && characterTest(first.map(each => classes[each]).join('|'))
    this.#isWord = characterTest('\\w')
    this.#isUnicode = flags.includes('u')
    this.#borders = flags.includes('m') ? [-1, 10, 13, 0x2028, 0x2029] : [-1]
  }

  spans(text: string): Span[] {
    this.#text = text
    this.#looks = []
    const found: Span[] = []
    for (let from = 0; from <= text.length; ) {
      let [start, end] = [-1, -1]
      this.#run(this.#search, from, false, (...span) => {
        ;[start, end] = span
        return true
      })
      if (start < 0) break
      if (end > start) found.push({start, end})
      from = end > start ? end : end + width(this.#codeAfter(end))
    }
    return found
  }

  #codeAfter(at: number): number {
    if (at >= this.#text.length) return -1
    return this.#isUnicode ? (this.#text.codePointAt(at) ?? -1) : this.#text.charCodeAt(at)
  }

  #codeBefore(at: number): number {
    if (at <= 0) return -1
    const pair = this.#isUnicode && at > 1 ? (this.#text.codePointAt(at - 2) ?? 0) : 0
    return pair > 0xffff ? pair : this.#text.charCodeAt(at - 1)
  }

  #holds(check: number, at: number): boolean {
    const test: Check = this.#checks[check]
    const [before, after] = [this.#codeBefore(at), this.#codeAfter(at)]
    if (test === '^') return this.#borders.includes(before)
    if (test === '$') return this.#borders.includes(after)
    if (typeof test === 'string') return (this.#isWord(before) !== this.#isWord(after)) === (test === 'b')
    this.#looks[check] ??= this.#matchEnds(test.program, test.ahead)
    return (this.#looks[check][at] === 1) !== test.negative
  }

  /** Where a program that starts anywhere can end, in one pass; for look-ahead, which runs backwards, where it begins. */
  #matchEnds(program: Program, backwards: boolean): Uint8Array {
    const positions = new Uint8Array(this.#text.length + 1)
    this.#run(program, backwards ? this.#text.length : 0, backwards, (_, end) => {
      positions[end] = 1
      return false
    })
    return positions
  }

  /** Runs a program from a position to the end of the text, or until a match leaves no preferred alternative. */
  #run(program: Program, from: number, backwards: boolean, onMatch: OnMatch): void {
    let threads = new Threads(program.length)
    let next = new Threads(program.length)
    let isOpen = true
    for (let at = from; ; ) {
      if (isOpen) {
        if (threads.count === 0 && program === this.#search) {
          threads.clear()
          at = this.#nextStart(at)
        }
        this.#add(threads, program, 0, {start: at, end: at})
      }
      const character = backwards ? this.#codeBefore(at) : this.#codeAfter(at)
      const to = at + (backwards ? -1 : 1) * width(character)
      next.clear()
      for (let k = 0; k < threads.count; k++) {
        const pc = threads.pc[k]
        const {op, x} = program[pc]
        if (op === 'match') {
          if (!onMatch(threads.start[k], at)) continue
          isOpen = false
          break
        }
        if (this.#accepts[x](character)) this.#add(next, program, pc + 1, {start: threads.start[k], end: to})
      }
      if (character < 0 || (!isOpen && next.count === 0)) return
      ;[threads, next] = [next, threads]
      at = to
    }
  }

  /** Adds the steps reached from `pc` without consuming a character, the preferred ones first. */
  #add(threads: Threads, program: Program, pc: number, {start, end}: Span): void {
    const stack = [pc]
    for (let here = stack.pop(); here !== undefined; here = stack.pop()) {
      if (!threads.reach(here)) continue
      const {op, x, y} = program[here]
      if (op === 'split') stack.push(y, x)
      else if (op === 'jump') stack.push(x)
      else if (op === 'check') {
        if (this.#holds(x, end)) stack.push(here + 1)
      } else if (op === 'enter') {
        threads.reach(x)
        stack.push(here + 1)
      } else threads.add(here, start)
    }
  }

  /** The next position at which a match can begin. */
  #nextStart(from: number): number {
    if (this.#canStart === undefined) return from
    let at = from
    while (at < this.#text.length && !this.#canStart(this.#codeAfter(at))) at += width(this.#codeAfter(at))
    return at
  }
}

function width(code: number): number {
  return code > 0xffff ? 2 : 1
}

/** Steps that are waiting for a character, in order of preference, each with the start of its match. */
class Threads {
  count = 0
  readonly pc: Int32Array
  readonly start: Int32Array
  readonly #reached: Float64Array
  #turn = 1

  constructor(size: number) {
    this.pc = new Int32Array(size)
    this.start = new Int32Array(size)
    this.#reached = new Float64Array(size)
  }

  clear(): void {
    this.count = 0
    this.#turn++
  }

  /** Whether a step is reached for the first time at this position. */
  reach(pc: number): boolean {
    if (this.#reached[pc] === this.#turn) return false
    this.#reached[pc] = this.#turn
    return true
  }

  add(pc: number, start: number): void {
    this.pc[this.count] = pc
    this.start[this.count++] = start
  }
}

/** The classes of which a match must begin with one; undefined if a match may be empty. */
function firstClasses(program: Program): readonly number[] | undefined {
  const found = new Set<number>()
  const reached = new Set([0])
  for (const here of reached) {
    const {op, x, y} = program[here]
    if (op === 'match') return undefined
    if (op === 'character') found.add(x)
    else if (op === 'split') reached.add(x).add(y)
    else reached.add(op === 'jump' ? x : here + 1)
  }
  return [...found]
}

/** Whether a character, by its code, matches an expression of one character; -1, outside the text, does not. */
function createCharacterTest(source: string, flags: string): CharacterTest {
  const pattern = new RegExp(source, flags)
  const known = new Map<number, boolean>()
  const small = Uint8Array.from({length: 128}, (_, code) => (pattern.test(String.fromCharCode(code)) ? 1 : 0))
  return code => {
    if (code < 128) return code >= 0 && small[code] === 1
    let answer = known.get(code)
    if (answer === undefined) {
      answer = pattern.test(String.fromCodePoint(code))
      known.set(code, answer)
    }
    return answer
  }
}
