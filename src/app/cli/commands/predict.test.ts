import {gunzipSync} from 'node:zlib'
import {describe, expect, test} from 'vitest'
import {type ConceptLabels, createInference, type InferenceOptions} from '../../../learn/inference/index.ts'
import {Encoder, parseRow} from '../../../read/data/index.ts'
import {adfa, adfaDone, adfaJson, generateSmall, parseLines, refused, testFolder} from '../test-run.ts'

const folder = testFolder()
const model = folder.at('model.json')
const LINKS = ['--words', 'noisy-or']
const small = await generateSmall(folder, 800)
await adfaDone`fit ${small.docs} --anchors ${small.anchors} -o ${model}`
const loaded = folder.model('model.json')
const names = loaded.concepts.map(({name}) => name)
const all: {id: string; features: string[]; tags: string[]}[] = folder.rows('docs.jsonl')
const rows = all.slice(0, 60)
const docs = folder.write('rows.jsonl', rows)

/** What the library says of the rows. */
function expected(
  options: Partial<InferenceOptions> = {},
  known: (tags: readonly string[]) => ConceptLabels | undefined = () => undefined
) {
  const encoder = new Encoder(loaded.lexicon)
  const inference = createInference(loaded, options)
  return rows.map(row => {
    const {probabilities} = inference.posterior(encoder.encode(parseRow(row, {text: []}, 'row')), known(row.tags))
    return {id: row.id, posterior: Object.fromEntries(names.map((name, i) => [name, probabilities[i]]))}
  })
}

const predicted = async (...args: readonly string[]) => parseLines(await adfaDone`predict ${model} ${docs} ${args}`)

describe('adfa predict', () => {
  test('prints one line per document, in the order of the input, with the posterior of every concept', async () => {
    expect(await predicted()).toEqual(expected())
  })

  test('-o writes the same lines to a file and says so, as text or as JSON, which needs one', async () => {
    const printed = await adfaDone`predict ${model} ${docs}`
    const file = folder.at('p.jsonl')
    const {stdout, stderr} = await adfa`predict ${model} ${docs} -o ${file} --quiet`
    expect([stdout, stderr]).toEqual([expect.stringMatching(/^60 documents in [\d.]+ s\nwrote .*p\.jsonl\n$/), ''])
    expect(folder.text('p.jsonl')).toBe(printed)
    await adfaDone`predict ${model} ${docs} -o ${file}.gz`
    expect(gunzipSync(folder.bytes('p.jsonl.gz')).toString()).toBe(printed)
    const told = {file, documents: 60, concepts: 5, scores: [], unconverged: 0, seconds: expect.any(Number)}
    expect(await adfaJson`predict ${model} ${docs} -o ${file}`).toEqual({...told, wordModel: 'weights'})
    const links = {...told, wordModel: 'noisy-or', threshold: 0.25}
    expect(await adfaJson`predict ${model} ${docs} -o ${file} ${LINKS} --threshold 0.25`).toEqual(links)
    expect(await adfa`predict ${model} ${docs} --json`).toEqual(
      refused(2, /--json needs standard output for the result; name a file with -o/)
    )
  })

  test.each([
    ['--hide-anchors', {anchors: 'hidden'}, false],
    ['--known concept-02,concept-04', {}, true],
    ['--words noisy-or', {wordModel: 'noisy-or'}, false],
    ['--words noisy-or --method message-passing', {wordModel: 'noisy-or', method: 'message-passing'}, false],
    ['--words noisy-or --hide-anchors --known concept-02,concept-04', {wordModel: 'noisy-or', anchors: 'hidden'}, true]
  ] as const)('%s asks the library for that', async (args, options, isKnown) => {
    const given = isKnown ? () => [-1, 1, -1, 1, -1] : undefined
    expect(await predicted(...args.split(' '))).toEqual(expected(options, given))
  })

  test("--known tags takes each row's own tags as present, and other concepts as open", async () => {
    const own = (tags: readonly string[]) => names.map(name => (tags.includes(name) ? 1 : -1))
    expect(await predicted('--known', 'tags')).toEqual(expected({}, own))
  })

  test('--top prints the most probable concepts alone, highest first', async () => {
    const top = await adfaDone`predict ${model} ${docs} --top 2`
    const best = expected().map(({id, posterior}) => {
      const two = Object.entries(posterior).toSorted(([, p], [, q]) => q - p)
      return JSON.stringify({id, posterior: Object.fromEntries(two.slice(0, 2))})
    })
    expect(top.trimEnd().split('\n')).toEqual(best)
  })

  test.each([
    ['--known concept-01,fever', /--known: the model has no concept "fever"; it has concept-01, concept-02/],
    ['--method exact', /--method exact is for noisy-or words, .*leave it out, or set --words to 'noisy-or'/],
    ['--words noisy-or --threshold best', /not for its noisy-or links; leave --words out, or give a probability/],
    ['--threshold 5', /It must be "best" or a probability from 0 to 1/]
  ])('%s is refused', async (args, message) => {
    expect(await adfa`predict ${model} ${docs} ${args.split(' ')}`).toEqual(refused(2, message))
  })
})

test('adfa predict says that its first argument is a model, whatever file is given instead', async () => {
  const table = folder.write('t.csv', 'id,features\n1,a\n')
  const book = folder.write('t.xlsx', 'PK\x03\x04')
  for (const file of [docs, table, book])
    expect(await adfa`predict ${file} ${docs}`).toEqual(refused(1, /not a model file.*give a file written by adfa fit/))
})

describe('adfa predict --threshold', () => {
  /** The concepts with at least this probability, most probable first. */
  const tagged = (lines: ReturnType<typeof expected>, threshold: number) =>
    lines.map(({id, posterior}) => {
      const chosen = Object.entries(posterior).filter(([, p]) => p >= threshold)
      return {id, tags: chosen.toSorted(([, p], [, q]) => q - p).map(([name]) => name), posterior}
    })

  test('adds the concepts from a probability on, whatever --top leaves of the others, known ones as they are', async () => {
    const tags = tagged(expected(), 0.2)
    expect(tags.some(line => line.tags.length > 1)).toBe(true)
    expect(await predicted('--threshold', '0.2')).toEqual(tags)
    const top = await predicted('--threshold', '0.2', '--top', '1')
    expect(top.map(line => line.tags)).toEqual(tags.map(line => line.tags))
    const known = expected({wordModel: 'noisy-or'}, () => [-1, 1, -1, 1, -1])
    const args = [...LINKS, '--known', 'concept-04,concept-02', '--threshold', '0.9999999']
    expect(await predicted(...args)).toEqual(tagged(known, 0.9999999))
  })

  test("best takes the model's own threshold, and says which; a model without one is refused", async () => {
    const threshold = loaded.wordModel.kind === 'weights' ? loaded.wordModel.threshold : Number.NaN
    expect(await predicted('--threshold', 'best')).toEqual(tagged(expected(), threshold))
    const args = ['predict', model, docs, '--threshold', 'best', '-o', folder.at('p.jsonl')]
    expect(await adfaJson(...args)).toMatchObject({wordModel: 'weights', threshold})
    expect(await adfaDone(...args)).toMatch(/^60 documents in [\d.]+ s; tags at a probability of \d+% or more\nwrote /)
    expect((await adfa(...args, '--hide-anchors')).stderr).toMatch(/was chosen for predictions that use anchors/)
    const links = folder.at('links.json')
    await adfaDone`fit ${small.docs} --anchors ${small.anchors} ${LINKS} -o ${links}`
    expect(await adfa`predict ${links} ${docs} --threshold best`).toEqual(
      refused(2, /has no threshold; .* give a probability, such as --threshold 0\.5/)
    )
  })
})

describe('adfa predict --workers', async () => {
  // Several files, since each gives blocks of its own: in one, some rows have no id.
  const learned = all.slice(0, 400).map((row, at) => ({...row, title: at % 3 === 0 ? 'large' : 'small'}))
  const titled = folder.at('titled.json')
  await adfaDone`fit ${folder.write('learned.jsonl', learned)} --anchors ${small.anchors} --text title -o ${titled}`
  const anonymous = all
    .slice(40, 90)
    .map(({id, ...row}, at) => (at % 3 === 0 ? {...row, note: 'é\u2028"'} : {id, ...row}))
  const table = all.slice(90, 130).map(({features}) => `${features.join('|')},x\n`)
  const files = [
    folder.write('a.jsonl', all.slice(0, 40)),
    folder.write('b.jsonl', anonymous),
    folder.write('c.csv', `features,other\n${table.join('')}`),
    folder.write('d.jsonl', [{features: []}]),
    folder.write('e.svm', '1:1 2:1\n0 7:1\n')
  ]
  /** Without progress, which depends on the clock. */
  const notes = (stderr: string) => stderr.replaceAll(/^predicting: .*\n/gm, '')

  test.each(['p.jsonl.gz --threshold 0.2 --top 2 --known tags --words noisy-or', 't.csv', 't.xlsx --only-tags'])(
    '-o %s: the same bytes, notes and JSON on threads, and every time',
    async command => {
      const [name, ...args] = command.split(' ')
      const written = async (workers: string) => {
        const line = ['predict', titled, ...files, ...args, '--allow-missing', '--workers', workers, '--json']
        const {stdout, stderr} = await adfa`${line} -o ${folder.at(name)}`
        return {told: {...JSON.parse(stdout), seconds: 0}, notes: notes(stderr), bytes: folder.text(name)}
      }
      const alone = await written('0')
      expect(alone.notes).toMatch(/title/)
      expect(await written('2')).toEqual(alone)
    }
  )

  test('numbers documents without an id through all files, and keeps the ids of the others', async () => {
    const found = parseLines(await adfaDone`predict ${titled} ${files} --allow-missing`).map(({id}) => id)
    expect(found.slice(40, 44)).toEqual([41, expect.any(String), expect.any(String), 44])
    expect(found.slice(90)).toEqual(Array.from({length: 43}, (_, at) => 91 + at))
  })
})
