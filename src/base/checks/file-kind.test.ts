import {expect, test} from 'vitest'
import {fileKind} from './file-kind.ts'

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
