import {describe, expect, it} from 'vitest'
import {phraseOf, type SelectedPiece} from './phrase.ts'

const word = (text: string, feature: string | undefined = `text:${text.toLowerCase()}`, isNegated = false) => ({
  text,
  feature,
  isNegated
})
const between = (text: string): SelectedPiece => ({text, feature: undefined, isNegated: false})

describe('phraseOf', () => {
  it('names a single word by its feature, whatever stands around it', () => {
    expect(phraseOf('text', true, [between(' '), word('ETOH'), between(', ')])).toBe('text:etoh')
  })

  it('joins neighbouring words, with words that are not kept', () => {
    const pieces = [word('smells'), between(' '), between('of'), between('\n  '), word('ETOH'), between('.')]
    expect(phraseOf('text', true, pieces)).toBe('text:smells of etoh')
  })

  it('leaves the field out where the features do', () => {
    expect(phraseOf('text', true, [word('chest', 'chest'), between(' '), word('pain', 'pain')])).toBe('chest pain')
  })

  it('is negated where all words are', () => {
    const pieces = [word('chest', 'text:neg:chest', true), between(' '), word('pain', 'text:neg:pain', true)]
    expect(phraseOf('text', true, pieces)).toBe('text:neg:chest pain')
    expect(phraseOf('text', true, [word('no'), between(' '), ...pieces])).toBe('text:no chest pain')
  })

  it('takes the first of several features that are no running text', () => {
    expect(phraseOf('features', false, [word('abd pain', 'abd pain'), word('stroke', 'stroke')])).toBe('abd pain')
  })

  it('is nothing for blanks and stops', () => {
    expect(phraseOf('text', true, [between(' , ')])).toBeUndefined()
    expect(phraseOf('text', true, [])).toBeUndefined()
  })
})
