import fc from 'fast-check'
import {describe, expect, test} from 'vitest'
import {logPrior} from './bayes-network.ts'
import {type BifNetwork, networkFromBif} from './network-from-bif.ts'
import {classicNetwork, libraryIsThere} from './test-bif.ts'

/** The blocks of a v-structure, shuffled below: parents after children, quotes, comments, properties, all forms of rows. */
const blocks = [
  'network "the shock" { property author nobody; property "p = {x}" ; }',
  'probability ( shock | cellulitis, pneumonia ) { // two causes\n  (yes, Absent) 0.2, 0.8;\n (no, Absent) .01 .99;\n' +
    '  (yes, Present) 3e-1, 0.7;\n  default 0.25, 0.75;\n}',
  'variable "pneumonia" { type discrete [ 2 ] { "Present", Absent }; property position = (73, 165) ; }',
  'variable shock {\n  property colour = red ;\n  property note = it "never closes ;\n  type discrete[2]{true,false};\n}',
  'probability ( pneumonia ) { table 0.1, 0.9; }',
  '/* the skin: }{ */ variable cellulitis { type discrete [ 2 ] { no, yes }; }',
  'probability ( cellulitis ) {\r\n  table 0.95, 0.05;\r\n}'
]

test('networkFromBif(...) reads all forms of rows, comments, quotes and properties, in any order of blocks', () => {
  fc.assert(
    fc.property(fc.shuffledSubarray(blocks, {minLength: blocks.length}), fc.boolean(), (shuffled, mark) => {
      const read = networkFromBif(`${mark ? '\uFEFF' : ''}${shuffled.join('\n')}`, 'shock.bif')
      const [p, s, c] = ['pneumonia', 'shock', 'cellulitis'].map(name => read.names.indexOf(name))
      expect(read.network.parents[s]).toEqual([c, p])
      expect([...read.network.cpt[s]]).toEqual([0.01, 0.25, 0.2, 0.3])
      expect([...read.network.cpt[p], ...read.network.cpt[c]]).toEqual([0.1, 0.05])
      expect(read.states[p]).toEqual({absent: 'Absent', present: 'Present'})
      expect(read.states[c]).toEqual({absent: 'no', present: 'yes'})
      expect(read.certainCount).toBe(0)
    }),
    {numRuns: 50}
  )
})

test('networkFromBif(...) takes a table with parents with the child slowest and the last parent fastest', () => {
  const text = `${plain('a', 'yes, no')}${plain('b', 'no, yes')}variable c { type discrete [ 2 ] { yes, no }; }
    probability ( c a b ) { table 0.1 0.2 0.3 0.4 0.9 0.8 0.7 0.6; }`
  const {network} = networkFromBif(text, 'c.bif')
  // The columns of the file: (a yes, b no), (yes, yes), (no, no), (no, yes).
  expect([...network.cpt[2]]).toEqual([0.3, 0.4, 0.1, 0.2])
})

describe('networkFromBif(...) says which state is 1', () => {
  test.each([
    ['True, False', 'True'],
    ['false, true', 'true'],
    ['positive, negative', 'positive'],
    ['low, high', 'high'],
    ['1, 0', '1'],
    ['Yes__Always_the_Same_, No__Different_', 'Yes__Always_the_Same_'],
    ['Correct, Incorrect', 'Incorrect'],
    ['Online, Offline', 'Offline'],
    ['yes_often, yes_rarely', 'yes_rarely']
  ])('{ %s }: %s', (states, present) => {
    const {states: read, network} = networkFromBif(plain('a', states), 'a.bif')
    expect(read[0].present).toBe(present)
    expect(network.cpt[0][0]).toBe(states.startsWith(present) ? 0.25 : 0.75)
  })
})

const a = plain('a', 'no, yes')
const b = 'variable b { type discrete [ 2 ] { no, yes }; }\n'

test.each([
  ['', /^x\.bif:1: the file has no variable; give a network in the BIF format$/],
  ['x'.repeat(1000), /^x\.bif:1: "x{40}\.\.\." where a network/],
  ['{"a": 1}', /^x\.bif:1: "{" where a network, variable or probability block should begin/],
  ['variable a { type discrete [ 3 ] { x, y, z }; }', /^x\.bif:1: variable "a" has 3 states; only binary .* merge/],
  ['variable a { type discrete [ 3 ] { x, y }; }', /announces 3 states and lists 2/],
  ['variable a { type discrete [ 2 ] { x, x }; }', /both states of variable "a" are called "x"/],
  ['variable a { type continuous; }', /"a" has type continuous/],
  ['variable a { }', /variable "a" has no type/],
  [`${a}${a}`, /^x\.bif:3: a second variable "a"/],
  [`${a}\n${b}`, /^x\.bif:4: variable "b" has no probability block/],
  [`${a}probability ( a ) { table 0.5, 0.5; }`, /^x\.bif:3: a second table of probabilities for "a"/],
  [`${a}probability ( aa ) { table 0.5, 0.5; }`, /^x\.bif:3: there is no variable "aa"; did you mean "a"\?/],
  [`${a}${b}probability ( b | __proto__ ) { }`, /there is no variable "__proto__"; add a variable block/],
  [`${a}${b}probability ( b | a, a ) { }`, /"a" is listed twice as a parent of "b"/],
  [
    `${a}${b}probability ( b | a ) {\n (no) 0.5, 0.5;\n}`,
    /^x\.bif:4: the probabilities of "b" have no row \(yes\); add/
  ],
  [`${b}probability ( b ) { }`, /the probabilities of "b" have no row "table"/],
  [`${b}probability ( b ) { table 0.5, 0.5; table 0.5, 0.5; }`, /"table" is not the only row/],
  [`${a}${b}probability ( b | a ) {\n (no) 0.5, 0.5;\n (no) 0.5, 0.5; }`, /^x\.bif:6: a second row \(no\) for "b"/],
  [`${a}${b}probability ( b | a ) { (maybe) 0.5, 0.5; }`, /"maybe" is not a state of "a"; write no or yes/],
  [`${a}${b}probability ( b | a ) { (no, no) 0.5, 0.5; }`, /row \(no, no\) names 2 states, but "b" has 1 parent;/],
  [`${a}${b}probability ( b | a ) { (no) 0.5; }`, /row \(no\) of "b" has 1 number; it needs 2/],
  [`${a}${b}probability ( b | a ) { table 0.5, 0.5; }`, /the table of "b" has 2 numbers; it needs 4/],
  [
    `${a}${b}probability ( b | a ) { table 0.1, 0.9, 0.2, 0.8; }`,
    /0\.1 and 0\.2 .* sum to 0\.3.* one row for each setting/
  ],
  [`${b}probability ( b ) { table 0.3, 0.69999; }`, /sum to 0\.99999, not to 1 within 0\.000001; correct them/],
  [`${b}probability ( b ) { table -0.1, 1.1; }`, /"-0\.1" in the probabilities of "b" is not a probability/],
  [`${b}probability ( b ) { table 1.5, 0; }`, /"1\.5" .* is not a probability/],
  [`${b}probability ( b ) { table 0.5, NaN; }`, /"NaN" .* is not a probability/],
  [`${b}probability ( b ) { table 0.5, 0.5 }`, /"}" .* is not a probability; .* end rows with ";"/],
  [`${b}probability ( b ) { 0.5, 0.5; }`, /"0\.5" in the probabilities of "b" where a row should begin/],
  [
    `${b}probability ( b ) { table 0.5, 0.5;`,
    /^x\.bif:2: the file ends inside the probabilities of "b"; it is cut off/
  ],
  [`${b}/* open`, /^x\.bif:2: a comment that begins with \/\* does not end/],
  ['variable { type discrete [ 2 ] { no, yes }; }', /^x\.bif:1: "{" in a variable block where a name is expected/],
  ['variable "a\n" {', /^x\.bif:1: a quoted name does not end on its line/],
  ['variable a { property x', /the file ends inside variable "a"/],
  ['variable a { property adfa-name = %zz ; }', /"%zz" in adfa-name is not percent-encoded/],
  [`${b}probability ( b | b ) { default 0.5, 0.5; }`, /the parents form a cycle: b -> b; remove one/],
  [
    `${a.replace('( a )', '( a | b )').replace('table', 'default')}${b}probability ( b | a ) { default 0.5, 0.5; }`,
    /the parents form a cycle: (a -> b -> a|b -> a -> b); remove one of these edges/
  ]
])('networkFromBif(%j) refuses it, with file, line and rule', (text, message) => {
  expect(() => networkFromBif(text, 'x.bif')).toThrow(message)
})

test('networkFromBif(...) refuses every file cut off before its last mark, and never lets another error out', () => {
  const whole = blocks.join('\n')
  for (let end = 0; end < whole.trimEnd().length - 1; end++) {
    expect(() => networkFromBif(whole.slice(0, end), 'x.bif')).toThrow(
      expect.objectContaining({name: 'AdfaError', code: 'bad-file'})
    )
  }
})

test('networkFromBif(...) refuses 21 parents before it makes a table of two million rows', () => {
  const names = Array.from({length: 21}, (_, i) => `a${i}`)
  const text = `${names.map(name => plain(name, 'no, yes')).join('')}${b}probability ( b | ${names} ) { default 0.5, 0.5; }`
  expect(() => networkFromBif(text, 'x.bif')).toThrow(/^x\.bif:44: "b" has 21 parents; at most 20 can be read/)
})

test('networkFromBif(...) gets through very long words, blanks and comments', () => {
  const long = ['// x\n'.repeat(1e5), ' '.repeat(1e7), `/*${'*x'.repeat(1e6)}*/`].join('')
  expect(networkFromBif(`${long}${plain('a', 'no/*,*/yes//\n')}`, 'x.bif').states[0]).toEqual({
    absent: 'no',
    present: 'yes'
  })
  expect(networkFromBif(plain('a'.repeat(1e7), 'no, yes'), 'x.bif').names[0]).toHaveLength(1e7)
})

test('networkFromBif(...) reads marks and words of the format as names when they are quoted', () => {
  const text = `${plain('"}"', '"}" "{"')}variable ")" { type discrete [ 2 ] { no, yes }; }
    probability ( ")" | "}" ) { ("}") 0.5 0.5; ("{") 0.25 0.75; }`
  const {names, network, states} = networkFromBif(text, 'x.bif')
  expect(names).toEqual(['}', ')'])
  expect(states[0]).toEqual({absent: '}', present: '{'})
  expect([...network.cpt[1]]).toEqual([0.5, 0.75])
})

test('networkFromBif(...) reads __proto__ and the words of the format as names', () => {
  const words = ['__proto__', 'constructor', 'variable', 'table', 'default']
  const {names} = networkFromBif(words.map(word => plain(word, 'no, yes')).join(''), 'x.bif')
  expect(names).toEqual(words)
})

describe.skipIf(!libraryIsThere)('the classic networks', () => {
  test.each([
    ['asia', 8, 8, 4],
    ['cancer', 5, 4, 0],
    ['earthquake', 5, 4, 0],
    ['win95pts', 76, 112, 224],
    ['andes', 223, 338, 73]
  ])('networkFromBif(...) reads %s: %i concepts, %i edges, %i certain probabilities', (name, m, edges, certain) => {
    const {names, network, certainCount} = networkFromBif(classicNetwork(name), `${name}.bif`)
    expect(names).toHaveLength(m)
    expect(network.parents.flat()).toHaveLength(edges)
    expect(certainCount).toBe(certain)
  })

  test('networkFromBif(...) gives the known marginals of asia, summed over all 256 assignments', () => {
    const asia = networkFromBif(classicNetwork('asia'), 'asia.bif')
    const known = {asia: 0.01, tub: 0.0104, smoke: 0.5, lung: 0.055, bronc: 0.45, either: 0.064828}
    for (const [name, value] of Object.entries({...known, xray: 0.11029, dysp: 0.435971}))
      expect(marginal(asia, name)).toBeCloseTo(value, 6)
  })

  test('networkFromBif(...) refuses a network with more than two states by the name of the variable', () => {
    expect(() => networkFromBif(classicNetwork('alarm'), 'alarm.bif')).toThrow(
      /^alarm\.bif:\d+: variable "\w+" has \d states/
    )
  })
})

/** A variable without parents; its first state has probability 0.25. */
function plain(name: string, states: string): string {
  return `variable ${name} { type discrete [ 2 ] { ${states} }; }\nprobability ( ${name} ) { table 0.25, 0.75; }\n`
}

function marginal({names, network}: BifNetwork, name: string): number {
  const i = names.indexOf(name)
  let sum = 0
  for (let s = 0; s < 2 ** names.length; s++) {
    const y = names.map((_, k) => (s >> k) & 1)
    if (y[i]) sum += Math.exp(logPrior(network, y))
  }
  return sum
}

test('networkFromBif(...) refuses a small file whose tables would take gigabytes', () => {
  const names = Array.from({length: 20}, (_, i) => `p${i}`)
  const children = Array.from({length: 17}, (_, i) => `c${i}`)
  const variables = [...names, ...children].map(name => `variable ${name} { type discrete [ 2 ] { no, yes }; }`)
  const roots = names.map(name => `probability ( ${name} ) { table 0.5, 0.5; }`)
  const large = children.map(name => `probability ( ${name} | ${names.join(', ')} ) { default 0.5, 0.5; }`)
  const text = [...variables, ...roots, ...large].join('\n')
  expect(() => networkFromBif(text, 'x.bif')).toThrow(/^x\.bif:\d+: the tables up to here have over 16,777,216 rows; /)
})
