import {mkdirSync, readFileSync, rmSync, writeFileSync} from 'node:fs'
import {dirname, join} from 'node:path'
import {fileURLToPath} from 'node:url'
import {crc32, gzipSync} from 'node:zlib'
import {run} from '../src/app/cli/index.ts'
import {type Rng, randomIndex, rng} from '../src/base/numeric/index.ts'
import {type Mutate, mixed, mutateBytes, mutateJson, mutateJsonLines, mutateText} from './fuzz-mutations.ts'
import {workbookFiles, zipped} from './workbook.ts'

/** One kind of file, a valid example of it, how it is broken, and the commands that read it. */
export interface FuzzTarget {
  readonly name: string
  /** The name of the broken file, which shows its format. */
  readonly file: string
  readonly valid: Uint8Array
  readonly mutate: Mutate
  /** The arguments of a command that reads the file at `path`; one of them is drawn for each case. */
  readonly commands: readonly ((path: string) => readonly string[])[]
}

/** How a case ended. Anything but `done` and `refused` is a fault. */
export type FuzzOutcome =
  | 'done'
  | 'refused'
  | 'internal error'
  | 'threw'
  | 'silent failure'
  | 'polluted'
  | 'out of time'

const fixture = (name: string) => fileURLToPath(new URL(`../fixtures/documents/${name}`, import.meta.url))

/** Runs a command in this process, with what it prints kept away from the terminal. */
export async function quietRun(args: readonly string[]): Promise<{code: number; errors: string}> {
  const {stdout, stderr} = process
  const before = [stdout.write, stderr.write] as const
  let errors = ''
  const swallow = (keep: boolean) =>
    ((chunk: unknown, ...rest: unknown[]) => {
      if (keep) errors += String(chunk)
      for (const done of rest) if (typeof done === 'function') done()
      return true
    }) as typeof stdout.write
  stdout.write = swallow(false)
  stderr.write = swallow(true)
  try {
    return {code: await run(args), errors}
  } finally {
    ;[stdout.write, stderr.write] = before
  }
}

/** Makes valid files of every format in `folder`, and how to break and read each of them. */
export async function fuzzTargets(folder: string): Promise<readonly FuzzTarget[]> {
  const at = (name: string) => join(folder, name)
  const done = async (...args: readonly string[]) => {
    const {code, errors} = await quietRun([...args, '--quiet'])
    if (code !== 0) throw new Error(`adfa ${args.join(' ')}: ${errors}`)
  }
  mkdirSync(at('case'), {recursive: true})
  const [docs, anchors] = [at('docs.jsonl'), at('anchors.json')]
  const sizes = ['--concepts', '3', '--words', '12', '--documents', '60']
  await done('generate', 'random', ...sizes, '-o', docs, '--anchors', anchors, '--truth', at('truth.json'))
  await done('count', docs, '--anchors', anchors, '--workers', '0', '-o', at('valid.counts'))
  await done('count', docs, '--like', at('valid.counts'), '--workers', '0', '--shard', '1/2', '-o', at('part.counts'))
  const sample =
    '{"id":1,"text":"etoh chest","id2":"a","score":3,"drugs":["x"]}\n{"id":2,"text":"fever","id2":"b","score":30}\n'
  writeFileSync(at('fields.jsonl'), sample)
  writeFileSync(at('fields-anchors.json'), '{"pain": ["chest", "1"], "alcohol": ["etoh", "/opac/", "fever"]}')
  const typed = ['--category', 'id2', '--number', 'score:10', '--list', 'drugs', '--workers', '0', '--skip-bad-anchors']
  await done('count', at('fields.jsonl'), '--anchors', at('fields-anchors.json'), ...typed, '-o', at('fields.counts'))
  const tables = ['--max-order', '2', '--min-cell', '3', '--site', 'North', '--workers', '0']
  await done('count', docs, '--anchors', anchors, ...tables, '-o', at('valid.tables'))
  await done(
    'count',
    docs,
    '--anchors',
    anchors,
    '--max-order',
    '2',
    '--min-cell',
    '3',
    '--protocol',
    at('protocol.json')
  )
  await done('fit', at('valid.counts'), '-o', at('model.json'))
  await done('label', docs, '--anchors', anchors, '--documents', '10', '--sheet', at('sheet.csv'))
  // Every document is done, and the first of the three concepts present in those that were drawn at random.
  const sheet = readFileSync(at('sheet.csv'), 'utf8').replace(/,anchored,/g, ',anchored,x')
  writeFileSync(at('filled.csv'), sheet.replace(/,random,(.*),,,\r/g, ',random,x$1,x,,\r'))
  await done('label', docs, '--anchors', anchors, '--from-sheet', at('filled.csv'), '-o', at('labels.jsonl'))
  const context = {at, docs, anchors, read: (name: string) => readFileSync(at(name))}
  return [...documentTargets(context), ...settingTargets(context), ...resultTargets(context)]
}

interface Context {
  at(name: string): string
  read(name: string): Uint8Array
  readonly docs: string
  readonly anchors: string
}

/** The text in UTF-16 with its mark. */
function wide(text: Uint8Array): Uint8Array {
  return Buffer.from(`\ufeff${Buffer.from(text).toString('utf8')}`, 'utf16le')
}

function jsonArray(): Uint8Array {
  const lines = readFileSync(fixture('notes.jsonl'), 'utf8')
    .split('\n')
    .filter(line => line.trim() !== '')
  return Buffer.from(`[\n${lines.join(',\n')}\n]\n`)
}

/** The files of an archive, one of them broken. */
function brokenPart(parts: Readonly<Record<string, string>>, random: Rng, mutate: Mutate) {
  const names = Object.keys(parts)
  const name = names[randomIndex(random, names.length)]
  return {...parts, [name]: mutate(Buffer.from(parts[name]), random)}
}

/** Documents in every format and every compression. */
function documentTargets({at}: Context): FuzzTarget[] {
  // Features of the fixtures in all their formats.
  const anchors = at('fixture-anchors.json')
  writeFileSync(anchors, '{"pain": ["chest", "1", "title:app"], "alcohol": ["etoh", "3", "text:fever", "/opac/"]}')
  const out = ['--workers', '0', '--quiet', '-o', at('out')]
  const count = (path: string) => ['count', path, '--anchors', anchors, '--skip-bad-anchors', ...out]
  // Read as counts with such fields were read: on the command line, a table would have to have them.
  const fields = (path: string) => ['count', path, '--like', at('fields.counts'), ...out]
  const negated = (path: string) => [...count(path), '--negation']
  const text = mixed(mutateBytes, mutateText)
  const target = (file: string, mutate: Mutate, from = file): FuzzTarget => ({
    name: `documents, ${file.replace(/^.*?\./, '')}`,
    file,
    valid: readFileSync(fixture(from)),
    mutate,
    commands: [count, fields, negated]
  })
  const semicolons = 'sep=;\r\nID;Text;Score;Tags\r\n1;"fièvre; ""x""\r\n";12,5;pain\r\n2;chest;1.234,5;\r\n'
  const book = workbookFiles({
    Notes: [
      ['id', 'text', 'score'],
      [1, 'fever & chest', 12.5],
      ['b', 'etoh', 3]
    ]
  })
  const unspaced = '{"id":1,"text":"患者因胸痛 chest c++ 三天入院。ปวดหัว"}\n{"id":2,"text":"東京タワーで etoh"}\n'
  return [
    target('notes.jsonl', mixed(mutateBytes, mutateJsonLines, mutateJsonLines)),
    target('notes.csv', text),
    target('notes.tsv', text),
    target('notes.svm', text),
    target('notes.parquet', mutateBytes),
    target('types.parquet', mutateBytes),
    {
      ...target('old.csv', text, 'notes.csv'),
      name: 'documents, csv of Excel',
      valid: Buffer.from(semicolons, 'latin1')
    },
    {
      ...target('wide.txt', text, 'notes.tsv'),
      name: 'documents, UTF-16',
      mutate: (file, random) => wide(text(file, random))
    },
    {
      ...target('array.json', mixed(mutateBytes, mutateJson), 'notes.jsonl'),
      name: 'documents, array',
      valid: jsonArray()
    },
    {
      ...target('notes.txt', text, 'notes.csv'),
      name: 'documents, text',
      valid: Buffer.from('Fever, chest pain\netoh'),
      commands: [fields]
    },
    {
      ...target('unspaced.jsonl', mixed(mutateBytes, mutateJsonLines), 'notes.jsonl'),
      name: 'documents, unspaced',
      valid: Buffer.from(unspaced)
    },
    {...target('unknown', text, 'notes.tsv'), name: 'documents, by content'},
    {...target('book.xlsx', mutateBytes, 'notes.csv'), name: 'documents, xlsx', valid: zipped(book)},
    {
      ...target('parts.xlsx', text, 'notes.csv'),
      name: 'documents, inside xlsx',
      valid: zipped(book),
      mutate: (_, random) => zipped(brokenPart(book, random, text))
    },
    target('notes.jsonl.zst', mutateBytes),
    target('notes.jsonl.gz', mutateBytes),
    {
      ...target('inner.jsonl.gz', mutateBytes, 'notes.jsonl'),
      name: 'documents, inside gzip',
      mutate: (file, random) => gzipSync(mutateJsonLines(file, random))
    }
  ]
}

/** What a user writes: anchors, labels, sheets, edges, graphs, word lists, tables of groups. */
function settingTargets({at, read, docs, anchors}: Context): FuzzTarget[] {
  const out = ['--workers', '0', '--quiet', '-o', at('out')]
  const text = mixed(mutateBytes, mutateText)
  const json = mixed(mutateBytes, mutateJson, mutateJson)
  const rich = {
    ...JSON.parse(Buffer.from(read('anchors.json')).toString()),
    other: {any: ['word-0001', '/word-000[23]/'], not: ['word-0004'], truePositive: 0.5, falsePositive: 0.1}
  }
  const groups = 'mask,documents\n"[""anchor-01""]",30\n[],40\n'
  const words = at('words-of-groups.csv')
  writeFileSync(words, 'mask,word,documents\n"[""anchor-01""]",fever,12\n[],cough,20\n')
  const target = (
    name: string,
    file: string,
    valid: Uint8Array | string,
    mutate: Mutate,
    ...commands: FuzzTarget['commands']
  ) => ({
    name,
    file,
    valid: Buffer.from(valid),
    mutate,
    commands
  })
  const label = ['label', docs, '--anchors', anchors, '--documents', '10', '--quiet']
  return [
    target('anchors', 'anchors.json', JSON.stringify(rich), json, path => [
      'count',
      docs,
      '--anchors',
      path,
      '--skip-bad-anchors',
      ...out
    ]),
    target(
      'labels',
      'labels.jsonl',
      read('labels.jsonl'),
      mixed(mutateBytes, mutateJsonLines, mutateJsonLines),
      path => ['doctor', docs, '--anchors', anchors, '--labels', path, ...out],
      path => ['label', docs, '--anchors', anchors, '--from-sheet', at('filled.csv'), '-o', path, '--quiet']
    ),
    target('label sheet', 'sheet.csv', read('filled.csv'), text, path => [
      ...label,
      '--from-sheet',
      path,
      '-o',
      at('out')
    ]),
    target(
      'edges',
      'edges.json',
      JSON.stringify({
        require: [['concept-01', 'concept-02']],
        forbid: [['concept-02', 'concept-03']]
      }),
      json,
      path => ['fit', at('valid.counts'), '--edges', path, '--quiet', '-o', at('out')]
    ),
    target('groups', 'groups.csv', groups, text, path => [
      ...['count', path, words, '--anchors', anchors, '--skip-bad-anchors'],
      '--quiet',
      '-o',
      at('out')
    ]),
    target(
      'groups in JSON',
      'groups.jsonl',
      '{"mask": ["anchor-01"], "documents": 30}\n{"mask": [], "documents": "40"}\n',
      mutateJsonLines,
      path => ['count', path, words, '--anchors', anchors, '--skip-bad-anchors', '--quiet', '-o', at('out')]
    ),
    {
      ...target('options', 'options.txt', 'x', mutateBytes),
      commands: [
        path => ['count', docs, '--anchors', anchors, ...out, ...oddOptions(rng(Number(crc32(readFileSync(path)))))]
      ]
    }
  ]
}

const optionNames =
  `text category number list min-tags of-top format separator top-tags label-share vocabulary max-share
   max-order min-cell site seed shard anchors-from-tags`.split(/\s+/)
const optionValues = [
  '',
  '0',
  '-1',
  '1.5',
  'NaN',
  'Infinity',
  '1e308',
  '1e999',
  '2',
  '1/2',
  '0/0',
  '1/1e9',
  'a:b',
  'age:10',
  ':',
  'x'
].concat([
  'age:NaN',
  'age:3,2',
  '__proto__',
  'constructor',
  '\0',
  '\ud800',
  'laplace',
  'csv',
  '1e-300',
  '9007199254740993'
])

function oddOptions(random: Rng): string[] {
  return Array.from({length: 1 + randomIndex(random, 2)}, () => [
    `--${optionNames[randomIndex(random, optionNames.length)]}`,
    optionValues[randomIndex(random, optionValues.length)]
  ]).flat()
}

/** What adfa writes and reads again, with the check sums made right, so that the content is read. */
function resultTargets({at, read, docs}: Context): FuzzTarget[] {
  const out = ['--quiet', '-o', at('out')]
  const reading = ['--workers', '0', ...out]
  const counts: FuzzTarget['commands'] = [
    path => ['fit', path, ...out],
    path => ['merge', path, at('valid.counts'), ...out],
    path => ['doctor', path, '--quiet'],
    path => ['count', docs, '--like', path, ...reading]
  ]
  return [
    {
      name: 'counts',
      file: 'x.counts',
      valid: read('valid.counts'),
      mutate: mixed(summed(mutateBytes), countsHeader, countsNumbers),
      commands: counts
    },
    {
      name: 'counts of a shard',
      file: 'x.counts',
      valid: read('part.counts'),
      mutate: mixed(summed(mutateBytes), countsHeader, countsNumbers),
      commands: [path => ['merge', path, ...out], path => ['fit', path, ...out]]
    },
    {
      name: 'tables',
      file: 'x.tables',
      valid: read('valid.tables'),
      mutate: mixed(summedLines(mutateText), summedLines(mutateJsonLines), summedLines(mutateJsonLines), mutateBytes),
      commands: [
        path => ['fit', path, ...out],
        path => ['merge', path, ...out],
        path => ['doctor', path, '--quiet'],
        path => ['count', docs, '--like', path, '--max-order', '2', ...out]
      ]
    },
    {
      name: 'protocol',
      file: 'protocol.json',
      valid: Buffer.from(
        Buffer.from(read('protocol.json'))
          .toString()
          .replace(/\n *"fingerprint.*\n/, '\n')
      ),
      mutate: mixed(mutateBytes, mutateJson, mutateJson, mutateJson),
      commands: [path => ['count', docs, '--protocol', path, '--site', 'North', ...reading]]
    },
    {
      name: 'model',
      file: 'model.json',
      valid: Buffer.from(
        Buffer.from(read('model.json'))
          .toString()
          .replace(/\n *"checksum.*\n/, '\n')
      ),
      mutate: mixed(mutateBytes, mutateJson, mutateJson, mutateJson),
      commands: [
        path => ['predict', path, docs, ...out],
        path => ['report', path, ...out],
        path => ['export', path, '--to', 'csv', ...out],
        path => ['explain', path, docs, '--id', 'random-000003', '--quiet'],
        path => ['evaluate', path, docs, '--quiet'],
        path => ['count', docs, '--like', path, ...reading],
        path => ['fit', docs, '--like', path, ...reading]
      ]
    }
  ]
}

/** The mutation, with the check sum of a counts file made right again. */
function summed(mutate: Mutate): Mutate {
  return (file, random) => withSum(Buffer.from(mutate(file.subarray(0, -4), random)))
}

function withSum(body: Uint8Array): Uint8Array {
  const sum = Buffer.alloc(4)
  sum.writeUInt32LE(crc32(body))
  return Buffer.concat([body, sum])
}

/** Where the header of a counts file begins and ends. */
function headerOf(file: Uint8Array): [number, number] {
  let [at, length] = [9, 0]
  for (let scale = 1; ; scale *= 128) {
    length += (file[at] & 127) * scale
    if (file[at++] < 128) return [at, at + length]
  }
}

const countsHeader: Mutate = (file, random) => {
  const [from, to] = headerOf(file)
  const header = mutateJson(file.subarray(from, to), random)
  const size: number[] = []
  for (let left = header.length; size.push(left >= 128 ? (left % 128) + 128 : left) && left >= 128; )
    left = Math.floor(left / 128)
  return withSum(Buffer.concat([file.subarray(0, 9), Uint8Array.from(size), header, file.subarray(to, -4)]))
}

/** Bytes behind the header, where every byte below 128 is a number. */
const countsNumbers: Mutate = (file, random) => {
  const body = Buffer.from(file.subarray(0, -4))
  const [, from] = headerOf(file)
  for (let left = 1 + randomIndex(random, 3); left > 0; left--)
    body[from + randomIndex(random, body.length - from)] = randomIndex(random, 256)
  return withSum(body)
}

/** The mutation of all lines but the last, with the count of lines and check sum in the last made right again. */
function summedLines(mutate: Mutate): Mutate {
  return (file, random) => {
    const body = file.subarray(0, file.lastIndexOf(10, file.length - 2) + 1)
    const mutated = Buffer.from(mutate(body, random))
    const whole = mutated.at(-1) === 10 ? mutated : Buffer.concat([mutated, Buffer.from('\n')])
    const lines = whole.reduce((count, byte) => count + (byte === 10 ? 1 : 0), 0)
    return Buffer.concat([whole, Buffer.from(`${JSON.stringify({lines, crc32: crc32(whole)})}\n`)])
  }
}

/** Runs case number `at` of a target in `folder`, and says how it ended; equal numbers give equal cases. */
export async function runFuzzCase(
  target: FuzzTarget,
  at: number,
  folder: string,
  seed: number
): Promise<[FuzzOutcome, string]> {
  const random = rng(seed).stream(`${target.name} ${at}`)
  const path = join(folder, 'case', target.file)
  mkdirSync(dirname(path), {recursive: true})
  rmSync(join(folder, 'out'), {force: true})
  writeFileSync(path, target.mutate(target.valid, random))
  const args = target.commands[randomIndex(random, target.commands.length)](path)
  try {
    const {code, errors} = await quietRun(args)
    return [outcomeOf(code, errors), `adfa ${args.join(' ')}\n${errors.slice(0, 1500)}`]
  } catch (error) {
    return ['threw', `adfa ${args.join(' ')}\n${error instanceof Error ? error.stack : String(error)}`]
  }
}

function outcomeOf(code: number, errors: string): FuzzOutcome {
  if (Object.keys(Object.prototype).length > 0 || 'polluted' in {}) return 'polluted'
  if (errors.includes('internal error')) return 'internal error'
  if (code === 0) return 'done'
  return /^(adfa|error): \S/m.test(errors) && (code === 1 || code === 2) ? 'refused' : 'silent failure'
}
