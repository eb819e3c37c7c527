import {beforeAll, describe, expect, test} from 'vitest'
import {rng} from '../../base/numeric/index.ts'
import {loadModel} from '../../learn/model/index.ts'
import {countsFromBytes} from '../../read/counts/index.ts'
import {adfa, adfaDone, adfaJson, testFolder} from './test-run.ts'

const folder = testFolder()
/** Visits to an emergency department: overdoses are men in their forties, asthma is young, a heart attack old. */
const visits = drawVisits(400)
const reading = [
  ...['--text', 'note', '--category', 'sex', '--number', 'age:10'],
  ...['--list', 'dispensed,med-history', '--negation']
]
const fitting = ['--anchors', folder.at('anchors.json'), '--noise', 'labels']

function drawVisits(count: number) {
  const random = rng(7)
  const chance = (probability: number) => random.next() < probability
  return Array.from({length: count}, (_, at) => {
    const [asthma, overdose, infarct] = [chance(0.25), chance(0.25), chance(0.25)]
    const age = overdose ? 40 + (at % 10) : asthma ? 8 + (at % 20) : 55 + (at % 30)
    return {
      id: at,
      age: at % 40 === 0 ? null : age,
      sex: overdose || chance(0.4) ? 'M' : 'F',
      dispensed: [...(overdose && chance(0.8) ? ['Naloxone'] : []), ...(chance(0.2) ? ['Saline'] : [])],
      'med-history': asthma && chance(0.8) ? ['Albuterol sulfate'] : [],
      note: [
        infarct ? 'Crushing chest pain.' : chance(0.3) ? 'Denies chest pain.' : '',
        overdose ? 'Pinpoint pupils.' : 'Alert.',
        `Seen by nurse n${at} in room r${at}.`
      ].join(' '),
      tags: Object.entries({asthma, overdose, infarct}).flatMap(([name, isTrue]) => (isTrue ? [name] : []))
    }
  })
}

beforeAll(async () => {
  folder.write('visits.jsonl', visits)
  folder.write(
    'anchors.json',
    '{"overdose": "dispensed:Naloxone", "asthma": "med-history:/albuterol/", "infarct": {"any": ["note:crushing"], "not": ["age:0-10"]}}'
  )
  await adfaDone('fit', folder.at('visits.jsonl'), ...fitting, ...reading, '-o', folder.at('model.json'), '--quiet')
})

describe('adfa, categories, numbers and lists', () => {
  test('adfa fit learns from them, and keeps in the model how they are read', () => {
    const {lexicon} = loadModel(folder.text('model.json'), 'model.json')
    expect(lexicon.reading).toMatchObject({
      text: ['note'],
      category: ['sex'],
      number: ['age:10'],
      list: ['dispensed', 'med-history']
    })
    const expected = ['age:40-50', 'dispensed:saline', 'note:neg:chest', 'note:pinpoint', 'sex:f', 'sex:m']
    expect(lexicon.words).toEqual(expect.arrayContaining(expected))
    expect(lexicon.words).not.toContain('dispensed:naloxone')
  })

  test('adfa explain shows them as reasons, from JSON Lines and from a table', async () => {
    const asked = visits.find(({sex, age, dispensed}) => sex === 'M' && age === 42 && dispensed.includes('Naloxone'))
    const id = String(asked?.id)
    const args = ['--id', id, '--concept', 'overdose']
    const explained = await adfaDone('explain', folder.at('model.json'), folder.at('visits.jsonl'), ...args)
    expect(explained).toContain('"age:40-50" occurs')
    expect(explained).toContain('"sex:m" occurs')
    const lines = visits.map(({id, age, sex, dispensed, note, ...rest}) =>
      [id, age ?? '', sex, dispensed.join(';'), rest['med-history'].join(';'), note].join('\t')
    )
    const table = folder.write('visits.tsv', ['id\tage\tsex\tdispensed\tmed-history\tnote', ...lines].join('\n'))
    expect(await adfaDone('explain', folder.at('model.json'), table, ...args, '--separator', ';')).toBe(explained)
  })

  test('adfa count --like reads them again, and refuses to be told', async () => {
    const like = ['count', folder.at('visits.jsonl'), '--like', folder.at('model.json'), '-o', folder.at('like.counts')]
    await adfaDone(...like, '--quiet')
    expect(countsFromBytes(folder.bytes('like.counts'), 'x').lexicon.words).toContain('sex:m')
    for (const option of [
      ['--category', 'sex'],
      ['--number', 'age:5'],
      ['--list', 'dispensed']
    ]) {
      const {code, stderr} = await adfa(...like, ...option)
      expect([code, stderr]).toEqual([2, expect.stringContaining(`${option[0]} cannot change anything here`)])
    }
  })

  test('adfa fit says which field no document has; adfa predict says it too', async () => {
    const typed = [...fitting, ...reading, '--text', 'plan', '--category', 'ward', '--number', 'weight:20']
    const {code, stderr} = await adfa('fit', folder.at('visits.jsonl'), ...typed, '-o', folder.at('typed.json'))
    expect(code).toBe(1)
    expect(stderr).toMatch(/no document has the field "plan", or a value in it; the first has .*, note/)
    const bare = folder.write('bare.jsonl', [{id: 1, note: 'Pinpoint pupils.'}])
    const predicted = await adfa('predict', folder.at('model.json'), bare, '-o', folder.at('bare.out'))
    expect(predicted.stderr).toContain('no document has the fields "sex", "age", "dispensed", or a value in them')
  })

  test('adfa suggest may suggest them', async () => {
    const found = await adfaJson('suggest', folder.at('visits.jsonl'), ...fitting.slice(0, 2), ...reading)
    expect(JSON.stringify(found)).toContain('note:pinpoint')
  })

  test('adfa count reads documents without any text, and edges in place of a width', async () => {
    const anchors = folder.write('values.json', '{"overdose": "dispensed:naloxone", "child": "age:<18"}')
    const options = ['--text', '', '--number', 'age:18,65', '--list', 'dispensed', '--category', 'sex']
    const out = folder.at('values.counts')
    await adfaDone('count', folder.at('visits.jsonl'), '--anchors', anchors, ...options, '-o', out, '--quiet')
    const {lexicon} = countsFromBytes(folder.bytes('values.counts'), 'x')
    expect(lexicon.words).toEqual(['age:18-65', 'age:65+', 'dispensed:saline', 'sex:f', 'sex:m'])
    await adfaDone(
      'count',
      folder.at('visits.jsonl'),
      '--anchors',
      anchors,
      '--text',
      '',
      ...options.slice(4),
      '--number',
      'age:18+',
      '-o',
      out,
      '--quiet'
    )
    expect(countsFromBytes(folder.bytes('values.counts'), 'x').lexicon.reading.number).toEqual(['age:18+'])
  })

  test.each([
    [['--number', 'age'], /must be a field and its bins: age:10/],
    [['--number', 'age:'], /must be a field and its bins/],
    [['--number', 'age:10,'], /must be a field and its bins/],
    [['--number', 'age:old'], /must be a field and its bins/],
    [['--number', 'age:0'], /must be a field and its bins/],
    [['--number', 'age:40,18'], /must be a field and its bins/],
    [['--category', 'sex', '--list', 'sex'], /the field "sex" is named twice/],
    [['--number', 'age:5', '--number', 'age:10'], /the field "age" is named twice/],
    [['--category', 'sex:m'], /categor.* must be field names without colons/],
    [['--list', 'tags'], /list.* must be fields other than id, tags, features, labels/]
  ])('adfa count %j is refused with the rule', async (options, message) => {
    const anchors = ['--anchors', folder.at('anchors.json')]
    const {code, stderr} = await adfa('count', folder.at('visits.jsonl'), ...anchors, ...options, '-o', folder.at('x'))
    expect([code, stderr]).toEqual([2, expect.stringMatching(message)])
  })
})
