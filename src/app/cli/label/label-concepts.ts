import pc from 'picocolors'
import type {LabelFacts} from './label-facts.ts'
import {fitText, textWidth} from './label-text.ts'
import {firstListed, type LabelView, TICK_KEYS, type ViewRoom} from './label-view.ts'

/** How the concepts stand on the screen, in columns. */
export interface Grid {
  readonly columns: number
  readonly width: number
  readonly name: number
}

/** Cells of a concept beside its name: pointer, key, box and probability. */
const BESIDE_NAME = 15
/** A screen of this width has room for two columns of 20 letters. */
const TWO_COLUMNS = 70

export function gridOf(concepts: readonly string[], columns: number): Grid {
  const longest = Math.min(30, Math.max(...concepts.map(textWidth)))
  // Two columns of names that are cut tell more than one.
  const count = Math.max(columns < TWO_COLUMNS ? 1 : 2, Math.floor(columns / (longest + BESIDE_NAME)))
  const width = Math.floor(columns / count)
  return {columns: count, width, name: Math.max(1, Math.min(longest, width - BESIDE_NAME))}
}

/** The concepts that there is room for, down the columns: pointer, key, box, name and probability. */
export function conceptGrid(
  view: LabelView,
  shown: readonly number[],
  {concepts}: LabelFacts,
  {columns, width, name, column, listed: room}: Grid & ViewRoom
): string[] {
  const first = firstListed(view.cursor, room)
  if (shown.length === 0) return [pc.dim('   no concept has this in its name')]
  return Array.from({length: column}, (_, row) =>
    Array.from({length: columns}, (_, c) => {
      const place = c * column + row
      const i = shown[first + place]
      if (i === undefined) return ''
      const isTicked = view.ticked.has(i)
      const pointer = first + place === view.cursor ? pc.cyan('\u276f') : ' '
      const key = view.find === undefined ? (TICK_KEYS[place] ?? ' ') : ' '
      const box = isTicked ? pc.green('[x]') : '[ ]'
      const label = fitText(concepts[i], name)
      const p = view.probabilities[i]
      const share = (p < 0.005 ? '' : `${Math.round(100 * p)}%`).padStart(5)
      const blanks = ' '.repeat(Math.max(0, width - BESIDE_NAME - name))
      return `${pointer} ${pc.bold(key)} ${box} ${isTicked ? pc.green(pc.bold(label)) : label}${tint(p)(share)}${blanks} `
    }).join('')
  )
}

function tint(probability: number): (text: string) => string {
  return probability >= 0.5 ? pc.yellow : pc.dim
}
