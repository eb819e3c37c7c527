import {describe, expect, test} from 'vitest'
import {packedBytes, packMaterial, unpackMaterial} from './packed-material.ts'
import {testMaterial} from './test-material.ts'

describe('packMaterial', () => {
  const {material} = testMaterial(50)

  test('packMaterial(...) and back gives the same material', () => {
    expect(unpackMaterial(packMaterial(material))).toEqual(material)
    expect(unpackMaterial(structuredClone(packMaterial(material)))).toEqual(material)
  })

  test('packMaterial(...) keeps documents without words and anchors apart from their neighbours', () => {
    const [first, second] = material.documents
    const empty = {...first, key: 'empty', words: [], anchors: [], members: []}
    const documents = [empty, second, {...empty, key: 'last'}]
    expect(unpackMaterial(packMaterial({...material, documents})).documents).toEqual(documents)
  })

  test('packMaterial(...) shares its memory between threads', () => {
    for (const {buffer} of packedBytes(packMaterial(material))) expect(buffer).toBeInstanceOf(SharedArrayBuffer)
  })

  test('packMaterial(...) refuses documents without tags', () => {
    const documents = [{...material.documents[0], labels: undefined}]
    expect(() => packMaterial({...material, documents})).toThrow('without tags')
  })
})
