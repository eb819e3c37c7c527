import {describe, expect, test} from 'vitest'
import {networkEdges} from '../../../base/network/index.ts'
import {rng} from '../../../base/numeric/index.ts'
import type {Model} from '../../../learn/model/index.ts'
import {drawQuestions} from '../../../read/engines/test-source.ts'
import {certificateFacts} from '../../../use/facts/index.ts'
import {certificateRows} from '../../present/index.ts'
import {adfa, adfaDone, adfaJson, generateSmall, refused, testFolder} from '../test-run.ts'

const folder = testFolder()
const {docs, anchors, truth} = await generateSmall(folder, 1500)
const [counts, model, none] = ['docs.counts', 'model.json', 'none.json'].map(folder.at)
await adfaDone`count ${docs} --anchors ${anchors} -o ${counts}`
const questions = drawQuestions(400, rng(3))
const tools = {python: 'title:python', git: 'title:git', linux: 'title:linux'}
const tagged = [
  folder.write('questions.jsonl', questions),
  ...['--anchors', folder.write('tools.json', JSON.stringify(tools))]
]

/** Fit with the given arguments and load what was written. */
async function fitted(...args: readonly string[]): Promise<Model> {
  await adfaDone`fit ${args} -o ${model} --quiet`
  return folder.model('model.json')
}

/** What people read of a model, the same from documents and from their counts. */
function readPart({wordModel: _, certificate, ...rest}: Model): Omit<Model, 'wordModel'> {
  const {training, wordChoice, ...others} = certificate
  return {...rest, certificate: others}
}

const edgesOf = ({network, concepts}: Model) => networkEdges(network).map(edge => edge.map(i => concepts[i].name))

/** An anchors file with changes. */
function changed(name: string, changes: object): string {
  return folder.write(name, JSON.stringify({...folder.json('anchors.json'), ...changes}))
}

describe('adfa fit', () => {
  test('writes a model and shows its concepts, its certificates and its file', async () => {
    const args = ['fit', docs, '--anchors', anchors, '-o', model, '--words', 'weights', '--quiet']
    const {code, stdout, stderr} = await adfa(...args)
    expect([code, stderr]).toEqual([0, ''])
    for (let i = 1; i <= 5; i++) expect(stdout).toMatch(new RegExp(`^concept-0${i} +[\\d.]+%`, 'm'))
    expect(stdout).toMatch(/^5 concepts and 40 words from 1,500 documents in [\d.]+ s$/m)
    const fitted = folder.model('model.json')
    for (const [step, result] of certificateRows(fitted, certificateFacts(fitted)))
      expect(stdout).toContain(`\n${step}: ${result}\n`)
    expect(stdout).toMatch(/^network: couplings of 10 pairs, \d+ edges?$/m)
    expect(stdout).toMatch(/^tags: at a probability of \d+% or more$/m)
    expect(stdout.endsWith(`\nwrote ${model}\n`)).toBe(true)
    expect(await adfaDone(...args, '--structure', 'tree')).toMatch(/^network: optimal \(chow-liu, BIC -[\d.]+\)$/m)
  })

  test('--json prints one JSON document with seconds, moments and structure', async () => {
    const result = await adfaJson`fit ${docs} --anchors ${anchors} -o ${model}`
    const second = expect.any(Number)
    expect(result).toMatchObject({
      ...{file: model, documents: 1500, concepts: 5, words: 40, skippedAnchors: []},
      seconds: {count: second, noise: second, moments: second, structure: second, loadings: second, write: second},
      moments: {objective: expect.any(Number), gap: expect.any(Number), steps: expect.any(Number), status: 'optimal'},
      structure: {method: 'pairs', status: 'optimal', couplings: 10, edges: edgesOf(folder.model('model.json'))}
    })
    expect(result.structure.edges.length).toBeGreaterThan(1)
  })

  test.each(['noisy-or', 'weights'])(
    '--words %s of documents and of their counts agree in all that people read, the same bytes every time',
    async kind => {
      const documents = [docs, '--anchors', anchors, '--words', kind]
      const fromDocs = await fitted(...documents)
      const bytes = folder.text('model.json')
      const fromCounts = await fitted(counts, '--words', kind)
      await fitted(...documents)
      expect(folder.text('model.json')).toBe(bytes)
      expect(readPart(fromCounts)).toEqual(readPart(fromDocs))
      const source = (name: string) => (kind === 'weights' ? {kind, certificate: {source: name}} : {kind})
      expect([fromDocs.wordModel, fromCounts.wordModel]).toMatchObject([source('documents'), source('counts')])
    }
  )

  test('writes compressed and to standard output, and reads counts that are compressed or named otherwise', async () => {
    const expected = await fitted(counts)
    await adfaDone`fit ${counts} -o ${folder.at('model.json.gz')}`
    const rows = folder.write('one.jsonl', [{features: ['word-0001']}])
    expect(await adfaDone`predict ${folder.at('model.json.gz')} ${rows}`).toBe(await adfaDone`predict ${model} ${rows}`)
    expect(await adfaDone`fit ${counts} -o - --quiet`).toBe(folder.text('model.json'))
    await adfaDone`count ${docs} --anchors ${anchors} -o ${folder.at('docs.counts.gz')}`
    expect(await fitted(folder.at('docs.counts.gz'))).toEqual(expected)
    expect(await fitted(folder.write('docs.bin', folder.bytes('docs.counts')))).toEqual(expected)
  })

  test('--time-limit uses what was reached by then and tells its gap', async () => {
    const asked = '--structure tree --polytope local --solver conditional-gradient --gap 1e-12 --time-limit 1e-6'
    const {stdout, stderr} = await adfa`fit ${docs} --anchors ${anchors} ${asked.split(' ')} -o ${model} --json`
    const {moments} = JSON.parse(stdout)
    expect(moments.status).toBe('time-limit')
    expect(moments.gap).toBeGreaterThan(1e-12)
    expect(stderr).toMatch(/^moments: stopped by the time limit at a gap of [\d.<]+% of .* [\d.e-]+ of the optimum/m)
  })

  test.each([
    ['--structure tree --polytope marginal --gap 1e-6', {network: 'tree', polytope: 'marginal', gap: 1e-6}],
    ['--structure tree --solver conditional-gradient', {solver: 'conditional-gradient'}],
    ['--structure tree --polytope simplex --solver exponentiated-gradient', {solver: 'exponentiated-gradient'}],
    ['--structure tree --divergence l2 --shrinkage 2', {divergence: 'l2', shrinkage: 2}],
    ['--structure indegree:2 --word-shrinkage 0.1', {network: 'indegree:2', wordShrinkage: 0.1}],
    ['--preset paper', {preset: 'paper', shrinkage: 0.01, wordShrinkage: 0.1}],
    [
      '--preset paper --word-shrinkage 10/N --polytope local',
      {wordShrinkage: '10/N', polytope: 'local', shrinkage: 0.01}
    ]
  ])('%s is passed on and kept in the model', async (options, kept) => {
    expect((await fitted(counts, ...options.split(' '))).options).toMatchObject(kept)
  })

  test.each([
    ['--solver conditional-gradient', /--solver is for directed graphs/],
    ['--shrinkage 2', /--shrinkage is for directed graphs, and --structure is 'pairs'/],
    ['--structure tree --solver exponentiated-gradient', /--solver exponentiated-gradient.*--polytope simplex/],
    ['--structure forest', /--structure <kind>' argument 'forest' is invalid. It must be pairs, independent, tree/],
    ['--intervals 100000000', /a whole number from 1 to 100,000/]
  ])('%s is refused', async (options, message) => {
    expect(await adfa`fit ${counts} ${options.split(' ')} -o ${none}`).toEqual(refused(2, message))
    expect(folder.names()).not.toContain('none.json')
  })
})

describe('adfa fit of counts, and rates', () => {
  test('COUNTS --anchors renews the rates and nothing else, also where anchors were skipped', async () => {
    const concept = folder.json('anchors.json')['concept-02']
    const renewed = changed('renewed.json', {'concept-02': {...concept, truePositive: 0.95}})
    const fromCounts = await fitted(counts, '--anchors', renewed)
    expect(fromCounts.concepts[1].truePositive).toBe(0.95)
    expect(readPart(fromCounts)).toEqual(readPart(await fitted(docs, '--anchors', renewed)))
    const other = changed('other.json', {'concept-02': {...concept, any: ['word-0001']}})
    expect(await adfa`fit ${counts} --anchors ${other} -o ${none}`).toEqual(
      refused(1, /other\.json: its anchor for .* differs from the one that was counted; only rates and "\$exclusive"/)
    )
    const overlap = changed('overlap.json', {'concept-02': {...concept, any: ['anchor-01', 'word-0001']}})
    const skipped = folder.at('overlap.counts')
    await adfaDone`count ${docs} --anchors ${overlap} --skip-bad-anchors -o ${skipped}`
    expect(await fitted(skipped, '--anchors', overlap)).toEqual(await fitted(skipped))
  })

  test('DOCS --like MODEL fits with the rates of that model, and rates may be prevalence and precision', async () => {
    const rates = ({concepts}: Model) => concepts.map(({truePositive}) => truePositive)
    expect(rates(await fitted(docs, '--like', truth))).toEqual(rates(folder.model('truth.json')))
    const shares = changed('shares.json', {'concept-01': {any: ['anchor-01'], prevalence: 0.3, precision: 0.8}})
    const [first] = (await fitted(docs, '--anchors', shares)).concepts
    expect(first.truePositive / first.falsePositive).toBeCloseTo((0.8 / 0.3) * (0.7 / 0.2), 9)
  })

  test('--noise labels takes rates from tags, a share of them drawn by the seed; counts without are refused', async () => {
    const all = await fitted(...tagged, '--noise', 'labels')
    expect(all.options).toMatchObject({noise: 'labels', labelShare: 1})
    expect(all.certificate).toMatchObject({noise: {method: 'labels', labelledCount: 400}})
    const labelled = folder.at('labelled.counts')
    await adfaDone`count ${tagged} --label-share 1 -o ${labelled}`
    expect(readPart(await fitted(labelled, '--noise', 'labels'))).toEqual(readPart(all))
    const half = await fitted(...tagged, '--noise', 'labels', '--label-share', '0.5')
    const other = await fitted(...tagged, '--noise', 'labels', '--label-share', '0.5', '--seed', '1')
    expect(other.concepts).not.toEqual(half.concepts)
    await adfaDone`count ${tagged} -o ${labelled}`
    expect(await adfa`fit ${labelled} --noise labels -o ${none}`).toEqual(
      refused(1, /no labels were counted; count documents that have tags or labels with --label-share 1/)
    )
  })

  test('--skip-bad-anchors says once what it left out, on standard error, in the JSON and in the model', async () => {
    const ghost = {any: ['nowhere'], truePositive: 0.5, falsePositive: 0.1}
    const args = ['fit', docs, '--anchors', changed('ghost.json', {ghost}), '-o', model, '--json', '--skip-bad-anchors']
    const {code, stdout, stderr} = await adfa(...args)
    expect([code, stderr.match(/left out: concept "ghost": anchor 'nowhere' does not occur/g)]).toEqual([
      0,
      [expect.anything()]
    ])
    const skipped = [{concept: 'ghost', reason: expect.stringMatching(/'nowhere' does not occur/)}]
    expect(JSON.parse(stdout)).toMatchObject({concepts: 5, skippedAnchors: skipped})
    expect(folder.json('model.json')).toMatchObject({reading: {skipped}})
    expect((await adfa(...args, '--quiet')).stderr).toBe('')
  })
})

describe('adfa fit --structure and --edges', () => {
  test.each([
    ['{"needed": []}', 1, /edges\.json: unknown entry "needed"; an edges file looks like/],
    [
      '{"require": [["concept-1", "concept-02"]]}',
      2,
      /"concept-1" is not a concept of the model; did you mean "concept-01"\?/
    ]
  ] as const)('--edges with %s is refused', async (edges, code, message) => {
    expect(await adfa`fit ${counts} --edges ${folder.write('edges.json', edges)} -o ${none}`).toEqual(
      refused(code, message)
    )
    expect(folder.names()).not.toContain('none.json')
  })
})

describe('adfa fit --intervals', () => {
  test('shows intervals, but none of rates that nobody measured, and says how many resamplings could not be fitted', async () => {
    const text = await adfaDone`fit ${counts} --structure tree -o ${model} --intervals`
    expect(text).toContain('95% intervals from 200 resamplings of the documents')
    expect(text).toMatch(/concept-01 +\d+(\.\d)?% \([\d.]+% to [\d.]+%\) +[\d.]+% +[\d.]+%\n/)
    const bare = changed('bare.json', Object.fromEntries([1, 2, 3, 4, 5].map(i => [`concept-0${i}`, `anchor-0${i}`])))
    const guessed = await adfaJson`fit ${docs} --anchors ${bare} --intervals 10 -o ${model}`
    expect(guessed.intervals.concepts).toEqual([])
    expect(guessed.intervals.edges.length).toBeGreaterThan(0)
    expect(folder.json('model.json').certificate.intervals).toEqual(guessed.intervals)
    const few = '--noise labels --label-share 0.02 --skip-bad-anchors --intervals 20'.split(' ')
    const {code, stderr} = await adfa`fit ${docs} --anchors ${anchors} ${few} -o ${model}`
    expect(code).toBe(0)
    const [, count] = /intervals: (\d+) of 20 resamplings could not be fitted and are left out/.exec(stderr) ?? []
    expect(Number(count)).toBeGreaterThan(0)
    expect(folder.json('model.json').certificate.intervals.refused).toBe(Number(count))
  })
})
