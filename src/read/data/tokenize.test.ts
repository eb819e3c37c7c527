import fc from 'fast-check'
import {describe, expect, test} from 'vitest'
import {isUnspaced, nameParts, tokenize, tokenizePlaced} from './tokenize.ts'

describe('tokenize', () => {
  test.each([
    ['', []],
    [' \t\n ... -- "!?" ', []],
    ['I like C# and C++.', ['I', 'like', 'C#', 'and', 'C++']],
    ['c++11 vs c++/c#, (f#)', ['c++11', 'vs', 'c++', 'c#', 'f#']],
    ['.net, ASP.NET and (.NET)', ['.net', 'ASP.NET', 'and', '.NET']],
    ['asp.net-mvc-3 asp.net-mvc 3', ['asp.net-mvc-3', 'asp.net-mvc', '3']],
    ["i'm here, rock'n'roll", ["i'm", 'here', "rock'n'roll"]],
    ['i’m here', ["i'm", 'here']],
    ["'quoted' dogs' tails", ['quoted', 'dogs', 'tails']],
    ['a - b -- c -d- e', ['a', 'b', 'c', 'd', 'e']],
    ['1 + 1 = 2, 3.14 #5 50%', ['1', '1', '2', '3.14', '5', '50']],
    ['__proto__ constructor toString snake_case', ['__proto__', 'constructor', 'toString', 'snake_case']],
    ['great 🙂🙂 day', ['great', '🙂', '🙂', 'day']],
    ['привет, мир! naïve Ωmega', ['привет', 'мир', 'naïve', 'Ωmega']],
    ['東京タワー、大阪', ['東京タワー', '大阪']],
    ['नमस्ते दुनिया', ['नमस्ते', 'दुनिया']],
    ['cafe\u0301 noir', ['cafe\u0301', 'noir']],
    ['患者因胸痛三天入院，c++', ['患者', '因', '胸痛', '三天', '入院', 'c++']],
    ['用c++写的python3程序.net', ['用', 'c++', '写的', 'python3', '程序', '.net']],
    ['ปวดหัวและมีไข้', ['ปวด', 'หัว', 'และ', 'มี', 'ไข้']],
    ['𠀀𠀁 x', ['𠀀', '𠀁', 'x']],
    ['❤️ 👍🏽 👩‍💻😀 🇩🇪', ['❤️', '👍🏽', '👩‍💻', '😀', '🇩🇪']]
  ])('tokenize(%j) is %j', (text, tokens) => {
    expect(tokenize(text)).toEqual(tokens)
  })

  test('tokenize(...) reads a line of a million characters', () => {
    expect(tokenize('a'.repeat(1_000_000))).toHaveLength(1)
    expect(tokenize('ab c# '.repeat(170_000))).toHaveLength(340_000)
    expect(tokenize('+'.repeat(1_000_000))).toEqual([])
    expect(tokenize(`c${'+'.repeat(1_000_000)}x`)).toEqual(['c', 'x'])
  })
})

const signs = [...'aZz19_.-\'’"+#/: \t\n(é東ßन्🙂𠀀']
const anyText = fc.oneof(
  fc
    .array(fc.constantFrom(...signs, 'c++', 'c#', '.net', "i'm", 'asp.net-mvc-3'), {maxLength: 25})
    .map(list => list.join('')),
  fc.array(fc.nat(0xffff), {maxLength: 20}).map(units => String.fromCharCode(...units))
)

describe('tokenize, for any text', () => {
  test('tokenize(...) gives substrings in their order and leaves no letter, digit or underscore behind', () => {
    fc.assert(
      fc.property(anyText, text => {
        const plain = text.replaceAll('’', "'")
        let from = 0
        for (const token of tokenize(text)) {
          const at = plain.indexOf(token, from)
          expect(at).toBeGreaterThanOrEqual(from)
          expect(plain.slice(from, at)).not.toMatch(/[\p{L}\p{N}_]/u)
          from = at + token.length
        }
        expect(plain.slice(from)).not.toMatch(/[\p{L}\p{N}_]/u)
      }),
      {seed: 1, numRuns: 1000}
    )
  })

  test('tokenize(...) cuts long unspaced text in linear time, and as a whole', () => {
    const text = '患者因胸痛三天入院'.repeat(20_000)
    const tokens = tokenize(text)
    expect(tokens.join('')).toBe(text)
    // The pieces that go to the dictionary leave no trace.
    expect(new Set(tokens)).toEqual(new Set(['患者', '因', '胸痛', '三天', '入院']))
    expect(tokenizePlaced(`a${text}`).every(({token, start}) => `a${text}`.startsWith(token, start))).toBe(true)
  })

  test('tokenize(...) finds the same tokens again when they are joined by spaces', () => {
    fc.assert(
      fc.property(anyText, text => {
        // The cut of an unspaced script depends on what stands beside it.
        fc.pre(!isUnspaced(text))
        const tokens = tokenize(text)
        expect(tokenize(tokens.join(' '))).toEqual(tokens)
      }),
      {seed: 2, numRuns: 1000}
    )
  })

  test('tokenize(...) of two texts apart is the tokens of one, then of the other', () => {
    fc.assert(
      fc.property(anyText, anyText, (left, right) => {
        expect(tokenize(`${left}\n${right}`)).toEqual([...tokenize(left), ...tokenize(right)])
      }),
      {seed: 3, numRuns: 500}
    )
  })
})

describe('nameParts', () => {
  test.each([
    ['snake_case  name', ['snake', 'case', 'name']],
    ['asp.net-mvc-3', ['asp.net', 'mvc', '3']],
    ['objective-c++', ['objective', 'c++']],
    ['', []]
  ])('nameParts(%j) is %j', (name, parts) => {
    expect(nameParts(name)).toEqual(parts)
  })

  test('nameParts(...) reads hyphens, underscores and spaces alike', () => {
    const words = fc.array(fc.constantFrom('a', 'bc', 'd1', 'asp.net', 'é'), {minLength: 1, maxLength: 5})
    fc.assert(
      fc.property(words, fc.infiniteStream(fc.constantFrom('-', '_', ' ')), (parts, joins) => {
        const name = parts.slice(1).reduce<string>((left, part) => `${left}${joins.next().value}${part}`, parts[0])
        expect(nameParts(name)).toEqual(parts)
      }),
      {seed: 4}
    )
  })
})
