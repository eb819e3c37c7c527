import type {PageName} from './store.ts'

/** Keys as the help shows them, by a blank between, and what they do. */
type KeyHelp = readonly [keys: string, does: string]

/** All keys, by where they work. */
export const KEYS: Readonly<Record<'everywhere' | PageName, readonly KeyHelp[]>> = {
  everywhere: [
    ['?', 'show this window'],
    ['Ctrl z', 'undo, 200 steps'],
    ['Ctrl Shift z', 'redo'],
    ['Ctrl s', 'save the project'],
    ['Enter', 'accept what is typed in a field'],
    ['Esc', 'close a window, leave a field as it was'],
    ['↑ ↓', 'move in a list'],
    ['PgUp PgDn', 'move in a list by a screen'],
    ['Home End', 'go to the first or last row of a list']
  ],
  start: [['Ctrl v', 'paste files or text as documents']],
  anchors: [
    ['Enter', 'add the word that is typed'],
    ['Esc', 'clear the word that is typed'],
    ['a–z', 'go to a concept by its first letters']
  ],
  label: [
    ['1–9 a–z', 'tick a concept'],
    ['← ↑ → ↓', 'move between the concepts'],
    ['Home End', 'go to the first or last concept'],
    ['y n', 'answer a short question'],
    ['Enter', 'done, next document'],
    ['s', 'skip'],
    ['u', 'undo the last answer']
  ],
  documents: [
    ['j k', 'next, previous document'],
    ['/', 'filter'],
    ['Enter', 'open the document']
  ],
  graph: [
    ['← ↑ → ↓', 'go to the neighbour on that side, or to the next cell'],
    ['Home End', 'go to the first or last cell of a row'],
    ['Enter Space', 'open the card of the concept'],
    ['Esc', 'go from the card back to the picture'],
    ['+ − 0', 'zoom in, zoom out, whole picture'],
    ['/', 'find a concept']
  ],
  evaluate: [
    ['j k', 'next, previous mistake'],
    ['Enter', 'go to its text']
  ],
  compare: [['Enter', 'take the snapshot that is named']]
}
