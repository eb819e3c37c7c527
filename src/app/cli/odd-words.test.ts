import {describe, expect, test} from 'vitest'
import {loadModel} from '../../learn/model/index.ts'
import {adfa, adfaDone, adfaJson, parseLines, testFolder} from './test-run.ts'

const folder = testFolder()
const model = folder.at('model.json')

describe('words that are traps elsewhere', () => {
  const words = [
    '__proto__',
    'constructor',
    'toString',
    'hasOwnProperty',
    '',
    '🍺',
    'é'.normalize('NFD'),
    '"quoted"',
    'a\nb',
    '7'
  ]

  /** Every word in every third document, in turn. */
  const rows = Array.from({length: 120}, (_, at) => ({
    id: at === 0 ? '__proto__' : at,
    features: [
      ...words.filter((_, j) => (at + j) % 3 === 0),
      ...(at % 4 === 0 ? ['valueOf'] : []),
      ...(at % 5 === 0 ? ['🚑'] : [])
    ],
    text: at % 2 === 0 ? 'constructor __proto__ 🍺' : 'toString hasOwnProperty',
    tags: at % 4 === 0 ? ['__proto__'] : at % 5 === 0 ? ['toString', '🚑'] : []
  }))
  const rates = {truePositive: 0.9, falsePositive: 0.1}
  const anchors = `{"__proto__": ${JSON.stringify({any: ['valueOf'], ...rates})}, "toString": ${JSON.stringify({any: ['🚑'], ...rates})}}`

  test('adfa takes them as words, anchors, concepts, ids and tags, from count to evaluate', async () => {
    const docs = folder.write('odd.jsonl', rows)
    const args = ['--anchors', folder.write('odd.json', anchors)]
    await adfaDone('count', docs, ...args, '-o', folder.at('odd.counts'))
    await adfaDone('fit', folder.at('odd.counts'), '-o', model)
    const loaded = loadModel(folder.text('model.json'), 'model.json')
    expect(loaded.concepts.map(({name}) => name)).toEqual(['__proto__', 'toString'])
    expect(loaded.lexicon.words).toEqual(expect.arrayContaining(words))
    const lines = parseLines(await adfaDone('predict', model, docs))
    expect(lines).toHaveLength(120)
    for (const [at, line] of lines.entries()) {
      const {id, posterior} = Object(line)
      expect(id).toBe(rows[at].id)
      expect(Object.entries(posterior)).toEqual([
        ['__proto__', expect.any(Number)],
        ['toString', expect.any(Number)]
      ])
    }
    const known = await adfaDone('predict', model, docs, '--known', '__proto__', '--top', '1')
    expect(known.split('\n')[0]).toBe('{"id":"__proto__","posterior":{"__proto__":1}}')
    expect(await adfaJson('evaluate', model, docs, '--train', docs)).toMatchObject({documents: 120, concepts: 2})
  })

  test('adfa takes them from the tags as well', async () => {
    const tagged = rows.map(({id, tags, text}) => ({id, tags, title: tags.join(' '), text}))
    const docs = folder.write('tagged.jsonl', tagged)
    const rule = ['--anchors-from-tags', 'title', '--top-tags', '3', '--noise', 'labels', '--skip-bad-anchors']
    await adfaDone('fit', docs, ...rule, '-o', model)
    const names = loadModel(folder.text('model.json'), 'model.json').concepts.map(({name}) => name)
    expect(names).toEqual(expect.arrayContaining(['__proto__', 'toString']))
  })

  test('adfa names concepts that cannot work, whatever they are called', async () => {
    const docs = folder.write('odd.jsonl', rows)
    const bad = folder.write('bad.json', '{"__proto__": "nowhere", "constructor": "nowhere else"}')
    const {code, stderr} = await adfa('count', docs, '--anchors', bad, '-o', folder.at('none.counts'))
    expect(code).toBe(1)
    expect(stderr).toMatch(/concept "__proto__": .*\n.*concept "constructor": /)
  })
})

describe('long lines', () => {
  test('adfa takes lines of 1 MB, of many words or of one, from count to predict', async () => {
    const many = Array.from({length: 150_000}, (_, at) => `w${at % 5000}`).join(' ')
    const one = 'x'.repeat(1_000_000)
    const rows = [
      {id: 1, text: `fever ${many}`, features: [one]},
      {id: 2, text: 'well', features: ['y']},
      {id: 3, text: `fever ${one}`, features: []},
      {id: 4, text: many, features: [one, '🍺'.repeat(300_000)]}
    ]
    for (const {text, features} of [rows[0], rows[3]])
      expect(JSON.stringify({text, features}).length).toBeGreaterThan(1_000_000)
    const docs = folder.write('long.jsonl', rows)
    const anchors = folder.write(
      'fever.json',
      '{"fever": {"any": ["fever"], "truePositive": 0.9, "falsePositive": 0.1}}'
    )
    const result = await adfaJson('count', docs, '--anchors', anchors, '-o', folder.at('long.counts'))
    expect(result).toMatchObject({documents: 4, concepts: 1})
    await adfaDone('fit', folder.at('long.counts'), '-o', model)
    expect(loadModel(folder.text('model.json'), 'model.json').lexicon.words).toContain(one)
    const lines = parseLines(await adfaDone('predict', model, docs))
    expect(lines).toMatchObject([{id: 1}, {id: 2}, {id: 3}, {id: 4}])
  })

  test('adfa says where a bad line stands, however long the lines before it', async () => {
    const docs = folder.write('bad.jsonl', `{"text": "${'a '.repeat(700_000)}"}\n{"text": "b"}\n{"text": \n`)
    const anchors = folder.write('a.json', '{"a": "a"}')
    const {code, stderr} = await adfa('count', docs, '--anchors', anchors, '-o', folder.at('none.counts'))
    expect(code).toBe(1)
    expect(stderr).toMatch(/bad\.jsonl:3: not valid JSON/)
    expect(stderr.length).toBeLessThan(1000)
  })
})
