import {beforeAll, describe, expect, test} from 'vitest'
import {
  type ConceptTables,
  directedNetwork,
  networkEdges,
  networkFromBif,
  networkTables
} from '../../../base/network/index.ts'
import {loadModel, type Model} from '../../../learn/model/index.ts'
import {recoverMoments, recoverTable} from '../../../learn/moments/index.ts'
import {estimateNoise} from '../../../learn/noise/index.ts'
import {bicScores, type FamilyScores, parameterCount, readScores} from '../../../learn/structure/index.ts'
import {countsFromBytes} from '../../../read/counts/index.ts'
import {adfa, adfaDone, adfaJson, generateSmall, testFolder} from '../test-run.ts'

const folder = testFolder()
const path = folder.at('model.json')
const counts = folder.at('docs.counts')
const treePath = folder.at('tree.json')
let model: Model
/** The same documents, with a directed network. */
let tree: Model

beforeAll(async () => {
  const {docs, anchors} = await generateSmall(folder, 1000)
  await adfaDone('fit', docs, '--anchors', anchors, '-o', path, '--quiet')
  await adfaDone('count', docs, '--anchors', anchors, '-o', counts, '--quiet')
  await adfaDone('fit', docs, '--anchors', anchors, '--structure', 'tree', '-o', treePath, '--quiet')
  model = loadModel(folder.text('model.json'), 'model.json')
  tree = loadModel(folder.text('tree.json'), 'tree.json')
})

async function exported(format: string, from = path): Promise<string> {
  await adfaDone('export', from, '--to', format, '-o', folder.at(`network.${format}`), '--quiet')
  return folder.text(`network.${format}`)
}

describe('adfa export', () => {
  test('adfa export --to bif writes a network that reads back as it was', async () => {
    const {names, network} = networkFromBif(await exported('bif', treePath), 'network.bif')
    expect(names).toEqual(tree.concepts.map(({name}) => name))
    expect(network).toEqual(tree.network)
  })

  test('adfa export --to bif of a network of pairs writes a directed network near it, and reports that', async () => {
    const {network} = networkFromBif(await exported('bif'), 'network.bif')
    expect(network).toEqual(directedNetwork(model.network))
    expect((await adfa('export', path, '--to', 'bif')).stderr).toMatch(/^.*directed network near it.*\n$/)
    expect((await adfa('export', treePath, '--to', 'bif')).stderr).toBe('')
  })

  test('adfa export --to csv has a header and a row for every edge', async () => {
    const [header, ...rows] = (await exported('csv')).trimEnd().split('\n')
    expect(header).toMatch(/^parent,child,sign,.*,low,high$/)
    const edges = networkEdges(model.network).map(edge => edge.map(i => model.concepts[i].name).join())
    expect(rows.map(row => row.split(',').slice(0, 2).join()).sort()).toEqual(edges.sort())
  })

  test('adfa export --to uai names the network, its variables and a table for each', async () => {
    const begin = async (from: string) => (await exported('uai', from)).split('\n').slice(0, 4)
    expect(await begin(treePath)).toEqual(['BAYES', '5', '2 2 2 2 2', '5'])
    expect((await begin(path)).slice(0, 3)).toEqual(['MARKOV', '5', '2 2 2 2 2'])
  })

  test('adfa export --to dot and --to svg show every concept', async () => {
    const dot = await exported('dot')
    const svg = await exported('svg')
    expect(dot).toMatch(/^digraph/)
    expect(svg).toMatch(/<svg[\s\S]*<\/svg>\s*$/)
    for (const {name} of model.concepts) for (const text of [dot, svg]) expect(text).toContain(name)
    // Two for each concept at most.
    const drawn = svg.match(/<g id="network-edge-\d+-\d+" class="edge"/g)?.length
    expect(drawn).toBeGreaterThan(3)
    expect(drawn).toBeLessThanOrEqual(networkEdges(model.network).length)
  })

  test('adfa export writes to standard output unless told otherwise, and nothing else there', async () => {
    const {code, stdout, stderr} = await adfa('export', path, '--to', 'csv')
    expect([code, stderr]).toEqual([0, ''])
    expect(stdout).toBe(await exported('csv'))
  })

  test('adfa export --json says what was written', async () => {
    const file = folder.at('again.bif')
    expect(await adfaJson('export', path, '--to', 'bif', '-o', file)).toEqual({file, format: 'bif', concepts: 5})
  })

  test.each([
    [['--to', 'pdf'], 2, /--to.*bif, dot, uai, csv, svg, gobnilp-scores/],
    [[], 2, /--to/],
    [['--to', 'bif', '--counts', 'docs.counts'], 2, /--counts applies only to --to gobnilp-scores/],
    [['--to', 'csv', '--max-parents', '2'], 2, /--max-parents applies only to --to gobnilp-scores/],
    [['--to', 'gobnilp-scores', '--max-parents', '0'], 2, /--max-parents/],
    [['--to', 'gobnilp-scores', '--counts', 'no.counts'], 1, /no\.counts/]
  ])('adfa export refuses %j', async (args, status, message) => {
    const {code, stderr} = await adfa('export', path, ...args)
    expect(code).toBe(status)
    expect(stderr).toMatch(message)
  })

  test('adfa export refuses what is not a model, by its name', async () => {
    folder.write('other.json', '{"format": "other"}')
    const {code, stderr} = await adfa('export', folder.at('other.json'), '--to', 'bif')
    expect(code).toBe(1)
    expect(stderr).toMatch(/other\.json/)
  })
})

describe('adfa export --to gobnilp-scores', () => {
  const scoresOf = async (...args: readonly string[]) => {
    const {code, stdout, stderr} = await adfa('export', path, '--to', 'gobnilp-scores', ...args)
    expect(code).toBe(0)
    const {names, scores} = readScores(stdout, 'scores.jkl')
    expect(names).toEqual(model.concepts.map(({name}) => name))
    return {scores, stderr}
  }
  const awareOf = (table: ConceptTables) => parameterCount('noise-aware', table, model.concepts, 1000)
  const shown = (scores: FamilyScores) =>
    scores.map(families => families.map(({parents, score}) => `${parents.join()} ${score.toFixed(6)}`))

  test('adfa export --to gobnilp-scores writes the scores of the network itself, and reports that', async () => {
    const {scores, stderr} = await scoresOf()
    expect(stderr).toMatch(/scores of a directed network near the pairs.*1,000 documents/)
    const tables = networkTables(directedNetwork(model.network))
    expect(shown(scores)).toEqual(shown(bicScores(tables, 5, 1000, {parameters: awareOf(tables)})))
    expect((await adfa('export', treePath, '--to', 'gobnilp-scores')).stderr).toMatch(/scores of the network itself/)
  })

  test('adfa export --to gobnilp-scores --counts writes those of moments recovered from the counts, and says so', async () => {
    const {scores, stderr} = await scoresOf('--counts', counts)
    expect(stderr).toMatch(/recovered from the 1,000 documents of .*docs\.counts/)
    const data = countsFromBytes(folder.bytes('docs.counts'), 'docs.counts')
    const moments = await recoverMoments(data, estimateNoise(data, 'given'), {polytope: 'local'})
    expect(shown(scores)).toEqual(shown(bicScores(moments.table, 5, 1000, {parameters: awareOf(moments.table)})))
  })

  test('adfa export --to gobnilp-scores uses the options of the fit', async () => {
    const other = folder.at('other-options.json')
    const options = ['--polytope', 'cycle', '--shrinkage', '0.05', '--score', 'bic', '--penalty', '1', '--quiet']
    await adfaDone('fit', counts, ...options, '-o', other)
    const stdout = await adfaDone('export', other, '--to', 'gobnilp-scores', '--counts', counts)
    const data = countsFromBytes(folder.bytes('docs.counts'), 'docs.counts')
    const noise = estimateNoise(data, 'given')
    const moments = await recoverMoments(data, noise, {polytope: 'cycle', shrinkage: 0.05})
    const tables: ConceptTables = concepts =>
      concepts.length < 3 ? moments.table(concepts) : recoverTable(data, noise, {concepts}, {shrinkage: 0.05}).mu
    const {scores} = readScores(stdout, 'scores.jkl')
    expect(shown(scores)).toEqual(shown(bicScores(tables, 5, 1000, {penalty: 1})))
  })

  test.each(['1', '3'])(
    'adfa export --to gobnilp-scores --max-parents %s lists families up to that size',
    async most => {
      for (const source of [[], ['--counts', counts]]) {
        const {scores} = await scoresOf('--max-parents', most, ...source)
        const sizes = scores.flat().map(({parents}) => parents.length)
        expect(Math.max(...sizes)).toBeLessThanOrEqual(Number(most))
      }
    }
  )

  test('adfa export --to gobnilp-scores refuses a model that does not know its documents', async () => {
    const {code, stderr} = await adfa('export', folder.at('truth.json'), '--to', 'gobnilp-scores')
    expect(code).toBe(1)
    expect(stderr).toMatch(/truth\.json.*number of documents.*give a model written by adfa fit/)
  })

  test('adfa export --to gobnilp-scores --counts leaves out the concepts that the fit left out', async () => {
    const rows = Array.from({length: 60}, (_, n) => ({
      features: ['flu', 'cough', 'rash'].filter((_, k) => n % (k + 2) === 0),
      tags: ['flu', 'cough'].filter((_, k) => n % (k + 2) === 0 || n % 13 === 0)
    }))
    const skipping = folder.write('skip.jsonl', rows)
    const anchors = folder.write('skip-anchors.json', '{"flu": "flu", "cough": "cough", "rash": "rash"}')
    const [counted, fitted] = [folder.at('skip.counts'), folder.at('skip.json')]
    await adfaDone('count', skipping, '--anchors', anchors, '--label-share', '1', '-o', counted, '--quiet')
    await adfaDone('fit', counted, '--noise', 'labels', '--skip-bad-anchors', '-o', fitted, '--quiet')
    const stdout = await adfaDone('export', fitted, '--to', 'gobnilp-scores', '--counts', counted)
    expect(readScores(stdout, 'scores.jkl').names).toEqual(['flu', 'cough'])
  })

  test('adfa export --to gobnilp-scores refuses counts of other anchors', async () => {
    const rows = [1, 2, 3].map(n => ({id: `${n}`, features: n === 1 ? ['other'] : ['word']}))
    folder.write('other.jsonl', rows)
    folder.write('other-anchors.json', '{"other": {"any": ["other"], "truePositive": 0.9, "falsePositive": 0.01}}')
    const other = folder.at('other.counts')
    await adfaDone(
      'count',
      folder.at('other.jsonl'),
      '--anchors',
      folder.at('other-anchors.json'),
      '-o',
      other,
      '--quiet'
    )
    const {code, stderr} = await adfa('export', path, '--to', 'gobnilp-scores', '--counts', other)
    expect(code).toBe(1)
    expect(stderr).toMatch(/other\.counts.*anchors are not those of the model/)
  })
})
