import {describe, expect, test} from 'vitest'
import {rulesOf, spellOut} from './negation.ts'
import {languageOf, NEGATION_KINDS, type NegationKind, type NegationLanguage} from './negation-words.ts'
import {negatedTokens} from './test-negation.ts'

/** A word before each rule that tells the language, and one that negates. */
const LANGUAGES: Readonly<Record<NegationLanguage, readonly [string, string]>> = {
  English: ['there', 'no'],
  German: ['im', 'kein'],
  French: ['dans', 'sans'],
  Spanish: ['por', 'sin']
}
const languages = Object.entries(LANGUAGES) as [NegationLanguage, readonly [string, string]][]

describe.each(languages)('the rules of %s', (language, [first, no]) => {
  // "w o" and "r o" are the words of w/o and r/o.
  const spellings = (kind: NegationKind) =>
    rulesOf(language, kind).flatMap(rule =>
      spellOut(rule.replace(/\.$/, '')).map(words => words.join(' ').replace(': ', ''))
    )
  const negates = (text: string) => negatedTokens(text).includes('zebra')

  test('markNegation(...) negates what follows each rule of "before"', () => {
    expect(spellings('before').filter(rule => !negates(`${first} ${rule} zebra`))).toEqual([])
  })

  test('markNegation(...) negates what stands in front of each rule of "after"', () => {
    expect(spellings('after').filter(rule => !negates(`${first} zebra: ${rule}`))).toEqual([])
  })

  test('markNegation(...) negates nothing around each rule of "seeming"', () => {
    expect(spellings('seeming').filter(rule => negates(`${first} zebra ${rule} zebra`))).toEqual([])
  })

  test('markNegation(...) ends a negation at each rule of "end"', () => {
    expect(spellings('end').filter(rule => negates(`${first} ${no} lion ${rule} zebra`))).toEqual([])
    expect(spellings('end').filter(rule => !negates(`${first} ${no} zebra ${rule} lion`))).toEqual([])
  })

  test('each sequence of words belongs to one kind alone, unless the clause ends', () => {
    const kinds = new Map<string, Set<NegationKind>>()
    for (const kind of NEGATION_KINDS)
      for (const words of rulesOf(language, kind).flatMap(spellOut)) {
        const rule = words.join(' ')
        kinds.set(rule, (kinds.get(rule) ?? new Set()).add(kind))
      }
    expect([...kinds].filter(([, of]) => of.size > 1)).toEqual([])
    expect(kinds.size).toBeGreaterThan(100)
  })
})

test.each([
  ['Kein Pleuraerguss oder Infiltrat.', 'German', ['Pleuraerguss', 'Infiltrat']],
  ['Ein Pneumothorax ist nicht nachweisbar, der Erguss ist unverändert.', 'German', ['Ein', 'Pneumothorax']],
  ['Keine Befundänderung des Ergusses. Herz normal groß.', 'German', []],
  ['Pas de fracture ni de luxation, mais un œdème.', 'French', ['fracture', 'luxation']],
  ['Aucun signe de pneumonie. La fracture est stable.', 'French', ['pneumonie']],
  ['Sin derrame pleural. El paciente niega fiebre, pero tiene tos.', 'Spanish', ['derrame', 'pleural', 'fiebre']],
  ['No fever, chills or cough.', 'English', ['fever', 'chills', 'cough']],
  ['no fiebre', 'English', ['fiebre']]
])('negatedTokens(%j), in %s, are %j', (text, language, negated) => {
  expect(languageOf(text.toLowerCase().match(/\p{L}+/gu) ?? [])).toBe(language)
  expect(negatedTokens(text).filter(word => !/^(de|oder|or)$/.test(word))).toEqual(negated)
})

test.each([
  ['no', [['no']]],
  [
    '(is|was) [now] gone',
    [
      ['is', 'now', 'gone'],
      ['is', 'gone'],
      ['was', 'now', 'gone'],
      ['was', 'gone']
    ]
  ],
  [
    '[has been|is] ruled out',
    [
      ['has', 'been', 'ruled', 'out'],
      ['is', 'ruled', 'out'],
      ['ruled', 'out']
    ]
  ],
  ["can't be (seen)", [["can't", 'be', 'seen']]]
])('spellOut(%j) is %j', (rule, spelled) => {
  expect(spellOut(rule)).toEqual(spelled)
})
