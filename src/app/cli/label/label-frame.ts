import pc from 'picocolors'
import type {LabelFacts} from './label-facts.ts'
import {clipText, plainText, textWidth} from './label-text.ts'
import type {LabelView} from './label-view.ts'
import {enoughWords, knownWords} from './label-words.ts'

/** How many documents are labelled, and where. */
export function headerLine({progress, file}: LabelFacts, columns: number): string {
  const {documents, least, goal} = progress
  const left = ` ${documents} of ${least < goal ? `${least}-` : ''}${goal} documents labelled `
  const right = ` ${clipText(file, 40)} `
  const space = columns - textWidth(left) - textWidth(right)
  if (space < 6) return pc.bold(clipText(left, columns))
  const cells = Math.min(30, space - 2)
  const full = Math.min(cells, Math.round((cells * documents) / goal))
  const bar = `${pc.green('\u2588'.repeat(full))}${pc.dim('\u2591'.repeat(cells - full))}`
  return `${pc.bold(left)}${bar}${' '.repeat(space - cells)}${pc.dim(right)}`
}

/** What just happened, or how well the concepts are known, and how their intervals shrank. */
export function statusLine({progress, narrow, history, note}: LabelFacts, columns: number): string {
  if (note !== '') return pc.yellow(clipText(` ${note}`, columns))
  const enough = enoughWords(progress, narrow)
  const words = clipText(` ${enough ?? knownWords(progress)}`, columns)
  const line = sparkline(history.slice(-12))
  const space = columns - textWidth(words) - line.length - 2
  const painted = enough === undefined ? words : pc.green(words)
  return space < 1 ? painted : `${painted}${' '.repeat(space)} ${pc.cyan(line)} `
}

/** Small bars on a log scale, of which a factor of 1, which is to know exactly, would have no height. */
function sparkline(factors: readonly number[]): string {
  const most = Math.log(Math.max(2, ...factors))
  return factors
    .map(
      value => '\u2581\u2582\u2583\u2584\u2585\u2586\u2587\u2588'[Math.min(7, Math.floor((8 * Math.log(value)) / most))]
    )
    .join('')
}

export function keyLine({screen, question, find}: LabelView, columns: number): string {
  const keys =
    screen === 'enough'
      ? ' q stop here    any other key: go on'
      : screen !== 'question'
        ? ' PgUp PgDn turn the page    any other key: back'
        : find !== undefined
          ? ' type a part of a name    up down choose    Enter tick    Esc leave'
          : question.drawn === 'anchored'
            ? ' y yes  n no  s skip  u undo  i intervals  ? help  q quit'
            : ' 1-9 a-z tick  / find  Enter done  u undo  s skip  i intervals  ? help  q quit'
  return pc.dim(clipText(keys, columns))
}

/** A rule with the document's id in it, by which it can be looked up elsewhere. */
export function titleRule({screen, question}: LabelView, columns: number): string {
  const {id} = question.document.row
  if (screen !== 'question' || id === undefined) return pc.dim('\u2500'.repeat(columns))
  const name = clipText(plainText(String(id)).replaceAll('\n', ' '), columns - 6)
  return `${pc.dim('\u2500\u2500')} ${name} ${pc.dim('\u2500'.repeat(Math.max(0, columns - textWidth(name) - 4)))}`
}
