import {expect, test} from 'vitest'
import {AdfaError, throwIfCancelled, unreachable} from './error.ts'

test('new AdfaError(...) carries code, message, cause and details', () => {
  const cause = new RangeError('inner')
  const error = new AdfaError('bad-file', 'notes.jsonl: cut short', {cause, details: {line: 3}})
  expect(error).toBeInstanceOf(Error)
  expect(error).toMatchObject({name: 'AdfaError', code: 'bad-file', message: 'notes.jsonl: cut short'})
  expect(error.cause).toBe(cause)
  expect(error.details).toEqual({line: 3})
})

test('new AdfaError(code, message) has no cause of its own and empty details', () => {
  const error = new AdfaError('bad-option', 'no')
  expect('cause' in error).toBe(false)
  expect(error.details).toEqual({})
})

test('unreachable(...) shows the value that no case expected', () => {
  const unexpected: unknown = {kind: 'forest'}
  expect(() => unreachable(unexpected as never)).toThrow('{"kind":"forest"}')
})

test('throwIfCancelled(...) throws once the signal is aborted, never before or without one', () => {
  const controller = new AbortController()
  expect(() => throwIfCancelled(undefined)).not.toThrow()
  expect(() => throwIfCancelled(controller.signal)).not.toThrow()
  controller.abort()
  expect(() => throwIfCancelled(controller.signal)).toThrow(expect.objectContaining({code: 'cancelled'}))
})
