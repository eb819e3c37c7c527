import {AdfaError} from '../checks/index.ts'
import type {Assertion, RegexNode} from './parse-regex.ts'

/**
 * An instruction of a program. `character` consumes a character of class x. `split` continues at x, or at y if that fails. `jump`
 * continues at x. `check` continues if check x holds. `enter` continues, but marks x as tried at this position, so that an optional
 * part that consumes nothing fails, as it does in `RegExp`. `match` ends the program.
 */
export interface Instruction {
  readonly op: 'character' | 'split' | 'jump' | 'check' | 'enter' | 'match'
  x: number
  y: number
}

export type Program = readonly Instruction[]

/** A condition on a position: an assertion, or a look-around with its own program. */
export type Check = Assertion | {readonly program: Program; readonly isAhead: boolean; readonly isNegative: boolean}

export interface CompiledRegex {
  readonly program: Program
  /** The sources of the character classes, to which `character` refers by index. */
  readonly classes: readonly string[]
  readonly checks: readonly Check[]
}

/**
 * The largest number of instructions of an expression, which bounds the steps per character of a text. Repetitions are written out:
 * `x{1,1000}` has about 2,000 instructions. An instruction counts once more for each optional part around it that may be empty.
 */
const MAX_INSTRUCTIONS = 2500

export function compileRegex(root: RegexNode, name: string): CompiledRegex {
  const shared = {name, classes: [], checks: [], size: 0}
  return {program: new ProgramBuilder(shared, false).build(root), classes: shared.classes, checks: shared.checks}
}

/** The state that the programs of one expression share; `size` is the number of their instructions. */
interface Shared {
  readonly name: string
  readonly classes: string[]
  readonly checks: Check[]
  size: number
}

class ProgramBuilder {
  readonly #program: Instruction[] = []
  readonly #shared: Shared
  /** Whether the program runs backwards, as look-ahead does, so that one pass finds all positions from which it matches. */
  readonly #isBackwards: boolean
  /** The number of enclosing optional parts that may match nothing. */
  #emptyDepth = 0

  constructor(shared: Shared, isBackwards: boolean) {
    this.#shared = shared
    this.#isBackwards = isBackwards
  }

  build(body: RegexNode): Program {
    this.#emit(body)
    this.#push('match')
    return this.#program
  }

  #push(op: Instruction['op'], x = 0): Instruction {
    this.#shared.size += 1 + this.#emptyDepth
    if (this.#shared.size > MAX_INSTRUCTIONS)
      throw new AdfaError(
        'bad-option',
        `${this.#shared.name} is too large: with its repetitions written out it has over ${MAX_INSTRUCTIONS} parts; repeat fewer ` +
          'times, or use * or + instead of numbers'
      )
    const instruction = {op, x, y: 0}
    this.#program.push(instruction)
    return instruction
  }

  #emit(node: RegexNode): void {
    const {classes, checks} = this.#shared
    switch (node.kind) {
      case 'character':
        this.#push('character', indexIn(classes, node.source))
        break
      case 'assertion':
        this.#push('check', indexIn(checks, node.test))
        break
      case 'look': {
        const {isAhead, isNegative, body} = node
        const program = new ProgramBuilder(this.#shared, isAhead).build(body)
        this.#push('check', checks.push({program, isAhead, isNegative}) - 1)
        break
      }
      case 'sequence':
        for (const part of this.#isBackwards ? node.parts.toReversed() : node.parts) this.#emit(part)
        break
      case 'choice':
        this.#emitChoice(node.parts)
        break
      case 'repeat':
        this.#emitRepeat(node)
    }
  }

  #emitChoice(parts: readonly RegexNode[]): void {
    const ends = parts.slice(0, -1).map(part => {
      const split = this.#push('split', this.#program.length + 1)
      this.#emit(part)
      const end = this.#push('jump')
      split.y = this.#program.length
      return end
    })
    this.#emit(parts[parts.length - 1])
    for (const end of ends) end.x = this.#program.length
  }

  #emitRepeat({body, min, max, isGreedy}: RegexNode & {readonly kind: 'repeat'}): void {
    for (let k = 0; k < min; k++) this.#emit(body)
    if (max === Number.POSITIVE_INFINITY) {
      const at = this.#program.length
      const split = this.#push('split')
      this.#emit(body)
      this.#push('jump', at)
      this.#setTargets(split, at + 1, isGreedy)
      return
    }
    // Until the end of the repetition is known, x of each split holds its own index.
    const splits: Instruction[] = []
    for (let k = min; k < max; k++) {
      splits.push(this.#push('split', this.#program.length))
      if (!isMaybeEmpty(body)) {
        this.#emit(body)
        continue
      }
      const enter = this.#push('enter')
      this.#emptyDepth++
      this.#emit(body)
      this.#emptyDepth--
      // A pass through the body that consumed nothing fails at this jump, which `enter` marked as tried at its position.
      enter.x = this.#program.length
      this.#push('jump', this.#program.length + 1)
    }
    for (const split of splits) this.#setTargets(split, split.x + 1, isGreedy)
  }

  /** Sets both targets of a split, the preferred one first: `inside` the repetition, and past it at the end of the program so far. */
  #setTargets(split: Instruction, inside: number, isGreedy: boolean): void {
    split.x = isGreedy ? inside : this.#program.length
    split.y = isGreedy ? this.#program.length : inside
  }
}

/** Tells whether an expression may match without consuming a character. */
function isMaybeEmpty(node: RegexNode): boolean {
  switch (node.kind) {
    case 'character':
      return false
    case 'sequence':
      return node.parts.every(isMaybeEmpty)
    case 'choice':
      return node.parts.some(isMaybeEmpty)
    case 'repeat':
      return node.min === 0 || isMaybeEmpty(node.body)
    default:
      return true
  }
}

/** Returns the index of a value in a list, to which it is added if it is new. */
function indexIn<T>(list: T[], value: T): number {
  const found = list.indexOf(value)
  return found >= 0 ? found : list.push(value) - 1
}
