/**
 * Regular expressions are matched in linear time, so that none makes adfa hang on any text. `RegExp` backtracks and may take
 * exponential time; it is used only if the number of ways to match is bounded, as in `/heart (size )?is enlarged/`. Otherwise
 * backtracking remembers what it tried (Davis et al. 2021): all matches of a text take O(length * instructions) time and bits.
 * Look-around is evaluated for all positions of a text together. Back references are refused.
 *
 * The matches are the same as by `RegExp`, with one exception: a lazy part inside a repeated part that may be empty, as in
 * `/(a*?)*b/`, can match fewer characters.
 */

import {AdfaError} from '../checks/index.ts'
import {type Check, type CompiledRegex, compileRegex, type Program} from './compile-regex.ts'
import {parseRegex, type RegexNode} from './parse-regex.ts'

export interface Regex {
  /** The expression as `/source/flags`. */
  readonly name: string
  /** Returns all matches of at least one character, in the order of the text. */
  spans(text: string): Span[]
}

interface Span {
  readonly start: number
  readonly end: number
}

/** Tells whether a character, given by its code, matches; -1 stands for the outside of the text and never matches. */
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
  if ((source.match(/\(/g)?.length ?? 0) > MAX_GROUPS)
    throw new AdfaError('bad-option', `${name.slice(0, 80)}... is too large; use at most ${MAX_GROUPS} parentheses`)
  const node = parseRegex(source, flags)
  if (waysToMatch(node) <= MAX_WAYS) return {name, spans: nativeSpans(source, flags)}
  const compiled = compileRegex(node, name)
  // Anchors may be parsed several times before they are matched, so the matcher is built for the first text that needs it.
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

/** Nested groups are parsed recursively, so their number is limited. */
const MAX_GROUPS = 500

/** Backtracking may try every way to match at every position; it is fast enough with at most this many ways. */
const MAX_WAYS = 1000

/** Returns an upper bound of the number of ways in which an expression can match at one position. */
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
      if (node.max > MAX_WAYS) return Number.POSITIVE_INFINITY
      const once = waysToMatch(node.body)
      return Array.from({length: node.max - node.min + 1}, (_, k) => once ** (node.min + k)).reduce((a, b) => a + b, 0)
    }
  }
}

/**
 * Returns texts that every match contains, in lower case if the expression ignores case: 0777 for `/\b\w+0777\b/`, heart and size for
 * `/heart.*size/`. Only printable ASCII characters count, whose upper and lower case correspond one to one.
 */
export function requiredLiterals(node: RegexNode, flags: string): readonly string[] {
  const ignoresCase = flags.includes('i')
  // The exceptions: with the flags i and u, s also matches the long s, and k the Kelvin sign.
  const hasOtherCases = (letter: string) => ignoresCase && flags.includes('u') && /[ks]/i.test(letter)
  const found: string[] = []
  let run = ''
  const endRun = () => {
    if (run !== '') found.push(ignoresCase ? run.toLowerCase() : run)
    run = ''
  }
  const visit = (each: RegexNode): void => {
    switch (each.kind) {
      case 'character': {
        const letter = literalOf(each.source)
        if (letter === undefined || hasOtherCases(letter)) endRun()
        else run += letter
        break
      }
      case 'sequence':
        each.parts.forEach(visit)
        break
      case 'choice':
        endRun()
        break
      case 'repeat':
        // The first repetition continues the run of literals, which then ends unless the part occurs exactly once.
        if (each.min > 0) visit(each.body)
        if (each.min !== 1 || each.max !== 1) endRun()
        break
      // Assertions and look-around consume no characters, so the run continues.
      default:
    }
  }
  visit(node)
  endRun()
  return [...new Set(found)]
}

/** Returns the character that a source matches, if it is one printable ASCII character. */
function literalOf(source: string): string | undefined {
  const letter = /^(?:\\([ -/:-@[-`{-~])|([ -~]))$/.exec(source)
  return source === '.' ? undefined : (letter?.[1] ?? letter?.[2])
}

/** Finds matches by `exec`, since `matchAll` would copy the expression for each text. */
function nativeSpans(source: string, flags: string): Regex['spans'] {
  const pattern = new RegExp(source, `${flags.replace('g', '')}g`)
  return text => {
    const found: Span[] = []
    pattern.lastIndex = 0
    for (let match = pattern.exec(text); match !== null; match = pattern.exec(text)) {
      const [start, end] = [match.index, match.index + match[0].length]
      if (end > start) found.push({start, end})
      else pattern.lastIndex += pattern.unicode ? unitCount(text.codePointAt(end) ?? 0) : 1
    }
    return found
  }
}

/** Matches by backtracking, but never tries an instruction twice at the same position of a text. */
class Matcher {
  readonly #compiled: CompiledRegex
  readonly #accepts: readonly CharacterTest[]
  /** Matches the characters with which a match can begin, to skip all others; undefined if a match may be empty. */
  readonly #firstCharacter: RegExp | undefined
  readonly #isWord: CharacterTest
  readonly #isUnicode: boolean
  /** The codes of the characters that end a line, and -1 for the ends of the text. */
  readonly #borders: readonly number[]
  #text = ''
  /** For each check that is a look-around and was needed, 1 at the positions of the text where its body matches. */
  #looks: (Uint8Array | undefined)[] = []

  constructor(compiled: CompiledRegex, flags: string) {
    const {program, classes} = compiled
    const first = firstClasses(program)
    const characterFlags = flags.replace(/[dgm]/g, '')
    const characterTest = (source: string) => createCharacterTest(`^(?:${source})$`, characterFlags)
    this.#compiled = compiled
    this.#accepts = classes.map(characterTest)
    this.#firstCharacter = first && new RegExp(first.map(each => classes[each]).join('|'), `${characterFlags}g`)
    this.#isWord = characterTest('\\w')
    this.#isUnicode = flags.includes('u')
    this.#borders = flags.includes('m') ? [-1, 10, 13, 0x2028, 0x2029] : [-1]
  }

  spans(text: string): Span[] {
    this.#text = text
    this.#looks = []
    let exploration: Exploration | undefined
    const found: Span[] = []
    for (let start = this.#nextStart(0); start <= text.length; start = this.#nextStart(start)) {
      let end = -1
      exploration ??= new Exploration(this.#compiled.program, 1, text.length)
      this.#explore(exploration, start, at => {
        end = at
        return true
      })
      if (end > start) found.push({start, end})
      // The next match may begin where this one ends, so what was tried there is forgotten; other tries would fail again.
      if (end >= 0) exploration.forget(end)
      start = end > start ? end : start + unitCount(this.#codeAfter(start))
    }
    return found
  }

  /** Returns the next position at which a match may begin, or one beyond the text if there is none. */
  #nextStart(from: number): number {
    if (this.#firstCharacter === undefined || from > this.#text.length) return from
    this.#firstCharacter.lastIndex = from
    return this.#firstCharacter.exec(this.#text)?.index ?? this.#text.length + 1
  }

  /** Follows the alternatives of a program from a position, the preferred ones first, until `onMatch` returns true. */
  #explore(exploration: Exploration, from: number, onMatch: (at: number) => boolean): void {
    const {program, step} = exploration
    const waiting = [0, from]
    while (waiting.length > 0) {
      let at = waiting.pop() ?? 0
      let pc = waiting.pop() ?? 0
      while (exploration.markTried(pc, at)) {
        const {op, x, y} = program[pc++]
        if (op === 'match') {
          if (onMatch(at)) return
          break
        }
        if (op === 'character') {
          const code = step > 0 ? this.#codeAfter(at) : this.#codeBefore(at)
          if (!this.#accepts[x](code)) break
          at += step * unitCount(code)
        } else if (op === 'check') {
          if (!this.#holds(x, at)) break
        } else if (op === 'enter') exploration.markTried(x, at)
        else {
          if (op === 'split') waiting.push(y, at)
          pc = x
        }
      }
    }
  }

  /** Tells whether the check with this index, an assertion or a look-around, holds at a position of the text. */
  #holds(index: number, at: number): boolean {
    const check: Check = this.#compiled.checks[index]
    const [before, after] = [this.#codeBefore(at), this.#codeAfter(at)]
    if (check === '^') return this.#borders.includes(before)
    if (check === '$') return this.#borders.includes(after)
    if (typeof check === 'string') return (this.#isWord(before) !== this.#isWord(after)) === (check === 'b')
    // Look-ahead is matched backwards over the whole text once, so that its ends are the positions where a match begins.
    this.#looks[index] ??= this.#matchEnds(check.program, check.isAhead ? -1 : 1)
    return (this.#looks[index][at] === 1) !== check.isNegative
  }

  /** Returns 1 at every position where a match of a program ends, whatever its start. With step -1 the text is read backwards. */
  #matchEnds(program: Program, step: 1 | -1): Uint8Array {
    const {length} = this.#text
    const ends = new Uint8Array(length + 1)
    const exploration = new Exploration(program, step, length)
    for (let from = 0; from <= length; from += step > 0 ? unitCount(this.#codeAfter(from)) : 1)
      this.#explore(exploration, from, at => {
        ends[at] = 1
        return false
      })
    return ends
  }

  /** Returns the code of the character after a position, -1 at the end of the text; `#codeBefore` is its mirror image. */
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

/** Returns the number of UTF-16 units of a character. */
function unitCount(code: number): number {
  return code > 0xffff ? 2 : 1
}

/** A program with a bit for each of its instructions and each position of a text: whether the instruction was tried there. */
class Exploration {
  readonly program: Program
  /** 1 reads the text forwards, -1 backwards. */
  readonly step: 1 | -1
  readonly #bytesPerPosition: number
  readonly #bits: Uint8Array

  constructor(program: Program, step: 1 | -1, length: number) {
    this.program = program
    this.step = step
    this.#bytesPerPosition = Math.ceil(program.length / 8)
    this.#bits = new Uint8Array(this.#bytesPerPosition * (length + 1))
  }

  /** Marks an instruction as tried at a position, and tells whether this is the first time. */
  markTried(pc: number, at: number): boolean {
    const byte = this.#bytesPerPosition * at + (pc >> 3)
    const bit = 1 << (pc & 7)
    if ((this.#bits[byte] & bit) !== 0) return false
    this.#bits[byte] |= bit
    return true
  }

  forget(at: number): void {
    this.#bits.fill(0, this.#bytesPerPosition * at, this.#bytesPerPosition * (at + 1))
  }
}

/** Returns the indices of the character classes with which a match can begin; undefined if a match may be empty. */
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

/** Creates a function that tells whether an expression matches one character, and remembers its answers. */
function createCharacterTest(source: string, flags: string): CharacterTest {
  const pattern = new RegExp(source, flags)
  const others = new Map<number, boolean>()
  /** 0 for a character that was not tested yet, then 1 for no and 2 for yes. */
  const ascii = new Uint8Array(128)
  return code => {
    if (code < 0) return false
    if (code < 128) {
      if (ascii[code] === 0) ascii[code] = pattern.test(String.fromCharCode(code)) ? 2 : 1
      return ascii[code] === 2
    }
    const known = others.get(code)
    if (known !== undefined) return known
    const answer = pattern.test(String.fromCodePoint(code))
    others.set(code, answer)
    return answer
  }
}
