import {expect, test} from 'vitest'
import {fileKind, throwIfCancelled} from './error.ts'

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
