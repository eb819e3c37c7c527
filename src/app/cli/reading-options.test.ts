import {Command} from 'commander'
import {beforeAll, describe, expect, test} from 'vitest'
import {countsFromBytes} from '../../read/counts/index.ts'
import {inputOptions, READING} from './common-options.ts'
import {addOptions} from './declare.ts'
import {adfa, adfaDone, refused, testFolder} from './test-run.ts'

const folder = testFolder()

/** A table of drugs separated by semicolons, with all that reading options refer to. */
const rows = Array.from({length: 120}, (_, at) => {
  const drugs = [at % 3 === 0 ? 'ibuprofen' : 'saline', at % 4 === 0 ? 'omeprazole' : 'aspirin']
  const tags = [...(at % 3 === 0 ? ['pain'] : []), ...(at % 4 === 0 ? ['reflux'] : [])]
  const note = `${at % 5 === 0 ? 'no ' : ''}Fever and ${at % 2 === 0 ? 'chest pain' : 'cough'} ${at % 4 === 0 ? 'rare' : ''} ${at % 7 === 0 ? 'blood pressure' : ''}`
  return [at, `"${drugs.join('; ')}"`, `"${tags.join(';')}"`, note, at % 2 === 0 ? 'seen' : 'missed', at % 90, 'm']
})
const docs = folder.write('docs.csv', ['id,drugs,tags,note,extra,age,sex', ...rows.map(row => row.join())].join('\n'))
const anchors = folder.write('anchors.json', '{"pain": "drugs:ibuprofen", "reflux": "drugs:omeprazole"}')
const separated = ['--list', 'drugs', '--text', 'note', '--separator', ';']

/** What a count records about how the documents were read. */
async function recorded(...args: readonly string[]): Promise<string> {
  await adfaDone('count', docs, '--quiet', ...args, '-o', folder.at('x.counts'))
  const {lexicon, labelShare, seed} = countsFromBytes(folder.bytes('x.counts'), 'x.counts')
  return JSON.stringify({lexicon, labelShare, seed})
}

/** Every reading option, with a value that changes what is read. */
const STORED: Readonly<Record<string, readonly string[]>> = {
  text: ['--text', 'extra'],
  category: ['--category', 'sex'],
  number: ['--number', 'age:10'],
  list: ['--list', 'extra'],
  votes: ['--votes', 'extra'],
  separator: ['--separator', '|'],
  id: ['--id', 'sex'],
  tags: ['--tags', 'drugs'],
  tagSeparator: ['--tag-separator', ','],
  vocabulary: ['--vocabulary', '2'],
  maxShare: ['--max-share', '0.9'],
  keepCase: ['--keep-case'],
  negation: ['--negation'],
  negationScope: ['--negation', '--negation-scope', '2'],
  minTags: ['--min-tags', '1'],
  labelShare: ['--label-share', '1'],
  seed: ['--seed', '3']
}

/** Options that are not stored, and why. */
const NOT_STORED: Readonly<Record<string, string>> = {
  anchors: 'the anchors are stored',
  anchorsFromTags: 'the anchors it gives are stored',
  topTags: 'the anchors it gives are stored',
  ofTop: 'the tags it selects are stored, with --min-tags',
  skipBadAnchors: 'the anchors that remain, and those left out, are stored',
  like: 'names a file whose reading is stored',
  holdOut: 'the documents that remain are counted',
  labels: 'the labelled counts are stored, and a shard has a mark of the file',
  format: 'the form of one file: the same documents give the same counts in every format',
  worksheet: 'the form of one file',
  encoding: 'the form of one file',
  workers: 'the counts are the same with any number of threads',
  json: 'about output',
  quiet: 'about output'
}

describe('options that change what is read', () => {
  test('are all known: a new option is stored with the lexicon, or listed here with the reason why not', () => {
    const {options} = addOptions(new Command(), inputOptions)
    const names = options.filter(({negate}) => !negate).map(option => option.attributeName())
    expect(names.toSorted()).toEqual([...Object.keys(STORED), ...Object.keys(NOT_STORED)].toSorted())
    // --like, protocols and counts files settle them, and refuse them on the command line.
    // Those of a file may differ from those of a model or of counts.
    const open = ['labelShare', 'seed', 'id', 'tags', 'tagSeparator']
    const settled = [...Object.keys(STORED).filter(name => !open.includes(name)), 'ofTop', 'topTags']
    expect(READING.toSorted()).toEqual(settled.toSorted())
  })

  test('are recorded in counts', async () => {
    const anchored = folder.write('words.json', '{"pain": "chest", "reflux": "rare"}')
    const plain = ['--anchors', anchored, '--text', 'note', '--separator', ';']
    const before = await recorded(...plain)
    for (const [name, args] of Object.entries(STORED))
      expect([name, (await recorded(...plain, ...args)) === before]).toEqual([name, false])
  })

  test('--text, --category, --list and --known add up when they are repeated', async () => {
    const reading = async (...args: string[]) =>
      JSON.parse(await recorded('--anchors', anchors, '--separator', ';', ...args)).lexicon.reading
    const once = await reading('--list', 'drugs', '--text', 'note,extra', '--category', 'sex,age')
    const each = ['--list', 'drugs', '--text', 'note', '--text', 'extra', '--category', 'sex', '--category', 'age']
    expect(await reading(...each)).toEqual(once)
    expect(once.text).toEqual(['note', 'extra'])
    const lists = await reading('--text', '', '--list', 'drugs', '--list', 'extra:,,sex:|')
    expect([lists.text, lists.list]).toEqual([[], ['drugs', 'extra:,', 'sex:|']])
  })

  test.each([
    ['--number age', /must be a field and its bins: age:10/],
    ['--number age:40,18', /must be a field and its bins/],
    ['--category sex --list sex', /the field "sex" is named twice/],
    ['--text a:b', /text.*without colons; got \["a:b"\]/],
    ['--max-share 0', /--max-share must be a share above 0, at most 1; got 0/],
    ['--of-top 0', /--of-top <n>.*must be a whole number above 0/]
  ])('adfa count %s is refused with the rule', async (options, message) => {
    const ended = await adfa`count ${docs} --anchors ${anchors} ${options.split(' ')} -o ${folder.at('x.counts')}`
    expect(ended).toEqual(refused(2, message))
  })
})

describe('a model keeps how documents are read', () => {
  const [model, counts] = [folder.at('model.json'), folder.at('a.counts')]
  const typed = ['--category', 'extra', '--number', 'age:10', '--negation', ...separated]
  const records = rows.map(([id, drugs, , note, extra, age]) => ({
    ...{id: String(id), note, extra, age},
    drugs: String(drugs).replaceAll('"', '').split('; ')
  }))
  const lines = folder.write('docs.jsonl', records)

  beforeAll(async () => {
    await adfaDone`count ${docs} --anchors ${anchors} ${typed} --label-share 1 --max-share 1 -o ${counts}`
    await adfaDone`fit ${counts} --noise labels -o ${model}`
  })

  test('with categories, numbers, lists, negation and the separator', () => {
    const {reading, words} = folder.model('model.json').lexicon
    const read = {category: ['extra'], number: ['age:10'], list: ['drugs'], negation: true, separator: ';'}
    expect(reading).toMatchObject({...read, text: ['note']})
    const expected = ['age:40-50', 'drugs:saline', 'note:neg:fever', 'note:fever', 'extra:seen']
    expect(words).toEqual(expect.arrayContaining(expected))
  })

  test('for predict, evaluate, explain and count --like, from tables and from JSON Lines', async () => {
    const predicted = await adfaDone`predict ${model} ${docs}`
    expect(await adfaDone`predict ${model} ${docs} --separator ;`).toBe(predicted)
    const pipes = folder.write('pipes.csv', folder.text('docs.csv').replaceAll(';', '|'))
    const {stdout, stderr} = await adfa`predict ${model} ${pipes} --separator |`
    expect([stdout, stderr]).toEqual([predicted, expect.stringMatching(/--separator: the model was learned with ";"/)])
    expect(await adfaDone`predict ${model} ${lines}`).toBe(predicted)
    const evaluated = await adfaDone`evaluate ${model} ${docs} --train ${docs}`
    expect(await adfaDone`evaluate ${model} ${docs} --train ${docs} --separator ;`).toBe(evaluated)
    expect(await adfaDone`explain ${model} ${docs} --id 12`).toContain('drugs:ibuprofen')
    await adfaDone`count ${docs} --like ${counts} -o ${folder.at('b.counts')}`
    expect(folder.bytes('b.counts')).toEqual(folder.bytes('a.counts'))
    const both = await adfaDone`predict ${model} ${docs} --known pain,reflux`
    expect(await adfaDone`predict ${model} ${docs} --known pain --known reflux`).toBe(both)
  })

  test('the separator is | in models that do not record it', () => {
    const {reading, checksum: _, ...rest} = folder.json('model.json')
    folder.write('old.json', JSON.stringify({...rest, reading: {...reading, separator: undefined}}))
    expect(folder.model('old.json').lexicon.reading.separator).toBe('|')
  })

  test('and a field without a value in any document is an error in fit, a note in predict', async () => {
    const fit = ['--anchors', anchors, '--list', 'drugs', '--text', 'plan,note', '-o', folder.at('x.json')]
    expect(await adfa`fit ${lines} ${fit}`).toEqual(
      refused(1, /no document has the field "plan", or a value in it; the first has id, note, /)
    )
    const {stderr} = await adfa`predict ${model} ${folder.write('bare.jsonl', [{id: 1, note: 'Fever'}])}`
    expect(stderr).toContain('no document has the fields "extra", "age", "drugs", or a value in them')
  })
})

describe('--id, --tags and --tag-separator', () => {
  /** Drugs are separated by semicolons, tags by another character. */
  const table = (columns: string, tagSeparator: string) => {
    const line = ([at, drugs, tags, text]: readonly (string | number)[]) =>
      [`n${at}`, text, drugs, String(tags).replaceAll(';', tagSeparator)].join()
    return [columns, ...rows.map(line)].join('\n')
  }
  const renamed = folder.write('renamed.csv', table('Patient ID, Note,DRUGS,ICD', '+'))
  const plain = folder.write('plain.csv', table('id,note,drugs,tags', ';'))
  const reading = ['--list', 'drugs', '--text', 'note', '--separator', ';', '--label-share', '1', '--quiet']
  const common = ['--anchors', anchors, ...reading]
  const named = ['--id', 'patient id', '--tags', 'icd', '--tag-separator', '+']

  test('name columns in whatever case: the counts are those of a table with the standard names', async () => {
    await adfaDone('count', plain, ...common, '-o', folder.at('plain.counts'))
    await adfaDone('count', renamed, ...common, ...named, '-o', folder.at('renamed.counts'))
    const [a, b] = ['plain.counts', 'renamed.counts'].map(name => countsFromBytes(folder.bytes(name), name))
    expect(b.labelled).toEqual(a.labelled)
    expect(b.labelled.some(count => count > 0)).toBe(true)
    expect(b.lexicon.reading).toMatchObject({id: 'patient id', tags: 'icd', tagSeparator: '+'})
    expect(b.lexicon.words).toEqual(a.lexicon.words)
    // What only describes a file is no difference: both add up, and the standard names leave no trace.
    await adfaDone('merge', folder.at('plain.counts'), folder.at('renamed.counts'), '-o', folder.at('sum.counts'))
    await adfaDone('count', renamed, '--like', folder.at('plain.counts'), ...named, '-o', folder.at('like.counts'))
    expect(folder.bytes('like.counts')).toEqual(folder.bytes('plain.counts'))
    expect(Buffer.from(folder.bytes('plain.counts')).includes('"id"')).toBe(false)
  })

  test('come from the model in predict and evaluate, and may be given anew', async () => {
    const file = folder.at('renamed.json')
    await adfaDone('fit', renamed, ...common, ...named, '--noise', 'labels', '-o', file)
    const predicted = await adfaDone('predict', file, renamed, '--known', 'tags', '--quiet')
    expect(predicted.split('\n')[1]).toContain('"id":"n1"')
    const given = ['--id', 'id', '--tags', 'tags', '--tag-separator', ';', '--quiet']
    expect(await adfaDone('predict', file, plain, '--known', 'tags', ...given)).toBe(predicted)
    const evaluated = await adfaDone('evaluate', file, renamed, '--train', renamed, '--quiet')
    expect(await adfaDone('evaluate', file, plain, '--train', plain, ...given)).toBe(evaluated)
    expect(await adfaDone('explain', file, renamed, '--id', 'n12')).toContain('n12')
  })
})
