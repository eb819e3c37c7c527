import {printableLine, wrapCells} from '../../base/text/index.ts'
import type {Finding, RemedyTool} from '../../use/advice/index.ts'

const COLUMNS = 100

const COMMANDS: Readonly<Record<RemedyTool, string>> = {
  suggestions: 'adfa suggest',
  forms: 'adfa suggest --apply',
  labels: 'adfa label',
  negation: '--negation'
}

/** The remedy with the command or the option that it needs. */
export function remedyText({remedy, tool}: Finding): string {
  return tool === undefined ? remedy : `${remedy} (${COMMANDS[tool]})`
}

/** Breaks lines at spaces; the first starts at column `taken`, the others after `indent`. */
export function wrap(text: string, indent: string, taken: number): string {
  return wrapCells(printableLine(text), COLUMNS - Math.max(taken, indent.length)).join(`\n${indent}`)
}
