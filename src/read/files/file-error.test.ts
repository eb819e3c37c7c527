import {expect, test} from 'vitest'
import {AdfaError} from '../../base/checks/index.ts'
import {cannotRead, cannotWrite} from './file-error.ts'

function systemError(code: string): Error {
  return Object.assign(new Error(`${code}: something, open 'x'`), {code})
}

test('cannotRead(...) and cannotWrite(...) say why and what to do, and keep the cause', () => {
  for (const [explain, code, said] of [
    [cannotRead, 'EACCES', 'x: no permission to read it; change its permissions or read a copy'],
    [cannotRead, 'EIO', "x: cannot be read: EIO: something, open 'x'"],
    [cannotWrite, 'ENOSPC', 'x: cannot be written: the disk is full; free some space or write elsewhere']
  ] as const) {
    const cause = systemError(code)
    expect(explain('x', cause)).toMatchObject({message: said, cause, details: {path: 'x'}})
    const plain = new AdfaError('bad-document', 'x:3: ...')
    expect(explain('y', plain)).toBe(plain)
  }
})
