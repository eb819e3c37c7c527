import {expect, test} from 'vitest'
import {adfa, adfaDone, adfaJson, parseLines, refused, testFolder} from './test-run.ts'

const folder = testFolder()
const [model, counts] = [folder.at('model.json'), folder.at('x.counts')]
const rates = {truePositive: 0.9, falsePositive: 0.1}

test('words that are traps elsewhere are words, anchors, concepts, ids and tags, from count to evaluate', async () => {
  const words = ['__proto__', 'constructor', 'hasOwnProperty', '', '🍺', 'é'.normalize('NFD'), '"quoted"', 'a\nb', '7']
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
  const anchors = Object.fromEntries([
    ['__proto__', {any: ['valueOf'], ...rates}],
    ['toString', {any: ['🚑'], ...rates}]
  ])
  const docs = folder.write('odd.jsonl', rows)
  await adfaDone`count ${docs} --anchors ${folder.write('odd.json', JSON.stringify(anchors))} -o ${counts}`
  await adfaDone`fit ${counts} -o ${model}`
  const {concepts, lexicon} = folder.model('model.json')
  expect(concepts.map(({name}) => name)).toEqual(['__proto__', 'toString'])
  expect(lexicon.words).toEqual(expect.arrayContaining(words))
  const lines = parseLines(await adfaDone`predict ${model} ${docs}`)
  expect(lines.map(({id}) => id)).toEqual(rows.map(({id}) => id))
  expect(Object.keys(lines[0].posterior)).toEqual(['__proto__', 'toString'])
  const known = await adfaDone`predict ${model} ${docs} --known __proto__ --top 1`
  expect(known.split('\n')[0]).toBe('{"id":"__proto__","posterior":{"__proto__":1}}')
  expect(await adfaJson`evaluate ${model} ${docs} --train ${docs}`).toMatchObject({documents: 120, concepts: 2})
  const tagged = rows.map(({id, tags, text}) => ({id, tags, title: tags.join(' '), text}))
  const rule = '--anchors-from-tags title --top-tags 3 --noise labels --skip-bad-anchors'.split(' ')
  await adfaDone`fit ${folder.write('tagged.jsonl', tagged)} ${rule} -o ${model}`
  const names = folder.model('model.json').concepts.map(({name}) => name)
  expect(names).toEqual(expect.arrayContaining(['__proto__', 'toString']))
})

test('ids of many digits stay apart in counts, on one thread and on two, in predictions and in sheets', async () => {
  // Twitter's and many databases' ids: JSON.parse makes neighbours one number.
  const ids = Array.from({length: 300}, (_, at) => String(12345678901234567000n + BigInt(at)))
  const lines = ids.map((id, at) => {
    const features = [...(at % 2 ? ['f'] : []), ...(at % 3 ? ['p', 'x'] : []), ...(at % 5 ? ['y'] : [])]
    return `{"id":${id},"features":${JSON.stringify(features)},"tags":[]}\n`
  })
  const labelled = ids.map((id, at) => `{"id":${id},"labels":{"flu":${at % 2 === 1},"pain":${at % 3 !== 0}}}\n`)
  const anchors = ['--anchors', folder.write('anchors.json', '{"flu": "f", "pain": "p"}')]
  const reading = [folder.write('docs.jsonl', lines.join('')), ...anchors, '--max-share', '1']
  const labels = ['--labels', folder.write('labels.jsonl', labelled.join('')), '--label-share', '1']
  await adfaDone`count ${reading} ${labels} --workers 0 -o ${counts}`
  await adfaDone`count ${reading} ${labels} --workers 2 -o ${folder.at('two.counts')}`
  expect(folder.bytes('two.counts').equals(folder.bytes('x.counts'))).toBe(true)
  await adfaDone`fit ${reading} -o ${model}`
  expect(parseLines(await adfaDone`predict ${model} ${reading[0]}`).map(({id}) => id)).toEqual(ids)
  const few = ['--documents', '5', '--anchored', '0']
  await adfaDone`label ${reading} ${few} --sheet ${folder.at('sheet.csv')}`
  const sheet = folder.write('sheet.csv', folder.text('sheet.csv').replaceAll(',random,,', ',random,x,'))
  await adfaDone`label ${reading} ${few} --from-sheet ${sheet} -o ${folder.at('answers.jsonl')}`
  const named = folder.rows('answers.jsonl').map(({id}) => id)
  expect(named).toHaveLength(5)
  expect(ids).toEqual(expect.arrayContaining(named))
  const bad = folder.write('bad.jsonl', `${lines.join('')}{"id":1e999,"features":["f"]}\n`)
  expect(await adfa`count ${bad} ${anchors} -o ${counts}`).toEqual(
    refused(1, /bad\.jsonl:301: field "id" is not a finite number/)
  )
})
