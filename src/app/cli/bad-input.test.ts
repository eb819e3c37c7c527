import {chmodSync, existsSync, mkdirSync, readFileSync, rmSync} from 'node:fs'
import {gzipSync} from 'node:zlib'
import {beforeAll, beforeEach, describe, expect, test} from 'vitest'
import {randomIndex, rng} from '../../base/numeric/index.ts'
import {adfa, adfaDone, documentFixture, generateSmall, testFolder} from './test-run.ts'

const folder = testFolder()
const out = folder.at('out')
let small: Awaited<ReturnType<typeof generateSmall>>

beforeAll(async () => {
  small = await generateSmall(folder, 300)
  await adfaDone('count', small.docs, '--anchors', small.anchors, '-o', folder.at('good.counts'))
  await adfaDone('fit', folder.at('good.counts'), '-o', folder.at('good.json'))
  folder.write('few.jsonl', [{features: ['word-0001']}, {features: ['anchor-01']}])
  mkdirSync(folder.at('folder.jsonl'))
})

beforeEach(() => rmSync(out, {force: true}))

/**
 * Run a command that must fail with this code and message, and leave nothing: no output, no temporary file, and an
 * output of before as it was.
 */
async function expectFailure(args: readonly string[], code: 1 | 2, ...messages: readonly RegExp[]): Promise<void> {
  const before = folder.names()
  const first = await adfa(...args, '-o', out)
  expect(first).toEqual({code, stdout: '', stderr: expect.stringMatching(/^(adfa|error): \S/m)})
  for (const message of messages) expect(first.stderr).toMatch(message)
  expect(first.stderr).not.toMatch(/internal error|undefined|\[object|NaN/)
  expect(folder.names()).toEqual(before)
  folder.write('out', 'what was there before')
  await adfa(...args, '-o', out, '--quiet')
  expect(folder.text('out')).toBe('what was there before')
  rmSync(out)
  expect(folder.names()).toEqual(before)
}

describe('bad documents', () => {
  const good = '{"text": "fever"}\n'
  const cases: readonly [string, string, string | Uint8Array, readonly RegExp[]][] = [
    [
      'malformed JSON on line 3',
      'x.jsonl',
      `${good}${good}{"text": "fev\n${good}`,
      [/x\.jsonl:3: not valid JSON/, /one whole JSON object/, /fix or remove the line/]
    ],
    [
      'a row without usable fields',
      'x.jsonl',
      `${good}{"id": 7, "body": "fever"}\n`,
      [
        /x\.jsonl:2: the row has no usable field/,
        /needs "features" or one of the fields title, text/,
        /it has id, body/,
        /--text/
      ]
    ],
    [
      'a row that is a list',
      'x.jsonl',
      '["fever"]\n',
      [/x\.jsonl:1: '\["fever"\]' stands where '\[\]' is expected/, /a file that begins with \[ is one array/]
    ],
    ['a row that is a number', 'x.jsonl', `${good}17\n`, [/x\.jsonl:2: .*got 17/]],
    [
      'a text that is a number',
      'x.jsonl',
      `${good}{"text": 5}\n`,
      [/x\.jsonl:2: field "text" is not a string; expected a string; got 5/]
    ],
    [
      'features that are no list',
      'x.jsonl',
      '{"features": "fever"}\n',
      [/x\.jsonl:1: .*field "features" is not a list; expected an array of strings; got "fever"/]
    ],
    [
      'a feature that is a number',
      'x.jsonl',
      '{"features": ["fever", 3]}\n',
      [/x\.jsonl:1: .*field "features" has an entry that is not a string; expected strings; got 3/]
    ],
    [
      'tags that are no list',
      'x.jsonl',
      '{"text": "", "tags": "fever"}\n',
      [/x\.jsonl:1: .*field "tags" is not a list/]
    ],
    [
      'a label that is a number',
      'x.jsonl',
      '{"text": "", "labels": {"fever": 1}}\n',
      [/x\.jsonl:1: .*the label of "fever" is neither true nor false; .*got 1/]
    ],
    [
      'labels that are a list',
      'x.jsonl',
      '{"text": "", "labels": ["fever"]}\n',
      [/x\.jsonl:1: .*"labels" is not an object/]
    ],
    [
      'an id that is an object',
      'x.jsonl',
      '{"text": "", "id": {}}\n',
      [/x\.jsonl:1: .*"id" is neither text nor a number/]
    ],
    [
      'gzip cut short',
      'x.jsonl.gz',
      gzipSync(good.repeat(500)).subarray(0, 40),
      [/x\.jsonl\.gz: the gzip data is damaged or cut short .*; copy or download it again/]
    ],
    [
      'an empty file',
      'x.jsonl',
      '',
      [/x\.jsonl: the file holds no documents; at least one is needed; check that it is the right file/]
    ],
    ['blank lines alone', 'x.jsonl', '\n\n  \n', [/x\.jsonl: the file holds no documents/]],
    ['an empty table', 'x.csv', 'id,text\n', [/x\.csv: the file holds no documents/]],
    ['nothing but gzip', 'x.jsonl.gz', gzipSync(''), [/x\.jsonl\.gz: the file holds no documents/]],
    [
      'binary garbage',
      'x.jsonl',
      Buffer.from(Array.from({length: 400}, (_, at) => (at * 7919 + 128) % 256)),
      [/x\.jsonl:1: /, /UTF-8|not valid JSON/]
    ],
    [
      'text that is not UTF-8',
      'x.jsonl',
      Buffer.concat([Buffer.from('{"text": "é à"}\n'), Buffer.from('{"text": "caf\xe9"}\n', 'latin1')]),
      [/x\.jsonl:2: .*UTF-8/]
    ],
    [
      'a svmlight value of 2',
      'x.svm',
      '1 1:1 2:1\n1 3:2\n',
      [
        /x\.svm:2: "3:2" is not a feature .*; features are written index:1, .* 0 \(absent\) or 1 \(present\) as value; binarise the data first/
      ]
    ],
    ['a svmlight value of 0.5', 'x.svm', '1 1:0.5\n', [/x\.svm:1: .*0\.5/]],
    ['a record with a cell too few', 'x.csv', 'id,text\n1,fever\n2\n', [/x\.csv:3: .*1 cell.*2 columns \(id, text\)/]],
    ['a quote that never ends', 'x.csv', 'id,text\n1,"fever\n', [/x\.csv:2: /]],
    [
      'a name that tells no format',
      'x.notes',
      'Fever and chest pain\n',
      [/x\.notes: neither the name nor the content shows the format.*rename the file or give (--format|`format`)/]
    ]
  ]

  test.each(cases)(
    '%s is refused by count, predict and evaluate, with file and line',
    async (_, name, content, messages) => {
      const docs = folder.write(name, content)
      await expectFailure(['count', docs, '--anchors', small.anchors], 1, ...messages)
      await expectFailure(['fit', folder.at('few.jsonl'), docs, '--anchors', small.anchors], 1, ...messages)
      await expectFailure(['predict', folder.at('good.json'), docs], 1, ...messages)
      const {code, stdout, stderr} = await adfa('evaluate', folder.at('good.json'), docs)
      expect([code, stdout]).toEqual([1, ''])
      for (const message of messages) expect(stderr).toMatch(message)
    }
  )

  test('a file that is missing, a folder, and no file at all are refused', async () => {
    const missing = /nowhere\.jsonl: no such file; check the path/
    const isFolder = /folder\.jsonl: the folder has no text files \(\.txt\); name the files to read/
    for (const [name, message] of [
      ['nowhere.jsonl', missing],
      ['folder.jsonl', isFolder]
    ] as const) {
      await expectFailure(['count', folder.at(name), '--anchors', small.anchors], 1, message)
      await expectFailure(['fit', folder.at(name), '--anchors', small.anchors], 1, message)
      await expectFailure(['predict', folder.at('good.json'), folder.at(name)], 1, message)
    }
    await expectFailure(['count', '--anchors', small.anchors], 2, /adfa count needs documents/)
    await expectFailure(['predict', folder.at('good.json')], 2, /missing required argument 'docs'/)
    await expectFailure(['count', '-', '-', '--anchors', small.anchors], 2, /standard input \(-\) is given twice/)
  })

  test('Zstandard cut short or with a window too long is refused', async () => {
    const whole = readFileSync(documentFixture('notes.jsonl.zst'))
    const cut = folder.write('cut.jsonl.zst', whole.subarray(0, whole.length - 9))
    await expectFailure(['count', cut, '--anchors', small.anchors], 1, /cut\.jsonl\.zst: /)
    const long = documentFixture('long-window.jsonl.zst')
    await expectFailure(['count', long, '--anchors', small.anchors], 1, /long-window\.jsonl\.zst: .*window/)
  })
})

describe('bad anchors', () => {
  const cases: readonly [string, string, readonly RegExp[]][] = [
    ['text that is not JSON', '{"fever": ', [/x\.json: not valid JSON/]],
    ['a list', '["fever"]', [/x\.json: anchors are one object, \{"concept": "anchor", \.\.\.\}/]],
    ['no concepts defined', '{}', [/x\.json: no concepts defined; define at least one/]],
    [
      'a concept named twice',
      '{"a": "anchor-01", "b": "anchor-02", "a": "anchor-03"}',
      [/x\.json: concept "a" is named twice; merge its anchors into one list/]
    ],
    [
      'a rate of 1',
      rates('"truePositive": 1, "falsePositive": 0.1'),
      [/concept "a": truePositive must lie strictly between 0 and 1; got 1/]
    ],
    [
      'a rate of 0',
      rates('"truePositive": 0.5, "falsePositive": 0'),
      [/concept "a": falsePositive must lie strictly between 0 and 1; got 0/]
    ],
    [
      'a rate above 1',
      rates('"truePositive": 80, "falsePositive": 0.1'),
      [/must lie strictly between 0 and 1; got 80/]
    ],
    [
      'a rate that is text',
      rates('"truePositive": "0.5", "falsePositive": 0.1'),
      [/must lie strictly between 0 and 1; got "0\.5"/]
    ],
    [
      'equal rates',
      rates('"truePositive": 0.2, "falsePositive": 0.2'),
      [/truePositive must differ from falsePositive/]
    ],
    [
      'a precision equal to the prevalence',
      rates('"prevalence": 0.5, "precision": 0.5'),
      [/prevalence must differ from precision/]
    ],
    [
      'one rate without the other',
      rates('"truePositive": 0.5'),
      [/give truePositive with falsePositive, or prevalence with precision; got truePositive/]
    ],
    [
      'an unknown key',
      '{"a": {"any": ["anchor-01"], "rate": 0.5}}',
      [/concept "a": unknown key "rate"; an anchor has any, votes, not, truePositive/]
    ],
    ['a concept without a name', '{"": "anchor-01"}', [/a concept needs a name/]],
    [
      'an anchor that is a number',
      '{"a": 3}',
      [/concept "a": an anchor is a feature name, a list of them or \{"any": \[\.\.\.\]\}; got 3/]
    ],
    ['a broken regular expression', '{"a": "/(/"}', [/concept "a": \/\(\/ is not a valid regular expression/]],
    [
      'an anchor of two concepts',
      '{"a": "anchor-01", "b": ["anchor-02", "anchor-01"]}',
      [
        /2 concepts have an anchor that cannot work/,
        /concept "a": member 'anchor-01' is shared with "b"/,
        /concept "b": member 'anchor-01' is shared with "a"/,
        /--skip-bad-anchors/
      ]
    ],
    [
      'an anchor that never fires',
      '{"a": "anchor-01", "b": "nowhere"}',
      [
        /concept "b": anchor 'nowhere' does not occur in any of the 300 documents; check its spelling/,
        /--skip-bad-anchors/
      ]
    ]
  ]

  function rates(text: string): string {
    return `{"a": {"any": ["anchor-01"], ${text}}}`
  }

  test.each(cases)('%s is refused by count and fit', async (_, content, messages) => {
    const anchors = folder.write('x.json', content)
    await expectFailure(['count', small.docs, '--anchors', anchors], 1, ...messages)
    await expectFailure(['fit', small.docs, '--anchors', anchors], 1, ...messages)
  })

  test('all faults of an anchors file are named in one message', async () => {
    const content =
      '{"a": 3, "b": {"any": ["x"], "rate": 1}, "c": {"any": ["x"], "truePositive": 2, "falsePositive": 0.1}, "a": 4}'
    const faults = [
      /concept "a" is named twice/,
      /concept "a": an anchor is/,
      /concept "b": /,
      /concept "c": truePositive/
    ]
    await expectFailure(['count', small.docs, '--anchors', folder.write('x.json', content)], 1, ...faults)
  })

  test('an anchors file that is missing, a folder, or not text is refused', async () => {
    await expectFailure(['count', small.docs, '--anchors', folder.at('nowhere.json')], 1, /nowhere\.json: no such file/)
    await expectFailure(
      ['count', small.docs, '--anchors', folder.at('folder.jsonl')],
      1,
      /this is a folder, not a file/
    )
    const latin = folder.write('x.json', Buffer.from('{"caf\xe9": "anchor-01"}', 'latin1'))
    await expectFailure(['count', small.docs, '--anchors', latin], 1, /x\.json: .*UTF-8/)
  })

  test('anchors given in no way, or in two, are bad usage', async () => {
    await expectFailure(
      ['count', small.docs],
      2,
      /no anchors given, and no document has votes; give --anchors, --anchors-from-tags or --like, or documents with votes/
    )
    const both = ['--anchors', small.anchors, '--like', folder.at('good.counts')]
    await expectFailure(['fit', small.docs, ...both], 2, /anchors given in several ways; use exactly one of /)
  })
})

describe('bad counts', () => {
  test('counts cut short anywhere are refused by fit, merge and count --like', async () => {
    const whole = folder.bytes('good.counts')
    for (const share of [0, 0.001, 0.01, 0.1, 0.5, 0.9, 1 - 1 / whole.length]) {
      const cut = folder.write('x.counts', whole.subarray(0, Math.floor(share * whole.length)))
      const message = /x\.counts: (not a counts file; give a file written by adfa count|.*cut short.*make it again)/
      await expectFailure(['fit', cut], 1, message)
      await expectFailure(['merge', folder.at('good.counts'), cut], 1, message)
    }
    folder.write('x.counts', whole.subarray(0, whole.length / 2))
    await expectFailure(['count', small.docs, '--like', folder.at('x.counts')], 1, /cut short/)
  })

  test('counts with any bit turned over are refused', async () => {
    const random = rng(1)
    for (let round = 0; round < 60; round++) {
      const bytes = Uint8Array.from(folder.bytes('good.counts'))
      bytes[round < 20 ? round : randomIndex(random, bytes.length)] ^= 1 << randomIndex(random, 8)
      const {code, stderr} = await adfa('fit', folder.write('x.counts', bytes), '-o', out)
      expect([round, code]).toEqual([round, 1])
      expect(stderr).toMatch(/^adfa: .*x\.counts: /)
      expect(stderr).not.toMatch(/internal error/)
    }
    expect(folder.names().filter(name => /^out|tmp$/.test(name))).toEqual([])
  })

  test('counts of a newer version and files that are no counts are refused', async () => {
    const bytes = Uint8Array.from(folder.bytes('good.counts'))
    bytes[8] = 4
    const newer = folder.write('x.counts', bytes)
    const message = /x\.counts: version 4 of the format, and this adfa reads version 3; update adfa/
    await expectFailure(['fit', newer], 1, message)
    await expectFailure(['merge', newer], 1, message)
    const other = folder.write('y.counts', 'title,text\n')
    await expectFailure(['fit', other], 1, /y\.counts: not a counts file; give a file written by adfa count/)
    await expectFailure(['merge', folder.at('good.json')], 1, /good\.json: not a counts file; it holds a model; give/)
    await expectFailure(['merge', small.docs], 1, /docs\.jsonl: not a counts file; it holds documents; give/)
    await expectFailure(['merge', folder.at('nowhere.counts')], 1, /nowhere\.counts: no such file/)
    await expectFailure(
      ['fit', folder.at('good.counts'), newer],
      2,
      /one counts file; add up several with adfa merge first/
    )
  })

  test('counts of different anchors or documents do not merge', async () => {
    const anchors = folder.write('x.json', '{"a": "anchor-01"}')
    await adfaDone('count', small.docs, '--anchors', anchors, '-o', folder.at('other.counts'))
    const files = [folder.at('good.counts'), folder.at('other.counts')]
    await expectFailure(['merge', ...files], 1, /good\.counts and .*other\.counts differ in their anchors/, /--like/)
  })
})

describe('bad models', () => {
  function withoutChecksum(text: string): string {
    return text.replace(/^"checksum": .*\n/m, '')
  }

  test('a model cut short anywhere is refused', async () => {
    const whole = folder.text('good.json')
    for (const share of [0, 0.001, 0.1, 0.5, 0.9, 1 - 3 / whole.length]) {
      const cut = folder.write('x.json', whole.slice(0, Math.floor(share * whole.length)))
      const message = /x\.json: not a model file \(not valid JSON\).*; fit the model again/
      await expectFailure(['predict', cut, folder.at('few.jsonl')], 1, message)
    }
  })

  test('a model with any bit turned over is refused, or predicts what it did before', async () => {
    const whole = await adfaDone('predict', folder.at('good.json'), folder.at('few.jsonl'))
    const random = rng(2)
    let refused = 0
    for (let round = 0; round < 80; round++) {
      const bytes = Uint8Array.from(folder.bytes('good.json'))
      bytes[randomIndex(random, bytes.length)] ^= 1 << randomIndex(random, 8)
      const {code, stdout, stderr} = await adfa('predict', folder.write('x.json', bytes), folder.at('few.jsonl'))
      // The last digit of a number may be one of several that stand for the same number.
      if (code === 0) expect(stdout).toBe(whole)
      else {
        refused++
        expect([code, stdout]).toEqual([1, ''])
        expect(stderr).toMatch(/^adfa: .*x\.json: /)
        expect(stderr).not.toMatch(/internal error/)
      }
    }
    expect(refused).toBeGreaterThan(60)
  })

  test('a model that was changed by hand is refused until its check sum is taken out', async () => {
    const edited = folder.text('good.json').replace('concept-01', 'concept-1A')
    const message = /x\.json: the file is damaged \(its check sum is wrong\).*delete its "checksum" line/
    await expectFailure(['predict', folder.write('x.json', edited), folder.at('few.jsonl')], 1, message)
    const renamed = withoutChecksum(folder.text('good.json').replaceAll('concept-01', 'concept-1A'))
    await adfaDone('predict', folder.write('x.json', renamed), folder.at('few.jsonl'))
  })

  const parts: readonly [string, string | RegExp, string, RegExp][] = [
    [
      'of another version',
      '"version": 5',
      '"version": 6',
      /version 6 of the format, and this adfa reads version 5; update adfa/
    ],
    ['without its words', /"words": \[.*\n/, '', /missing or malformed/],
    ['without its leaks', /"leak": .*\n/, '', /missing or malformed/],
    ['with a leak too few', /"leak": \[[^,]*,/, '"leak": [', /leak.*39/],
    ['with a leak above 1', /"leak": \[[^,]*,/, '"leak": [1.5,', /the leak of word 0 must lie in \[0, 1\); got 1.5/],
    [
      'whose network has another kind',
      '"kind": "pairs"',
      '"kind": "triples"',
      /network\.kind must be "pairs", not "triples"/
    ],
    [
      'that is another file',
      '"adfa-model"',
      '"other"',
      /not a model file; expected "format": "adfa-model"; give a file written by adfa fit/
    ]
  ]

  test.each(parts)('a model %s is refused', async (_, from, to, message) => {
    const text = withoutChecksum(folder.text('good.json'))
    const changed = text.replace(from, to)
    expect(changed).not.toBe(text)
    await expectFailure(['predict', folder.write('x.json', changed), folder.at('few.jsonl')], 1, /x\.json: /, message)
    const {code, stderr} = await adfa('evaluate', folder.at('x.json'), small.docs)
    expect([code, stderr]).toEqual([1, expect.stringMatching(message)])
  })

  test('a model that is missing, a folder, binary or a list is refused', async () => {
    const predict = (path: string) => ['predict', path, folder.at('few.jsonl')]
    await expectFailure(predict(folder.at('nowhere.json')), 1, /nowhere\.json: no such file/)
    await expectFailure(predict(folder.at('folder.jsonl')), 1, /this is a folder, not a file/)
    await expectFailure(predict(folder.at('good.counts')), 1, /good\.counts: the file holds counts, not text/)
    await expectFailure(predict(small.docs), 1, /docs\.jsonl: not a model file: it holds documents; give/)
    const fit = ['fit', folder.at('good.json'), '--anchors', folder.at('anchors.json')]
    await expectFailure(fit, 1, /good\.json: the file holds a model, not documents; give files of documents here/)
    await expectFailure(
      ['predict', folder.at('good.json'), folder.at('good.counts')],
      1,
      /good\.counts: a counts file, by its name; documents are needed here/
    )
    await expectFailure(predict(folder.write('x.json', '[1, 2]')), 1, /x\.json: not a model file/)
    await expectFailure(predict(folder.write('x.json', 'null')), 1, /x\.json: not a model file/)
    await expectFailure(['count', small.docs, '--like', folder.write('x.json', '{}')], 1, /x\.json: not a model file/)
  })
})

describe('outputs that cannot be written', () => {
  const commands: readonly (readonly string[])[] = [
    ['count', folder.at('docs.jsonl'), '--anchors', folder.at('anchors.json')],
    ['merge', folder.at('good.counts')],
    ['fit', folder.at('good.counts')],
    ['predict', folder.at('good.json'), folder.at('few.jsonl')],
    ['generate', 'random', '--documents', '5']
  ]
  const isRoot = process.getuid?.() === 0

  async function expectUnwritable(args: readonly string[], path: string, message: RegExp): Promise<void> {
    const before = folder.names()
    const {code, stdout, stderr} = await adfa(...args, '-o', path)
    expect([code, stdout]).toEqual([1, ''])
    expect(stderr).toMatch(/: cannot be written: /)
    expect(stderr).toMatch(message)
    expect(stderr).toContain(path)
    expect(folder.names()).toEqual(before)
  }

  test.each(commands)('adfa %s ... says why it cannot write, and leaves nothing', async (...args) => {
    await expectUnwritable(args, folder.at('missing/out'), /its folder does not exist; create the folder first/)
    await expectUnwritable(args, folder.at('folder.jsonl'), /it is a folder; give the name of a file/)
    await expectUnwritable(args, folder.at('few.jsonl/out'), /a part of the path is a file where a folder should be/)
    await expectUnwritable(args, folder.at('out.zst'), /zstd is only read; give a name that ends in \.gz/)
  })

  test.runIf(existsSync('/dev/full')).each(commands)('adfa %s ... says that the disk is full', async (...args) => {
    await expectUnwritable(args, '/dev/full', /the disk is full; free some space or write elsewhere/)
  })

  test.skipIf(isRoot).each(commands)(
    'adfa %s ... respects folders and files that are write-protected',
    async (...args) => {
      const sealed = folder.at('sealed')
      mkdirSync(sealed, {recursive: true})
      chmodSync(sealed, 0o555)
      await expectUnwritable(args, `${sealed}/out`, /no permission; change the permissions or write elsewhere/)
      rmSync(folder.at('protected'), {force: true})
      chmodSync(folder.write('protected', 'old'), 0o444)
      await expectUnwritable(args, folder.at('protected'), /no permission/)
      expect(folder.text('protected')).toBe('old')
    }
  )

  test('adfa demo says why it cannot write its folder', async () => {
    for (const path of [folder.at('few.jsonl'), folder.at('few.jsonl/demo')]) {
      const {code, stdout, stderr} = await adfa('demo', 'emergency', '-o', path, '--quiet')
      expect([code, stdout]).toEqual([1, ''])
      expect(stderr).toContain(path)
      expect(stderr).not.toMatch(/internal error/)
    }
  })
})
