import {expect, test} from 'vitest'
import {AdfaError, fileKind, throwIfCancelled} from './error.ts'

test('new AdfaError(...) carries code, message, cause and details', () => {
  const cause = new RangeError('inner')
  const error = new AdfaError('bad-file', 'notes.jsonl: cut short', {cause, details: {line: 3}})
  expect(error).toBeInstanceOf(Error)
  expect(error).toMatchObject({name: 'AdfaError', code: 'bad-file', message: 'notes.jsonl: cut short'})
  expect(error.cause).toBe(cause)
  expect(error.details).toEqual({line: 3})
})

test('throwIfCancelled(...) throws once the signal is aborted, never before or without one', () => {
  const controller = new AbortController()
  expect(() => throwIfCancelled(undefined)).not.toThrow()
  expect(() => throwIfCancelled(controller.signal)).not.toThrow()
  controller.abort()
  expect(() => throwIfCancelled(controller.signal)).toThrow(expect.objectContaining({code: 'cancelled'}))
})

test.each([
  ['ADFACNT\n\u0002', 'counts'],
  ['{\n"format": "adfa-model",\n"version": 2', 'a model'],
  ['{"format":"adfa-release","version":1}\n', 'released tables'],
  ['{"id": 1, "text": "fever"}\n', 'documents'],
  ['{"fever": ["febrile"]}', undefined],
  ['', undefined]
])('fileKind(%j) is %s', (start, kind) => {
  expect(fileKind(start)).toBe(kind)
})
