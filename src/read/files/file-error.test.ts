import {expect, test} from 'vitest'
import {AdfaError} from '../../base/checks/index.ts'
import {cannotRead, cannotWrite} from './file-error.ts'

function systemError(code: string): Error {
  return Object.assign(new Error(`${code}: something, open 'x'`), {code})
}

test.each([
  ['EACCES', 'x: no permission to read it; change its permissions or read a copy'],
  ['EIO', "x: cannot be read: EIO: something, open 'x'"]
])('cannotRead("x", %s) says why and what to do', (code, message) => {
  const cause = systemError(code)
  expect(cannotRead('x', cause)).toMatchObject({code: 'bad-file', message, cause, details: {path: 'x'}})
})

test.each([
  ['EACCES', 'x: cannot be written: no permission; change the permissions or write elsewhere'],
  ['EROFS', 'x: cannot be written: the disk is read-only; write elsewhere'],
  ['ENOSPC', 'x: cannot be written: the disk is full; free some space or write elsewhere'],
  ['EPIPE', 'x: cannot be written: its reader has stopped; let the reader read to the end']
])('cannotWrite("x", %s) says why and what to do', (code, message) => {
  expect(cannotWrite('x', systemError(code))).toMatchObject({code: 'cannot-write', message, details: {path: 'x'}})
})

test('cannotRead(...) and cannotWrite(...) hand on an error that already speaks plainly', () => {
  const error = new AdfaError('bad-document', 'x:3: ...')
  expect(cannotRead('y', error)).toBe(error)
  expect(cannotWrite('y', error)).toBe(error)
})
