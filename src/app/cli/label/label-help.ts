import pc from 'picocolors'
import {wrapText} from './label-text.ts'

const KEYS: readonly (readonly [keys: string, what: string])[] = [
  ['1-9 a-z', 'tick the concept with this key, or take the tick away'],
  ['arrows, space', 'move to a concept, tick it'],
  ['/', 'find a concept by a part of its name; Enter ticks it'],
  ['Enter', 'done: what is ticked is there, everything else is not'],
  ['y n', 'answer a short question'],
  ['u', 'undo: take the latest answer back, and the one before, ...'],
  ['s', 'skip a document that you cannot judge; it does not count'],
  ['PgUp PgDn < >', 'turn the page of a long document'],
  ['i', 'how well each concept is known so far'],
  ['q', 'quit; the same command goes on where you stopped'],
  ['Ctrl-Z', 'put the program aside; fg brings it back']
]

const TEXT =
  'Every answer is saved at once. Documents are drawn at random and asked whole, which is what prevalence is estimated from. Between ' +
  'them come short questions on documents where the anchor of one concept fires, which show how often the anchor is right. ' +
  'The concepts are ranked by how probable they are by what is known so far: that saves looking, and is no answer.'

export function helpLines(columns: number): string[] {
  return [
    '',
    ...KEYS.map(([keys, what]) => `  ${pc.bold(keys.padEnd(15))}${what}`),
    '',
    ...wrapText(TEXT, columns - 4).map(line => `  ${line}`)
  ]
}
