import {AdfaError} from '../checks/index.ts'
import type {RegexNode} from './parse-regex.ts'

/**
 * A step of a program. `character` consumes one of class x; `split` continues at x, or else at y; `jump` continues at x;
 * `check` goes on where check x holds; `enter` goes on and counts x as reached at this position, so that an optional part
 * that consumed nothing fails, as it does in `RegExp`.
 */
export interface Instruction {
  readonly op: 'character' | 'split' | 'jump' | 'check' | 'enter' | 'match'
  x: number
  y: number
}

export type Program = readonly Instruction[]

/** What must hold at a position: an assertion, or a program that matches from here on (backwards: up to here). */
export type Check =
  | '^'
  | '$'
  | 'b'
  | 'B'
  | {readonly program: Program; readonly ahead: boolean; readonly negative: boolean}

export interface CompiledRegex {
  readonly program: Program
  /** The sources of the character classes, by number. */
  readonly classes: readonly string[]
  readonly checks: readonly Check[]
}

/** The most instructions of an expression; `x{1,1000}` has about 2,000. */
const mostInstructions = 10_000

export function compileRegex(root: RegexNode, name: string): CompiledRegex {
  const classes: string[] = []
  const checks: Check[] = []
  let size = 0
  return {program: programOf(root, false), classes, checks}

  /** Look-ahead runs backwards, so that one pass finds all positions from which it matches. */
  function programOf(body: RegexNode, backwards: boolean): Program {
    const program: Instruction[] = []
    emit(body)
    push('match')
    return program

    function push(op: Instruction['op'], x = 0): Instruction {
      if (++size > mostInstructions)
        throw new AdfaError('bad-option', `${name} is too large; repeat fewer times than {${mostInstructions / 10}}`)
      const instruction = {op, x, y: 0}
      program.push(instruction)
      return instruction
    }

    function emit(node: RegexNode): void {
      switch (node.kind) {
        case 'character':
          push('character', numberOf(classes, node.source))
          break
        case 'assertion':
          push('check', numberOf(checks, node.test))
          break
        case 'look': {
          const {ahead, negative} = node
          push('check', checks.push({program: programOf(node.body, ahead), ahead, negative}) - 1)
          break
        }
        case 'sequence':
          for (const part of backwards ? node.parts.toReversed() : node.parts) emit(part)
          break
        case 'choice':
          emitChoice(node.parts)
          break
        case 'repeat':
          emitRepeat(node)
      }
    }

    function emitChoice([part, ...others]: readonly RegexNode[]): void {
      if (others.length === 0) {
        emit(part)
        return
      }
      const split = push('split', program.length + 1)
      emit(part)
      const end = push('jump')
      split.y = program.length
      emitChoice(others)
      end.x = program.length
    }

    function emitRepeat({body, min, max, greedy}: RegexNode & {readonly kind: 'repeat'}): void {
      for (let k = 0; k < min; k++) emit(body)
      if (max === Number.POSITIVE_INFINITY) {
        const split = push('split')
        emit(body)
        push('jump', program.indexOf(split))
        aim(split, program.indexOf(split) + 1, greedy)
        return
      }
      const splits: Instruction[] = []
      for (let k = min; k < max; k++) {
        splits.push(push('split', program.length))
        const enter = push('enter')
        emit(body)
        enter.x = program.length
        push('jump', program.length + 1)
      }
      for (const split of splits) aim(split, split.x + 1, greedy)
    }

    /** The program so far ends where the repetition ends. */
    function aim(split: Instruction, inside: number, greedy: boolean): void {
      split.x = greedy ? inside : program.length
      split.y = greedy ? program.length : inside
    }
  }
}

function numberOf<T>(list: T[], value: T): number {
  const found = list.indexOf(value)
  return found >= 0 ? found : list.push(value) - 1
}
