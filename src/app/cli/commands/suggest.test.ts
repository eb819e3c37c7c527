import fc from 'fast-check'
import {beforeAll, beforeEach, describe, expect, test} from 'vitest'
import {adfa, adfaDone, adfaJson, refused, testFolder} from '../test-run.ts'
import {hasTerminal, startInTerminal} from '../test-terminal.ts'
import {addMembers} from './suggest.ts'

const folder = testFolder()
const times = <T>(count: number, row: T) => Array.from({length: count}, () => row)

describe('adfa suggest', () => {
  const docs = [folder.at('words.jsonl'), '--anchors', folder.at('words.json')]

  beforeAll(() => {
    folder.write('words.jsonl', [
      ...times(40, {title: 'python', text: 'python snake', tags: ['python']}),
      ...times(20, {title: 'question', text: 'python snake', tags: ['python']}),
      ...times(30, {title: 'java', text: 'thing', tags: ['java, the language']}),
      ...times(10, {title: 'other', text: 'java thing'}),
      ...times(290, {title: 'other', text: 'thing'})
    ])
    const names = {python: 'title:python', 'java, the language': {any: ['title:java'], not: ['text:java']}}
    folder.write('words.json', JSON.stringify(names))
  })

  test('prints the words of each concept with the evidence; of counts the same', async () => {
    const printed = await adfaDone`suggest ${docs}`
    expect(printed).toMatch(/^python +\(anchor: title:python\):\n/)
    expect(printed).toMatch(/^text:python +in 60 documents; .* 67%, 6\.5 times its usual share; the same name$/m)
    expect(printed).toMatch(/^No word is good enough for java, the language; 4 words were considered; .*--vocabulary/m)
    await adfaDone`count ${docs} -o ${folder.at('docs.counts')}`
    expect(await adfaDone`suggest ${folder.at('docs.counts')}`).toBe(printed)
    expect(await adfaDone`suggest ${docs} --no-names`).toMatch(/text:python .* 6\.5 times its usual share\n/)
  })

  test('--for takes concepts by name, commas and all, and refuses others; --json has the numbers', async () => {
    const {concepts} = await adfaJson`suggest ${docs} --for ${'java, the language'} --for python`
    const words = [{word: 'text:python', documents: 60, together: 40, basis: 'documents', similarity: 'same'}, {}]
    expect(concepts).toMatchObject([
      {concept: 'python', anchor: ['title:python'], hasRates: false, forms: [], words},
      {concept: 'java, the language', words: []}
    ])
    expect(await adfa`suggest ${docs} --for pyton,java`).toEqual(
      refused(2, /there is no concept "pyton" .*; did you mean "python"\?/)
    )
  })

  test('with given rates tells how many documents have the concept', async () => {
    const rates = {any: ['title:python'], prevalence: 0.16, precision: 0.95}
    const printed =
      await adfaDone`suggest ${docs[0]} --anchors ${folder.write('r.json', JSON.stringify({python: rates}))}`
    expect(printed).toMatch(/independent about 100% of its documents have the concept/)
  })
})

describe('addMembers', () => {
  test('adds features to each kind of entry, and leaves the rest as it is written', () => {
    const before = `{
  "$schema": "x",
  "fall":   "fall",
  "bread" : ["bread"],  "empty": [],
  "eggs": {"any": ["egg"], "not": ["any", "]"], "precision": 0.8, "prevalence": 1e-1},
  "pain": [
    "chest pain",
    "pain \\"x\\""
  ]
}
`
    const added = ['fall', 'bread', 'empty', 'eggs', 'pain'].map(concept => ({concept, added: [`${concept}s`, 'z']}))
    expect(addMembers(before, added)).toBe(`{
  "$schema": "x",
  "fall":   ["fall", "falls", "z"],
  "bread" : ["bread", "breads", "z"],  "empty": ["emptys", "z"],
  "eggs": {"any": ["egg", "eggss", "z"], "not": ["any", "]"], "precision": 0.8, "prevalence": 1e-1},
  "pain": [
    "chest pain",
    "pain \\"x\\"",
    "pains",
    "z"
  ]
}
`)
  })

  test('whatever the names and the layout, the file means the same with the features added', () => {
    const name = fc.string({minLength: 1}).filter(text => !text.startsWith('$') && text !== '__proto__')
    const anchor = fc.oneof(name, fc.array(name, {minLength: 1}), fc.record({any: fc.array(name), not: fc.array(name)}))
    const file = fc.dictionary(name, anchor, {minKeys: 1, noNullPrototype: true})
    fc.assert(
      fc.property(file, fc.constantFrom(undefined, 1, 2, '\t'), name, (file, indent, feature) => {
        const [concept] = Object.keys(file)
        const value = file[concept]
        const added = (list: string | string[]) => [...[list].flat(), feature]
        const isList = typeof value === 'string' || Array.isArray(value)
        const wanted = {...file, [concept]: isList ? added(value) : {...value, any: added(value.any)}}
        const after = addMembers(JSON.stringify(file, null, indent), [{concept, added: [feature]}])
        expect(JSON.parse(after)).toEqual(wanted)
        expect(Object.keys(JSON.parse(after))).toEqual(Object.keys(file))
      })
    )
  })
})

describe('adfa suggest --apply', () => {
  const anchors = '{\n  "fall": "fall",\n  "cough": {"any": ["cough"], "prevalence": 0.1, "precision": 0.9}\n}\n'
  const fallAdded = anchors.replace('"fall": "fall"', '"fall": ["fall", "falls"]')
  const args = ['suggest', folder.at('docs.jsonl'), '--anchors', folder.at('anchors.json'), '--apply']

  beforeEach(() => {
    folder.write('docs.jsonl', [
      ...times(20, {text: 'fall at home'}),
      ...times(10, {text: 'falls at home'}),
      ...times(9, {text: 'coughing and cough'}),
      ...times(30, {text: 'cough'}),
      ...times(200, {text: 'well'})
    ])
    folder.write('anchors.json', anchors)
  })

  test('--yes adds all forms, says so, and finds none the second time', async () => {
    const printed = await adfaDone`${args} --yes`
    expect(printed).toMatch(/^Added to .*anchors\.json:\n {2}fall: falls\n {2}cough: coughing\nThe rates of cough /)
    expect(folder.text('anchors.json')).toBe(fallAdded.replace('["cough"]', '["cough", "coughing"]'))
    expect(await adfaDone`${args} --yes`).toMatch(/^No other form of a word .* is unchanged/)
    folder.write('anchors.json', anchors)
    const applied = [{concept: 'fall', added: ['falls']}]
    expect(await adfaJson`${args} --yes --for fall`).toMatchObject({applied})
  })

  test('it is refused where it cannot ask or write', async () => {
    expect(await adfa(...args)).toEqual(refused(2, /this is not a terminal; --yes adds all of them/))
    const tags = ['--anchors-from-tags', 'text', '--apply', '--yes']
    expect(await adfa`suggest ${args[1]} ${tags}`).toEqual(refused(2, /name it with --anchors FILE/))
    expect(await adfa`${args.slice(0, -1)} --yes`).toEqual(refused(2, /add --apply/))
    expect(folder.text('anchors.json')).toBe(anchors)
  })

  test.runIf(hasTerminal)('in a terminal it asks for each concept; Enter takes the forms', async ({onTestFinished}) => {
    const run = startInTerminal(args, onTestFinished)
    await run.shows(/Forms to add to fall[\s\S]*falls/)
    run.type('\r')
    await run.shows(/Forms to add to cough[\s\S]*coughing/)
    run.type(' \r')
    expect(await run.ended()).toBe(0)
    expect(folder.text('anchors.json')).toBe(fallAdded)
  })

  test.runIf(hasTerminal)('Ctrl-C stops it without a change', async ({onTestFinished}) => {
    const run = startInTerminal(args, onTestFinished)
    await run.shows(/Forms to add to fall/)
    run.type('\x03')
    expect(await run.ended()).toBe(1)
    expect(folder.text('anchors.json')).toBe(anchors)
  })
})
