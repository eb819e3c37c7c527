import {AdfaError} from '../../base/checks/index.ts'
import {replaceControls} from '../../base/text/index.ts'
import {compareFamilies, type Family, type FamilyScores} from './family-scores.ts'

/** Scores and the names of the concepts they are for. */
export interface NamedScores {
  readonly names: readonly string[]
  readonly scores: FamilyScores
}

/**
 * Read a score file of GOBNILP (`.jkl`): a line with the number of concepts; then per concept a line with its name and
 * the number of its families, and per family a line with score, number of parents and their names. Names contain no space,
 * which {@link writeScores} escapes; parents may be named before their own line. `file` names the text in errors. Nothing is pruned.
 */
export function readScores(text: string, file: string): NamedScores {
  const lines = new ScoreLines(text, file)
  const count = lines.whole(lines.next('the number of concepts', 1), 0, 'the number of concepts')
  const blocks = Array.from({length: count}, () => readBlock(lines))
  lines.end()
  const numbers = new Map(blocks.map(({name}, i) => [name, i]))
  const scores = blocks.map(({name, at, rows}, child) => {
    if (numbers.get(name) !== child) throw lines.error(at, `concept "${name}" has a second list; give each concept one`)
    const families = rows.map(row => familyOf(row, child, numbers, lines))
    refuseTwice(families, rows, lines)
    return families.sort(compareFamilies)
  })
  return {names: blocks.map(({name}) => unescaped(name)), scores}
}

/**
 * The text of a score file; numbers and names read back the same. A space in a name becomes `%20`, a percent sign
 * `%25`, an escape character `%1B`.
 */
export function writeScores({names: given, scores}: NamedScores): string {
  const names = given.map(escaped)
  if (names.includes(''))
    throw new AdfaError(
      'cannot-write',
      'score file: the name of a concept is empty, and the format needs one; rename it'
    )
  if (new Set(names).size < names.length || names.length !== scores.length)
    throw new AdfaError(
      'cannot-write',
      `score file: ${names.length} names for ${scores.length} concepts; give each its own`
    )
  const lines = scores.flatMap((families, i) => [
    `${names[i]} ${families.length}`,
    ...families.map(({parents, score}) => [score, parents.length, ...parents.map(k => names[k])].join(' '))
  ])
  return `${[names.length, ...lines].join('\n')}\n`
}

/** The format has no quotes: white space is percent-encoded, and so are control characters and the percent sign. */
function escaped(name: string): string {
  return replaceControls(name.replaceAll(/[\s%]/g, encodeURIComponent), encodeURIComponent)
}

/** Names of other programs keep their percent signs, unless these escape what {@link escaped} does. */
function unescaped(word: string): string {
  return word.replaceAll(/(?:%[0-9A-F]{2})+/g, run => {
    try {
      const plain = decodeURIComponent(run)
      return replaceControls(plain, () => '').replaceAll(/[\s%]/g, '') === '' ? plain : run
    } catch {
      return run
    }
  })
}

interface Line {
  /** Counted from 1. */
  readonly at: number
  readonly words: readonly string[]
}

interface Block {
  readonly name: string
  readonly at: number
  readonly rows: readonly Line[]
}

function readBlock(lines: ScoreLines): Block {
  const head = lines.next('a concept and the number of its families', 2)
  const count = lines.whole(head, 1, 'the number of families')
  const rows = Array.from({length: count}, () => lines.next('score, number of parents, parents'))
  return {name: head.words[0], at: head.at, rows}
}

function familyOf(row: Line, child: number, numbers: ReadonlyMap<string, number>, lines: ScoreLines): Family {
  const [score, , ...names] = row.words
  const value = Number(score)
  if (!Number.isFinite(value)) throw lines.error(row.at, `score "${score}" is not a finite number`)
  const count = lines.whole(row, 1, 'the number of parents')
  if (names.length !== count)
    throw lines.error(row.at, `${count} parents are announced, ${names.length} follow; make these agree`)
  const parents = names.map(name => {
    const parent = numbers.get(name)
    if (parent === undefined) throw lines.error(row.at, `parent "${name}" has no list of its own in the file`)
    if (parent === child) throw lines.error(row.at, `"${name}" is named as its own parent`)
    return parent
  })
  if (new Set(parents).size < parents.length) throw lines.error(row.at, 'a parent is named twice')
  return {parents: parents.sort((a, b) => a - b), score: value}
}

function refuseTwice(families: readonly Family[], rows: readonly Line[], lines: ScoreLines): void {
  const seen = new Map<string, number>()
  families.forEach(({parents}, n) => {
    const first = seen.get(parents.join())
    if (first !== undefined) throw lines.error(rows[n].at, `the same parents as in line ${first}; score a family once`)
    seen.set(parents.join(), rows[n].at)
  })
}

/** The non-blank lines in order, and errors with line numbers. */
class ScoreLines {
  readonly #file: string
  readonly #lines: readonly Line[]
  #next = 0

  constructor(text: string, file: string) {
    this.#file = file
    this.#lines = text
      .split('\n')
      .map((line, n) => ({at: n + 1, words: line.split(/\s+/).filter(word => word !== '')}))
      .filter(({words}) => words.length > 0)
  }

  /** The next line, of exactly `wordCount` words if given, otherwise of at least two. */
  next(what: string, wordCount?: number): Line {
    if (this.#next === this.#lines.length)
      throw new AdfaError('bad-file', `${this.#file}: ends where ${what} should follow; is it cut short?`)
    const line = this.#lines[this.#next++]
    if (wordCount === undefined ? line.words.length < 2 : line.words.length !== wordCount)
      throw this.error(line.at, `"${line.words.join(' ')}" stands where ${what} should`)
    return line
  }

  /** A word of a line as a whole number, at least 0. */
  whole(line: Line, word: number, what: string): number {
    if (!/^\d{1,9}$/.test(line.words[word]))
      throw this.error(line.at, `"${line.words[word]}" stands where ${what} should; give a whole number, at least 0`)
    return Number(line.words[word])
  }

  end(): void {
    if (this.#next < this.#lines.length)
      throw this.error(this.#lines[this.#next].at, 'more lines than the numbers of concepts and families announce')
  }

  error(at: number, message: string): AdfaError {
    return new AdfaError('bad-file', `${this.#file}, line ${at}: ${message}`, {details: {line: at}})
  }
}
