import fc from 'fast-check'
import {describe, expect, it} from 'vitest'
import {createRegex} from './index.ts'
import {parseRegex} from './parse-regex.ts'
import {requiredLiterals} from './regex.ts'

/** The matches by backtracking. */
function nativeSpans(source: string, flags: string, text: string) {
  return [...text.matchAll(new RegExp(source, `${flags}g`))]
    .map(({0: match, index}) => ({start: index, end: index + match.length}))
    .filter(({start, end}) => end > start)
}

/** Without a lazy part, which makes a difference where what is repeated can be empty. */
const isPlain = (body: string) => !/[*+?}]\?/.test(body)
const character = fc.constantFrom(
  ...'a b c s K ß . \\w \\W \\d \\s [ab] [^a] [^\\]b] \\. \\x61 \\u0062 \\n'.split(' '),
  ' '
)
const assertion = fc.constantFrom('^', '$', '\\b', '\\B')
const {pattern} = fc.letrec<{pattern: string; atom: string}>(tie => ({
  atom: fc.oneof(
    {maxDepth: 4, withCrossShrink: true},
    {weight: 5, arbitrary: character},
    {weight: 1, arbitrary: assertion},
    {
      weight: 3,
      arbitrary: fc
        .tuple(fc.constantFrom('(', '(?:', '(?=', '(?!', '(?<=', '(?<!'), tie('pattern'))
        .map(([open, body]) => `${open}${body})`)
    }
  ),
  pattern: fc
    .array(
      fc.oneof(
        {weight: 4, arbitrary: tie('atom')},
        {
          weight: 3,
          arbitrary: fc
            .tuple(
              fc.oneof(
                character,
                tie('pattern')
                  .map(body => `(?:${body})`)
                  .filter(isPlain)
              ),
              fc.constantFrom('*', '+', '?', '{2}', '{0,2}', '{1,}', '{1,3}', '*?', '+?', '??', '{0,2}?')
            )
            .map(([body, times]) => `${body}${times}`)
        },
        {weight: 1, arbitrary: fc.constant('|')}
      ),
      {maxLength: 4}
    )
    .map(parts => parts.join(''))
}))
const letters = fc.string({unit: fc.constantFrom(...'abcA .\n1ß😀ſ]skK\u212a', '\ud83d'), maxLength: 8})
const flagSets = fc.constantFrom('', 'i', 'u', 'iu', 'm', 's', 'imsu')

describe('createRegex', () => {
  it('matches as RegExp does', () => {
    fc.assert(
      fc.property(pattern, flagSets, letters, (source, flags, text) => {
        fc.pre(source !== '')
        expect(createRegex(source, flags).spans(text)).toEqual(nativeSpans(source, flags, text))
      }),
      {numRuns: 3000}
    )
  })
  it.each([
    ['\\u{61}+', 'u', 'aab'],
    ['\\u{3}', '', 'uuu u{3}'],
    ['\\p{L}+', 'u', 'añ1'],
    ['\\p{2}', '', 'pp'],
    ['\\ud83d\\ude00', 'u', '😀'],
    ['\\cA|\\c', '', 'a\\c\u0001'],
    ['a{,2}', '', 'a{,2}'],
    ['(?<year>\\d{4})', '', 'in 2015'],
    ['alcohol(?! (wipe|swab))', 'i', 'Alcohol wipe, alcohol use'],
    ['[\\]a-c]+', '', ']ab'],
    ['heart (size )?is enlarged', 'i', 'the Heart size is enlarged'],
    ['\\w+s is \\.', 'iu', 'thi\u017f is .'],
    ['\\w+S\\.(?=x)x', 'i', 'Bs.X']
  ])('matches /%s/%s as RegExp does', (source, flags, text) => {
    expect(createRegex(source, flags).spans(text)).toEqual(nativeSpans(source, flags, text))
  })
  it.each([
    ['(a+)+$', 'a', 'b'],
    ['(a|a)*c', 'a', 'b'],
    ['(?=(a+)+$)a', 'a', 'b'],
    ['(.*)*x', 'y', ''],
    ['(a+.*z)|(a{2}.*y)', 'a', ''],
    ['(a?){30}a{30}', 'a', 'b']
  ])('ends on /%s/, which takes RegExp exponential time', (source, unit, end) => {
    expect(createRegex(source, '').spans(unit.repeat(29) + end)).toEqual([])
    expect(createRegex(source, '').spans(unit.repeat(20_000) + end).length).toBeLessThan(700)
  })
  it.each([
    ['(a)\\1', '', /back reference.*write out/],
    ['a', 'y', /the flag y.*only the flags/],
    ['a(', '', /not a valid regular expression/],
    ['(?:a{1,200}){1,200}', '', /too large/],
    ['((a{0,9}){0,9}){0,9}b', '', /too large: .* over 2500 parts; repeat fewer times, or use \* or \+/]
  ])('refuses /%s/%s', (source, flags, message) => {
    expect(() => createRegex(source, flags)).toThrow(message)
  })
})

it('createRegex(...) refuses groups nested too deeply to be read', () => {
  const deep = (depth: number) => `${'('.repeat(depth)}a${')*'.repeat(depth)}`
  expect(createRegex(deep(100), '').spans('aa')).toEqual([{start: 0, end: 2}])
  expect(() => createRegex(deep(600), '')).toThrow(/is too large; use at most 500 parentheses$/)
})

describe('requiredLiterals', () => {
  it('are in every match', () => {
    fc.assert(
      fc.property(pattern, flagSets, letters, (source, flags, text) => {
        fc.pre(source !== '')
        const literals = requiredLiterals(parseRegex(source, flags), flags)
        for (const {start, end} of nativeSpans(source, flags, text)) {
          const match = text.slice(start, end)
          for (const literal of literals) expect(flags.includes('i') ? match.toLowerCase() : match).toContain(literal)
        }
      }),
      {numRuns: 3000}
    )
  })
  it.each([
    ['\\b\\w+0777\\b', '', ['0777']],
    ['Heart.*size', 'i', ['heart', 'size']],
    ['a(bc)d{2,}e(?=f)g', '', ['abcd', 'eg']],
    ['(a|b)c?', '', []],
    ['\\.\\w-', '', ['.', '-']],
    ['mask', 'iu', ['ma']],
    ['\\x61[b]b', '', ['b']]
  ])('of /%s/%s', (source, flags, literals) => {
    expect(requiredLiterals(parseRegex(source, flags), flags)).toEqual(literals)
  })
})
