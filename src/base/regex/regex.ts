/**
 * Regular expressions that match in linear time, so that no expression makes adfa hang on any text. `RegExp` backtracks and
 * may take exponential time; it is used where the number of ways to match is bounded, as in `/heart (size )?is enlarged/`.
 * Other expressions backtrack with a memory of what was tried (Davis et al. 2021): all matches of a text take time and
 * bits in O(length * instructions). Character classes are tested by `RegExp`, on one character; look-around is found for
 * all positions of a text together. Back references are refused.
 *
 * Matches are those of `RegExp`, except that a lazy part inside a repeated part that may be empty, as in `/(a*?)*b/`, can
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
  if ((source.match(/\(/g)?.length ?? 0) > mostGroups)
    throw new AdfaError('bad-option', `${name.slice(0, 80)}... is too large; use at most ${mostGroups} parentheses`)
  const node = parseRegex(source, flags)
  if (waysToMatch(node) <= mostWays) return {name, spans: nativeSpans(source, flags)}
  const compiled = compileRegex(node, name)
  // Anchors are read several times; most of the work is left to the first match.
  let matcher: Matcher | undefined
  const literals = requiredLiterals(node, flags)
  return {
    name,
    spans(text) {
      const folded = flags.includes('i') ? text.toLowerCase() : text
      if (!literals.every(literal => folded.includes(literal))) return []
      matcher ??= new Matcher(compiled, flags)
      return matcher.spans(text)
    }
  }
}

/** Groups inside groups are read by functions that call themselves. */
const mostGroups = 500

/** The most ways to match for which backtracking, which may try each of them at each position, is fast enough. */
const mostWays = 1000

/** Counts in how many ways an expression could match at one position. */
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

/**
 * Texts that every match contains, in lower case if the expression ignores case: `/\b\w+0777\b/` has 0777, `/heart.*size/` has
 * heart and size. ASCII only: what these characters match does not depend on languages.
 */
export function requiredLiterals(node: RegexNode, flags: string): readonly string[] {
  const ignoresCase = flags.includes('i')
  // The long s and the sign of Kelvin match, too.
  const hasOthers = (letter: string) => ignoresCase && flags.includes('u') && /[ks]/i.test(letter)
  const found: string[] = []
  let run = ''
  const end = () => {
    if (run !== '') found.push(ignoresCase ? run.toLowerCase() : run)
    run = ''
  }
  const visit = (each: RegexNode): void => {
    switch (each.kind) {
      case 'character': {
        const letter = literalOf(each.source)
        if (letter === undefined || hasOthers(letter)) end()
        else run += letter
        break
      }
      case 'sequence':
        each.parts.forEach(visit)
        break
      case 'choice':
        end()
        break
      case 'repeat':
        // Nothing is between its first time and what comes before, nor between its last time and what follows.
        if (each.min > 0) visit(each.body)
        if (each.min !== 1 || each.max !== 1) end()
        break
      // Assertions and look-around consume nothing.
      default:
    }
  }
  visit(node)
  end()
  return [...new Set(found)]
}

/** Returns the character that a source stands for, if it is a single one. */
function literalOf(source: string): string | undefined {
  const letter = /^(?:\\([ -/:-@[-`{-~])|([ -~]))$/.exec(source)
  return source === '.' ? undefined : (letter?.[1] ?? letter?.[2])
}

/** By `exec`: `matchAll` makes a copy of the expression for each text. */
function nativeSpans(source: string, flags: string): Regex['spans'] {
  const pattern = new RegExp(source, `${flags.replace('g', '')}g`)
  return text => {
    const found: Span[] = []
    pattern.lastIndex = 0
    for (let match = pattern.exec(text); match !== null; match = pattern.exec(text)) {
      const [start, end] = [match.index, match.index + match[0].length]
      if (end > start) found.push({start, end})
      else pattern.lastIndex += pattern.unicode ? width(text.codePointAt(end) ?? 0) : 1
    }
    return found
  }
}

/** Backtracking that never tries an instruction twice at the same position of a text. */
class Matcher {
  readonly #compiled: CompiledRegex
  readonly #accepts: readonly CharacterTest[]
  /** Finds the next character with which a match can begin, much faster than trying; undefined if a match may be empty. */
  readonly #first: RegExp | undefined
  readonly #isWord: CharacterTest
  readonly #isUnicode: boolean
  /** The characters that border a line, -1 for the ends of the text. */
  readonly #borders: readonly number[]
  #text = ''
  /** For each look-around, the positions of the text where it matches. */
  #looks: (Uint8Array | undefined)[] = []

  constructor(compiled: CompiledRegex, flags: string) {
    const {program, classes} = compiled
    const characterTest = (source: string) => createCharacterTest(`^(?:${source})$`, flags.replace(/[dgm]/g, ''))
    const first = firstClasses(program)
    this.#compiled = compiled
    this.#accepts = classes.map(characterTest)
    this.#first = first && new RegExp(first.map(each => classes[each]).join('|'), `${flags.replace(/[dgm]/g, '')}g`)
    this.#isWord = characterTest('\\w')
    this.#isUnicode = flags.includes('u')
    this.#borders = flags.includes('m') ? [-1, 10, 13, 0x2028, 0x2029] : [-1]
  }

  spans(text: string): Span[] {
    const {program} = this.#compiled
    this.#text = text
    this.#looks = []
    let run: Run | undefined
    const found: Span[] = []
    for (let start = this.#nextStart(0); start <= text.length; start = this.#nextStart(start)) {
      let end = -1
      run ??= new Run(program, 1, text.length)
      this.#explore(run, start, at => {
        end = at
        return true
      })
      if (end > start) found.push({start, end})
      // What was tried at the end of a match belongs to it; everything else that was tried failed, and would fail again.
      if (end >= 0) run.clear(end)
      start = end > start ? end : start + width(this.#codeAfter(start))
    }
    return found
  }

  /** Returns the next position at which a match may begin, beyond the text if there is none. */
  #nextStart(from: number): number {
    if (this.#first === undefined || from > this.#text.length) return from
    this.#first.lastIndex = from
    return this.#first.exec(this.#text)?.index ?? this.#text.length + 1
  }

  /** Follows the alternatives of a program from a position, the preferred ones first, until `onMatch` returns true. */
  #explore(run: Run, from: number, onMatch: (at: number) => boolean): void {
    const {program, step} = run
    const waiting = [0, from]
    while (waiting.length > 0) {
      let at = waiting.pop() ?? 0
      let pc = waiting.pop() ?? 0
      while (run.isNew(pc, at)) {
        const {op, x, y} = program[pc++]
        if (op === 'match') {
          if (onMatch(at)) return
          break
        }
        if (op === 'character') {
          const code = step > 0 ? this.#codeAfter(at) : this.#codeBefore(at)
          if (!this.#accepts[x](code)) break
          at += step * width(code)
        } else if (op === 'check') {
          if (!this.#holds(x, at)) break
        } else if (op === 'enter') run.isNew(x, at)
        else {
          if (op === 'split') waiting.push(y, at)
          pc = x
        }
      }
    }
  }

  #holds(check: number, at: number): boolean {
    const test: Check = this.#compiled.checks[check]
    const [before, after] = [this.#codeBefore(at), this.#codeAfter(at)]
    if (test === '^') return this.#borders.includes(before)
    if (test === '$') return this.#borders.includes(after)
    if (typeof test === 'string') return (this.#isWord(before) !== this.#isWord(after)) === (test === 'b')
    this.#looks[check] ??= this.#matchEnds(test.program, test.ahead ? -1 : 1)
    return (this.#looks[check][at] === 1) !== test.negative
  }

  /** Tells where a program that starts anywhere can end; for look-ahead, which runs backwards, where it begins. */
  #matchEnds(program: Program, step: 1 | -1): Uint8Array {
    const {length} = this.#text
    const ends = new Uint8Array(length + 1)
    const run = new Run(program, step, length)
    for (let from = 0; from <= length; from += step > 0 ? width(this.#codeAfter(from)) : 1)
      this.#explore(run, from, at => {
        ends[at] = 1
        return false
      })
    return ends
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
}

function width(code: number): number {
  return code > 0xffff ? 2 : 1
}

/** A program and which of its instructions were tried at which positions of a text, a bit each. */
class Run {
  readonly program: Program
  /** 1 reads the text forwards, -1 backwards. */
  readonly step: 1 | -1
  readonly #rowBytes: number
  readonly #bits: Uint8Array

  constructor(program: Program, step: 1 | -1, length: number) {
    this.program = program
    this.step = step
    this.#rowBytes = Math.ceil(program.length / 8)
    this.#bits = new Uint8Array(this.#rowBytes * (length + 1))
  }

  /** Tells whether this is the first time. */
  isNew(pc: number, at: number): boolean {
    const place = this.#rowBytes * at + (pc >> 3)
    const bit = 1 << (pc & 7)
    if ((this.#bits[place] & bit) !== 0) return false
    this.#bits[place] |= bit
    return true
  }

  clear(at: number): void {
    this.#bits.fill(0, this.#rowBytes * at, this.#rowBytes * (at + 1))
  }
}

/** Returns the classes of which a match must begin with one; undefined if a match may be empty. */
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

/** Tells whether a character, by its code, matches an expression of one character; -1, outside the text, does not. */
function createCharacterTest(source: string, flags: string): CharacterTest {
  const pattern = new RegExp(source, flags)
  const known = new Map<number, boolean>()
  /** 0 until a character is met, then 1 for no and 2 for yes. */
  const small = new Uint8Array(128)
  return code => {
    if (code < 0) return false
    if (code < 128) {
      if (small[code] === 0) small[code] = pattern.test(String.fromCharCode(code)) ? 2 : 1
      return small[code] === 2
    }
    let answer = known.get(code)
    if (answer === undefined) {
      answer = pattern.test(String.fromCodePoint(code))
      known.set(code, answer)
    }
    return answer
  }
}
