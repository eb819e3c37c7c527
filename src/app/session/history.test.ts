import fc from 'fast-check'
import {expect, test} from 'vitest'
import {changeHistory, type Edit, type History, MOST_STEPS, startHistory} from './edits.ts'
import {edits, emptyProject} from './test-project.ts'

const add = (concept: string): Edit => ({kind: 'addConcept', concept})
const makeEdit = (history: History, edit: Edit) => changeHistory(history, {kind: 'edit', edit})
const undo = (history: History) => changeHistory(history, {kind: 'undo'})
const redo = (history: History) => changeHistory(history, {kind: 'redo'})
const words = ({undos, redos}: History) =>
  [undos, redos].map(steps => steps.map(({edit}) => edit.kind === 'addConcept' && edit.concept))

test('undo(...) and redo(...) go back and forth; a new edit drops what was undone', () => {
  const two = [add('a'), add('b')].reduce(makeEdit, startHistory(emptyProject))
  const one = undo(two)
  expect(words(one)).toEqual([['a'], ['b']])
  expect(redo(one)).toEqual(two)
  expect(undo(undo(one))).toEqual(undo(one))
  const other = makeEdit(one, add('c'))
  expect(words(other)).toEqual([['a', 'c'], []])
  expect(redo(other)).toBe(other)
  expect(undo(startHistory(emptyProject)).project).toBe(emptyProject)
})

test(`${MOST_STEPS} edits can be undone, and no more`, () => {
  let history = startHistory(emptyProject)
  for (let at = 0; at < MOST_STEPS + 5; at++) history = makeEdit(history, add(`c${at}`))
  for (let at = 0; at < MOST_STEPS; at++) history = undo(history)
  expect([history.undos.length, history.project.anchors.length]).toEqual([0, 5])
})

/** Edits that cannot be done change nothing. */
function tryEdit(history: History, edit: Edit): History {
  try {
    return makeEdit(history, edit)
  } catch {
    return history
  }
}

test('undoing any edits returns to the start, and redoing them to the end', () => {
  fc.assert(
    fc.property(edits, some => {
      const end = some.reduce(tryEdit, startHistory(emptyProject))
      let history = end
      while (history.undos.length > 0) history = undo(history)
      expect(history.project).toBe(emptyProject)
      while (history.redos.length > 0) history = redo(history)
      expect(history).toEqual(end)
      expect(history.project).toBe(end.project)
    }),
    {numRuns: 200}
  )
})
