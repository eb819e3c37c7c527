import {printableLine, wrapCells} from '../../base/text/index.ts'
import type {NoiseMethod} from '../../learn/noise/index.ts'
import {type Examination, examine, type Finding, type RemedyTool} from '../../use/advice/index.ts'
import type {Output} from './output.ts'
import {type Input, sampleDocuments} from './read-input.ts'

interface ExamineOptions {
  readonly noise?: NoiseMethod
  readonly seed: number
}

/** Checks the anchors of what was read, as `adfa doctor` shows and `adfa run` goes by. */
export function examineInput(input: Input, {noise, seed}: ExamineOptions, output: Output): Promise<Examination> {
  output.progress('examining anchors')
  return examine(input.counts, {
    noise,
    seed,
    rows: input.documents?.sample,
    sample: () => sampleDocuments(input),
    onProgress: (done, concepts) => output.progress('scoring documents: concepts', done / concepts)
  })
}

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
