import fc from 'fast-check'
import {describe, expect, test} from 'vitest'
import {nameSimilarity, nameWords} from './name-similarity.ts'

const likenessOf = (a: string, b: string) => nameSimilarity(nameWords(a, []), nameWords(b, []))

describe('nameSimilarity', () => {
  test('nameSimilarity(...) of one name in two fields is "same", whatever joins its words', () => {
    const fields = ['title', 'text']
    expect(nameSimilarity(nameWords('title:python', fields), nameWords('text:python', fields))).toBe('same')
    expect(likenessOf('Chest Pain', 'chest-pain')).toBe('same')
    expect(likenessOf('c++', 'c++')).toBe('same')
    expect(likenessOf('c++', 'c#')).toBe('none')
  })

  test.each([
    [
      'inflected',
      'effusion effusions, opacity opacities, mass masses, box boxes, calcified-granuloma calcified-granulomas, air-space-disease airspace-disease'
    ],
    [
      'stem',
      'calcified calcification, kyphosis kyphotic, aorta aortic, scar scarring, atelectasis atelectases, substitution substitutes, hiatal-hernia hiatus-hernia'
    ],
    [
      'none',
      'java javascript, bread break, bread breakfast, osteophyte osteopenia, pneumonia pneumothorax, his hi, bus bu, learning machine-learning, can canning'
    ]
  ])('nameSimilarity(...) is "%s" for each of %s, both ways', (similarity, pairs) => {
    for (const [a, b] of pairs.split(', ').map(pair => pair.split(' '))) {
      expect(likenessOf(a, b), `${a} ${b}`).toBe(similarity)
      expect(likenessOf(b, a), `${b} ${a}`).toBe(similarity)
    }
  })

  test('nameSimilarity(...) is symmetric, and "same" for a name and itself', () => {
    const word = fc.array(fc.constantFrom('a', 'b', 'i', 'e', 's', 'n', 'g'), {minLength: 1, maxLength: 9})
    const name = fc.array(
      word.map(letters => letters.join('')),
      {minLength: 1, maxLength: 3}
    )
    fc.assert(
      fc.property(name, name, (a, b) => {
        expect(nameSimilarity(a, b)).toBe(nameSimilarity(b, a))
        expect(nameSimilarity(a, a)).toBe('same')
      })
    )
  })
})

test('nameWords(...) takes the field off, and finds no words in a regular expression', () => {
  expect(nameWords('text:Chest pain', ['title', 'text'])).toEqual(['chest', 'pain'])
  expect(nameWords('neg:fever', ['title', 'text'])).toEqual(['neg', 'fever'])
  expect(nameWords('text:/etoh|alcohol/i', ['text'])).toEqual([])
  expect(nameWords('/etoh/', ['text'])).toEqual([])
})
