import {Command} from 'commander'
import {beforeAll, describe, expect, test} from 'vitest'
import {loadModel} from '../../learn/model/index.ts'
import {countsFromBytes} from '../../read/counts/index.ts'
import {addInputOptions, READING} from './common-options.ts'
import {adfa, adfaDone, testFolder} from './test-run.ts'

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
  distinctWords: 'the words it selects are stored, with the error of the selection',
  json: 'about output',
  quiet: 'about output'
}

describe('options that change what is read', () => {
  test('are all known: a new option is stored with the lexicon, or listed here with the reason why not', () => {
    const {options} = addInputOptions(new Command())
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

  test('--text, --category and --list add up when they are repeated', async () => {
    const given = ['--anchors', anchors, '--list', 'drugs', '--separator', ';']
    const once = await recorded(...given, '--text', 'note,extra', '--category', 'sex,age')
    expect(
      await recorded(...given, '--text', 'note', '--text', 'extra', '--category', 'sex', '--category', 'age')
    ).toBe(once)
    expect(JSON.parse(once).lexicon.reading.text).toEqual(['note', 'extra'])
    expect(JSON.parse(await recorded(...given, '--text', '')).lexicon.reading.text).toEqual([])
    const lists = ['--anchors', anchors, '--text', '', '--separator', ';', '--list', 'drugs']
    expect(JSON.parse(await recorded(...lists, '--list', 'extra')).lexicon.reading.list).toEqual(['drugs', 'extra'])
  })
})

describe('--separator and --known', () => {
  const model = folder.at('model.json')
  const pipes = folder.write('pipes.csv', folder.text('docs.csv').replaceAll(';', '|'))

  beforeAll(async () => {
    await adfaDone('count', docs, '--anchors', anchors, ...separated, '--label-share', '1', '-o', folder.at('a.counts'))
    await adfaDone('fit', folder.at('a.counts'), '--noise', 'labels', '-o', model, '--quiet')
  })

  test('--separator is kept by counts, models and protocols, and changes the fingerprint', async () => {
    expect(loadModel(folder.text('model.json'), 'm').lexicon.reading.separator).toBe(';')
    const protocol = async (name: string, ...more: string[]) => {
      const words = folder.write('words.txt', 'note:fever\n')
      const args = ['--anchors', anchors, '--words', words, '--list', 'drugs', '--name', 'p', ...more]
      await adfaDone('protocol', ...args, '-o', folder.at(name), '--quiet')
      return JSON.parse(folder.text(name))
    }
    const [plain, own] = [await protocol('p.json'), await protocol('q.json', '--separator', ';')]
    expect([plain.reading.separator, own.reading.separator]).toEqual([undefined, ';'])
    expect(own.fingerprint).not.toBe(plain.fingerprint)
  })

  test('--separator comes from the model in predict, evaluate, explain and count --like', async () => {
    const predicted = await adfaDone('predict', model, docs, '--quiet')
    expect(predicted).toBe(await adfaDone('predict', model, docs, '--separator', ';', '--quiet'))
    const {stdout, stderr} = await adfa('predict', model, pipes, '--separator', '|')
    expect([stdout, stderr]).toEqual([predicted, expect.stringMatching(/--separator: the model was learned with ";"/)])
    expect(await adfaDone('predict', model, pipes, '--quiet')).not.toBe(predicted)
    const evaluated = await adfaDone('evaluate', model, docs, '--train', docs, '--quiet')
    expect(evaluated).toBe(await adfaDone('evaluate', model, docs, '--train', docs, '--separator', ';', '--quiet'))
    const explained = await adfaDone('explain', model, docs, '--id', '12')
    expect(explained).toContain('drugs:ibuprofen')
    await adfaDone('count', docs, '--like', folder.at('a.counts'), '-o', folder.at('b.counts'))
    expect(folder.bytes('b.counts')).toEqual(folder.bytes('a.counts'))
    const other = await adfa('count', docs, '--like', model, '--separator', '|', '-o', folder.at('c.counts'))
    expect([other.code, other.stderr]).toEqual([2, expect.stringMatching(/--separator cannot change anything here/)])
  })

  test('--known adds up when it is repeated', async () => {
    const known = (...args: readonly string[]) => adfaDone('predict', model, docs, '--quiet', ...args)
    const both = await known('--known', 'pain,reflux')
    expect(await known('--known', 'pain', '--known', 'reflux')).toBe(both)
    expect(both).not.toBe(await known('--known', 'reflux'))
  })

  test('--separator must be the same in counts that are merged', async () => {
    const spoken = folder.write('plain.json', '{"pain": "note:chest", "cough": "note:cough"}')
    for (const [name, separator] of [
      ['semicolon', ';'],
      ['pipe', '|']
    ])
      await adfaDone(
        ...['count', docs, '--anchors', spoken, '--text', 'note', '--separator', separator],
        ...['-o', folder.at(`${name}.counts`)]
      )
    const merged = await adfa(
      ...['merge', folder.at('semicolon.counts'), folder.at('pipe.counts'), '-o', folder.at('both.counts')]
    )
    expect([merged.code, merged.stderr]).toEqual([1, expect.stringMatching(/differ in their separator of list items/)])
  })

  test('--separator is | in files that do not record it, which stay as they were', async () => {
    const {reading, checksum: _, ...rest} = JSON.parse(folder.text('model.json'))
    const {separator, ...others} = reading
    expect(separator).toBe(';')
    const old = folder.write('old.json', JSON.stringify({...rest, reading: others}))
    expect(loadModel(folder.text('old.json'), 'old').lexicon.reading.separator).toBe('|')
    const args = ['--separator', ';', '--quiet']
    expect(await adfaDone('predict', old, docs, ...args)).toBe(await adfaDone('predict', model, docs, ...args))
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
  const spoken = folder.write('spoken.json', '{"pain": "chest", "reflux": "rare"}')
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

  test('a column that does not exist is an error, with the nearest name', async () => {
    const failed = async (...args: readonly string[]) => {
      const {code, stderr} = await adfa('count', ...args, '--anchors', spoken, '-o', folder.at('x.counts'))
      expect(code).toBe(1)
      return stderr
    }
    const hint =
      'renamed.csv:1: there is no column "nte"; the columns are Patient ID, Note, DRUGS, ICD; did you mean "Note"?'
    expect(await failed(renamed, '--text', 'nte')).toContain(hint)
    expect(await failed(renamed, '--text', 'note', '--tags', 'ic')).toContain('did you mean "ICD"?')
    expect(await failed(renamed, '--text', 'note', '--id', 'nr')).toContain('there is no column "nr"')
    const lines = folder.write(
      'lines.jsonl',
      rows.map(([id, , , Note]) => ({id, Note}))
    )
    const missing = await failed(lines, '--text', 'note', '--category', 'sex', '--tags', 'ids')
    expect(missing).toContain('no document has the field "sex", or a value in it; the first has id, Note')
    expect(await failed(lines, '--text', 'note', '--tags', 'nots')).toMatch(/"nots".*did you mean "Note"\?/)
    expect(await failed(lines, '--text', 'nite')).toMatch(
      /lines.jsonl:1: the row has no usable field.*did you mean "Note"\?/
    )
    const twice = folder.write('twice.csv', 'NOTE,Note\na,b\n')
    expect(await failed(twice, '--text', 'note')).toContain('twice.csv:1: "note" may mean "NOTE" or "Note"')
  })

  test('tags may not be read as something else too', async () => {
    const refused = async (...args: readonly string[]) => {
      const {code, stderr} = await adfa('count', ...args, '--anchors', spoken, '-o', folder.at('x.counts'))
      expect(code).toBe(2)
      return stderr
    }
    expect(await refused(renamed, '--text', 'note', '--list', 'ICD', '--tags', 'ICD')).toContain('--list')
    expect(await refused(renamed, '--text', 'note', '--tags', 'note')).toContain('--tags')
  })
})
