import {beforeAll, describe, expect, test} from 'vitest'
import {directedNetwork, networkEdges} from '../../../base/network/index.ts'
import {rng} from '../../../base/numeric/index.ts'
import {loadModel, type Model} from '../../../learn/model/index.ts'
import {countsFromBytes} from '../../../read/counts/index.ts'
import {drawQuestions} from '../../../read/engines/test-source.ts'
import {adfa, adfaDone, adfaJson, generateSmall, testFolder} from '../test-run.ts'

const folder = testFolder()
const questions = drawQuestions(400, rng(3))
const model = folder.at('model.json')
let small: Awaited<ReturnType<typeof generateSmall>>

beforeAll(async () => {
  small = await generateSmall(folder, 1500)
  await adfaDone('count', small.docs, '--anchors', small.anchors, '-o', folder.at('docs.counts'))
  folder.write('questions.jsonl', questions)
  folder.write('tools.json', JSON.stringify({python: 'title:python', git: 'title:git', linux: 'title:linux'}))
})

/** Fit with the given arguments and load what was written. */
async function fitted(...args: readonly string[]): Promise<Model> {
  await adfaDone('fit', ...args, '-o', model, '--quiet')
  return loadModel(folder.text('model.json'), 'model.json')
}

/** What people read of a model, the same from documents and from their counts. */
function readPart({wordModel: _, certificate, ...rest}: Model): Omit<Model, 'wordModel'> {
  const {training, wordChoice, ...others} = certificate
  return {...rest, certificate: others}
}

describe('adfa fit', () => {
  test('adfa fit ... writes a model and shows its concepts, its certificates and its file', async () => {
    const args = ['fit', small.docs, '--anchors', small.anchors, '-o', model, '--words', 'weights', '--quiet']
    const {code, stdout, stderr} = await adfa(...args)
    expect([code, stderr]).toEqual([0, ''])
    for (let i = 1; i <= 5; i++) expect(stdout).toMatch(new RegExp(`^concept-0${i} +[\\d.]+%`, 'm'))
    expect(stdout).toMatch(/^concept-0\d +[\d.]+% {2}concept-0\d x [\d.]+/m)
    expect(stdout).toMatch(/^5 concepts and 40 words from 1,500 documents in [\d.]+ s$/m)
    expect(stdout).toMatch(
      /^network: couplings of 10 pairs, \d+ edges?; distribution of lifts optimal, objective [\d.e-]+, gap [\d.e+-]+$/m
    )
    expect(await adfaDone(...args, '--structure', 'tree')).toMatch(
      /^moments: optimal, objective [\d.e-]+, gap [\d.e+-]+\nstructure: optimal \(chow-liu\), noise-aware BIC score -[\d.]+$/m
    )
    expect(stdout).toMatch(/^loadings: \d+ of 200 links beyond 3 standard errors, \d+ of 40 leaks at the floor$/m)
    expect(stdout).toMatch(
      /^predictions: by word weights \(log-odds\) from 1,500 documents; tags at a probability of \d+% or more$/m
    )
    expect(stdout.endsWith(`\nwrote ${model}\n`)).toBe(true)
  })

  test('adfa fit --json prints one JSON document with seconds, moments and structure', async () => {
    const result = await adfaJson('fit', small.docs, '--anchors', small.anchors, '-o', model)
    const second = expect.any(Number)
    expect(result).toMatchObject({
      file: model,
      documents: 1500,
      concepts: 5,
      words: 40,
      seconds: {count: second, noise: second, moments: second, structure: second, loadings: second, write: second},
      moments: {objective: expect.any(Number), gap: expect.any(Number), steps: expect.any(Number), status: 'optimal'},
      structure: {method: 'pairs', status: 'optimal', couplings: 10},
      skippedAnchors: []
    })
    const {network, concepts} = loadModel(folder.text('model.json'), 'model.json')
    const edges = networkEdges(network).map(edge => edge.map(i => concepts[i].name))
    expect(edges.length).toBeGreaterThan(1)
    expect(result).toMatchObject({structure: {edges}})
  })

  test('adfa fit --polytope ... recovers moments in tighter and tighter polytopes, each with its certificate', async () => {
    const objectives: number[] = []
    for (const polytope of ['simplex', 'local', 'cycle', 'marginal']) {
      const gap = ['--gap', '1e-6']
      const result = await adfaJson(
        'fit',
        folder.at('docs.counts'),
        '--structure',
        'tree',
        '--polytope',
        polytope,
        ...gap,
        '-o',
        model
      )
      const {moments} = result as {moments: {objective: number; lowerBound: number; gap: number; status: string}}
      expect(moments).toMatchObject({
        status: expect.stringMatching(/^(optimal|tolerance)$/),
        atoms: expect.any(Number),
        cuts: expect.any(Number)
      })
      expect(moments.gap).toBe(moments.objective - moments.lowerBound)
      expect(moments.gap).toBeLessThanOrEqual(1e-6)
      objectives.push(moments.objective)
      expect(loadModel(folder.text('model.json'), 'model.json').options).toMatchObject({polytope, gap: 1e-6})
    }
    objectives.slice(1).forEach((objective, at) => {
      expect(objective).toBeGreaterThan(objectives[at] - 1e-6)
    })
  })

  test.each(['local', 'cycle', 'marginal'])(
    'adfa fit --solver conditional-gradient --polytope %s agrees with the fast solver',
    async polytope => {
      const fast = await adfaJson(
        'fit',
        folder.at('docs.counts'),
        '--structure',
        'tree',
        '--polytope',
        polytope,
        '--gap',
        '1e-6',
        '-o',
        model
      )
      const asked = ['--structure', 'tree', '--polytope', polytope, '--solver', 'conditional-gradient', '--gap', '1e-4']
      const slow = await adfaJson('fit', folder.at('docs.counts'), ...asked, '-o', model)
      expect(slow).toMatchObject({moments: {status: expect.stringMatching(/^(optimal|tolerance)$/)}})
      const objectiveOf = (result: unknown) => (result as {moments: {objective: number}}).moments.objective
      // Within the two gaps.
      expect(Math.abs(objectiveOf(slow) - objectiveOf(fast))).toBeLessThan(1.01e-4)
    }
  )

  test.each([
    ['--solver exponentiated-gradient', 'simplex'],
    ['--solver conditional-gradient', 'local']
  ])(
    'adfa fit %s recovers the same moments as the fast solver, by the method of the paper',
    async (flags, polytope) => {
      const asked = ['--polytope', polytope, '--gap', '1e-4', '--structure', 'tree']
      const fast = await adfaJson('fit', folder.at('docs.counts'), ...asked, '-o', model)
      const slow = await adfaJson('fit', folder.at('docs.counts'), ...asked, ...flags.split(' '), '-o', model)
      expect(slow).toMatchObject({moments: {status: expect.stringMatching(/^(optimal|tolerance)$/)}})
      const objectiveOf = (result: unknown) => (result as {moments: {objective: number}}).moments.objective
      // Within the two gaps.
      expect(Math.abs(objectiveOf(slow) - objectiveOf(fast))).toBeLessThan(2.01e-4)
      const {options} = loadModel(folder.text('model.json'), 'model.json')
      expect(flags).toContain(String(options.solver))
    }
  )

  test('adfa fit --time-limit uses what was reached by then and tells its gap', async () => {
    const asked = '--structure tree --polytope local --solver conditional-gradient --gap 1e-12 --time-limit 1e-6'.split(
      ' '
    )
    const result = await adfaJson('fit', folder.at('docs.counts'), ...asked, '-o', model)
    expect(result).toMatchObject({moments: {status: 'time-limit'}})
    expect((result as {moments: {gap: number}}).moments.gap).toBeGreaterThan(1e-12)
    expect(networkEdges(loadModel(folder.text('model.json'), 'model.json').network)).toHaveLength(4)
    const {code, stderr} = await adfa('fit', folder.at('docs.counts'), ...asked, '-o', model)
    expect(code).toBe(0)
    expect(stderr).toMatch(
      /^moments: stopped by the time limit at a gap of [\d.<]+% of the objective; proven to be within [\d.e-]+ of the optimum/m
    )
  })

  test.each([
    [['--gap', '0'], /--gap.*number above 0/],
    [['--gap', 'small'], /--gap.*number above 0/],
    [['--time-limit', '-1'], /--time-limit.*number above 0/],
    [['--polytope', 'circle'], /--polytope.*simplex, local, cycle, marginal/],
    [['--solver', 'gurobi'], /--solver.*newton, conditional-gradient/],
    [['--solver', 'conditional-gradient'], /--solver is for directed graphs/],
    [
      ['--structure', 'tree', '--solver', 'exponentiated-gradient'],
      /--solver exponentiated-gradient.*--polytope simplex/
    ]
  ])('adfa fit refuses %j', async (args, message) => {
    const {code, stderr} = await adfa('fit', folder.at('docs.counts'), ...args, '-o', model)
    expect(code).toBe(2)
    expect(stderr).toMatch(message)
  })

  test('adfa fit writes the fields of the model file that scripts rely on', async () => {
    await adfaDone('fit', small.docs, '--anchors', small.anchors, '-o', model, '--seed', '5', '--words', 'weights')
    const file: unknown = JSON.parse(folder.text('model.json'))
    const concept = (i: number) => ({
      name: `concept-0${i}`,
      anchors: [`anchor-0${i}`],
      truePositive: expect.any(Number),
      falsePositive: expect.any(Number),
      prevalence: expect.any(Number)
    })
    expect(file).toMatchObject({
      format: 'adfa-model',
      version: 5,
      seed: 5,
      options: {preset: 'robust', noise: 'auto', network: 'pairs', documents: 1500},
      certificate: {moments: {status: 'optimal'}, structure: {status: 'optimal'}, noise: {method: 'auto'}},
      concepts: [1, 2, 3, 4, 5].map(concept),
      wordModel: {
        kind: 'weights',
        weights: Array.from({length: 5}, () => expect.arrayContaining([expect.any(Number)])),
        threshold: expect.any(Number)
      }
    })
    expect(file).toMatchObject({
      network: {kind: 'pairs', couplings: expect.any(Array), low: expect.any(Array), high: expect.any(Array)},
      words: Array.from({length: 40}, (_, j) => `word-${String(j + 1).padStart(4, '0')}`),
      leak: Array.from({length: 40}, () => expect.any(Number)),
      failure: Array.from({length: 5}, () => expect.arrayContaining([expect.any(Number)]))
    })
  })

  test.each(['noisy-or', 'weights'])(
    'adfa fit --words %s of documents equals adfa fit of their counts in all that people read, and gives the same bytes every time',
    async wordModel => {
      const documents = [small.docs, '--anchors', small.anchors, '--words', wordModel]
      const fromDocs = await fitted(...documents)
      const bytes = folder.text('model.json')
      const fromCounts = await fitted(folder.at('docs.counts'), '--words', wordModel)
      await fitted(...documents)
      expect(folder.text('model.json')).toBe(bytes)
      expect(readPart(fromCounts)).toEqual(readPart(fromDocs))
      const source = wordModel === 'weights' ? {certificate: {source: 'documents', documents: 1500}} : {}
      expect(fromDocs.wordModel).toMatchObject({kind: wordModel, ...source})
      expect(fromCounts.wordModel).toMatchObject({
        kind: wordModel,
        ...(wordModel === 'weights' && {certificate: {source: 'counts'}})
      })
    }
  )

  test('adfa fit finds a model close to the truth', async () => {
    const found = await fitted(folder.at('docs.counts'))
    const truth = loadModel(folder.text('truth.json'), 'truth.json')
    found.concepts.forEach(({name, prevalence}, i) => {
      const {prevalence: p, truePositive: t, falsePositive: e} = truth.concepts[i]
      // The prevalence is (P(A) - e) / (t - e): 5 standard errors of P(A), stretched by the anchor's weakness.
      const share = p * t + (1 - p) * e
      const tolerance = (5 * Math.sqrt((share * (1 - share)) / 1500)) / (t - e)
      expect(Math.abs(prevalence - p), name).toBeLessThan(tolerance)
    })
  })

  test('adfa fit reads from a file whose name ends in .gz what it wrote there', async () => {
    await adfaDone('fit', folder.at('docs.counts'), '-o', folder.at('model.json.gz'))
    await adfaDone('fit', folder.at('docs.counts'), '-o', model)
    const rows = folder.write('one.jsonl', [{features: ['word-0001']}])
    expect(await adfaDone('predict', folder.at('model.json.gz'), rows)).toBe(await adfaDone('predict', model, rows))
  })

  test('adfa fit -o - prints the model and nothing else, or refuses', async () => {
    const {code, stdout} = await adfa('fit', folder.at('docs.counts'), '-o', '-', '--quiet')
    if (code === 2) expect(stdout).toBe('')
    else expect(loadModel(stdout, 'standard output')).toEqual(await fitted(folder.at('docs.counts')))
  })

  test('adfa fit reads counts that adfa count wrote compressed, or under another name', async () => {
    await adfaDone('count', small.docs, '--anchors', small.anchors, '-o', folder.at('docs.counts.gz'))
    folder.write('docs.bin', folder.bytes('docs.counts'))
    const expected = await fitted(folder.at('docs.counts'))
    expect(await fitted(folder.at('docs.counts.gz'))).toEqual(expected)
    expect(await fitted(folder.at('docs.bin'))).toEqual(expected)
  })
})

describe('adfa fit, options', () => {
  test('adfa fit --preset paper takes the numbers of the paper, and what is given beside it instead', async () => {
    const robust = await fitted(folder.at('docs.counts'))
    expect(robust.options).toMatchObject({preset: 'robust', network: 'pairs', wordShrinkage: 'gated'})
    const paper = await fitted(folder.at('docs.counts'), '--preset', 'paper')
    expect(paper.options).toMatchObject({preset: 'paper', shrinkage: 0.01, wordShrinkage: 0.1})
    expect(paper.loadings).not.toEqual(robust.loadings)
    const mixed = await fitted(
      folder.at('docs.counts'),
      '--preset',
      'paper',
      '--word-shrinkage',
      '10/N',
      '--polytope',
      'local'
    )
    expect(mixed.options).toMatchObject({preset: 'paper', wordShrinkage: '10/N', polytope: 'local', shrinkage: 0.01})
  })

  test('adfa fit --structure independent learns no edge, and says so', async () => {
    const result = await adfaJson('fit', folder.at('docs.counts'), '--structure', 'independent', '-o', model)
    expect(result).toMatchObject({structure: {edges: []}})
    const {network, concepts} = loadModel(folder.text('model.json'), 'model.json')
    const {parents, cpt} = directedNetwork(network)
    expect(parents).toEqual([[], [], [], [], []])
    cpt.forEach((table, i) => {
      expect([...table]).toEqual([concepts[i].prevalence])
    })
  })

  test('adfa fit --divergence l2 recovers moments in another way', async () => {
    const kl = await fitted(folder.at('docs.counts'), '--structure', 'tree')
    const l2 = await fitted(folder.at('docs.counts'), '--structure', 'tree', '--divergence', 'l2')
    expect(l2.options).toMatchObject({divergence: 'l2', network: 'tree'})
    expect(l2.network).not.toEqual(kl.network)
  })

  test('adfa fit COUNTS --anchors renews the rates and nothing else', async () => {
    const anchors = JSON.parse(folder.text('anchors.json'))
    anchors['concept-02'].truePositive = 0.95
    const renewed = folder.write('renewed.json', JSON.stringify(anchors))
    const fromCounts = await fitted(folder.at('docs.counts'), '--anchors', renewed)
    expect(fromCounts.concepts[1].truePositive).toBe(0.95)
    expect(readPart(fromCounts)).toEqual(readPart(await fitted(small.docs, '--anchors', renewed)))
    anchors['concept-02'].any = ['word-0001']
    const other = folder.write('other.json', JSON.stringify(anchors))
    const {code, stderr} = await adfa('fit', folder.at('docs.counts'), '--anchors', other, '-o', folder.at('none.json'))
    expect(code).toBe(1)
    expect(stderr).toMatch(
      /other\.json: its anchor for .* differs from the one that was counted; only rates and "\$exclusive" may change/
    )
    expect(folder.names()).not.toContain('none.json')
  })

  test('adfa fit COUNTS refuses options on reading documents, which could change nothing', async () => {
    const args = ['--vocabulary', '3', '--anchors-from-tags', 'title', '-o', folder.at('none.json')]
    const {code, stderr} = await adfa('fit', folder.at('docs.counts'), ...args)
    expect(code).toBe(2)
    expect(stderr).toMatch(
      /--vocabulary, --anchors-from-tags cannot change anything here: the documents are counted already/
    )
  })

  test('adfa fit COUNTS --anchors takes the file the counts were made with, though some of its anchors were skipped', async () => {
    const anchors = JSON.parse(folder.text('anchors.json'))
    anchors['concept-01'].any = ['anchor-01', 'anchor-02']
    anchors['concept-02'].any = ['anchor-02', 'word-0001']
    const file = folder.write('overlap.json', JSON.stringify(anchors))
    const counts = folder.at('overlap.counts')
    await adfaDone('count', small.docs, '--anchors', file, '--skip-bad-anchors', '-o', counts)
    expect(await fitted(counts, '--anchors', file)).toEqual(await fitted(counts))
  })

  test('adfa fit DOCS --like MODEL fits with the rates of that model', async () => {
    const truth = loadModel(folder.text('truth.json'), 'truth.json')
    const {concepts} = await fitted(small.docs, '--like', small.truth)
    expect(concepts.map(({truePositive}) => truePositive)).toEqual(truth.concepts.map(({truePositive}) => truePositive))
  })

  test('adfa fit takes rates as prevalence and precision, too', async () => {
    const counts = countsFromBytes(folder.bytes('docs.counts'), 'docs.counts')
    const frequency = Array.from({length: counts.patternCount}, (_, p) => {
      const fired = counts.concepts.subarray(counts.conceptStarts[p], counts.conceptStarts[p + 1])
      return fired.includes(0) ? counts.patternDocuments[p] / counts.documentCount : 0
    }).reduce((sum, share) => sum + share, 0)
    const anchors = JSON.parse(folder.text('anchors.json'))
    anchors['concept-01'] = {any: ['anchor-01'], prevalence: 0.3, precision: 0.8}
    const {concepts} = await fitted(small.docs, '--anchors', folder.write('shares.json', JSON.stringify(anchors)))
    expect(concepts[0].truePositive).toBeCloseTo((0.8 * frequency) / 0.3, 12)
    expect(concepts[0].falsePositive).toBeCloseTo((0.2 * frequency) / 0.7, 12)
  })
})

describe('adfa fit, labels', () => {
  const tools = () => [folder.at('questions.jsonl'), '--anchors', folder.at('tools.json')]

  /** The rates of the paper: shares among labelled documents, each count raised by a half. */
  function plainRates(name: string) {
    const cell = (isTagged: boolean, isFired: boolean) =>
      questions.filter(
        ({tags, title}) => tags.includes(name) === isTagged && title.split(' ').includes(name) === isFired
      ).length
    return {
      name,
      truePositive: (cell(true, true) + 0.5) / (cell(true, true) + cell(true, false) + 1),
      falsePositive: (cell(false, true) + 0.5) / (cell(false, true) + cell(false, false) + 1)
    }
  }

  test("adfa fit --noise labels takes the anchors' rates from the tags of all documents", async () => {
    const {concepts, options, certificate} = await fitted(...tools(), '--noise', 'labels')
    expect(concepts).toMatchObject(['python', 'git', 'linux'].map(plainRates))
    expect(options).toMatchObject({noise: 'labels', labelShare: 1})
    expect(certificate).toMatchObject({noise: {method: 'labels', labelledCount: 400}})
  })

  test('adfa fit --noise labels --label-share reads the tags of that share, drawn by the seed', async () => {
    const some = ['--noise', 'labels', '--label-share', '0.5']
    const half = await fitted(...tools(), ...some)
    const {noise} = half.certificate
    expect(noise).toMatchObject({method: 'labels'})
    const count = Number(JSON.stringify(noise).match(/"labelledCount":(\d+)/)?.[1])
    // 5 standard deviations of a binomial count.
    expect(Math.abs(count - 200)).toBeLessThan(5 * Math.sqrt(400 / 4))
    expect(await fitted(...tools(), ...some)).toEqual(half)
    const other = await fitted(...tools(), ...some, '--seed', '1')
    expect(other.concepts).not.toEqual(half.concepts)
  })

  test('adfa fit --noise labels gives the same model from counts with labels, and refuses counts without', async () => {
    const fromDocs = await fitted(...tools(), '--noise', 'labels')
    await adfaDone('count', ...tools(), '--label-share', '1', '-o', folder.at('labelled.counts'))
    const fromCounts = await fitted(folder.at('labelled.counts'), '--noise', 'labels')
    expect(readPart(fromCounts)).toEqual(readPart(fromDocs))
    await adfaDone('count', ...tools(), '-o', folder.at('unlabelled.counts'))
    const {code, stderr} = await adfa(
      'fit',
      folder.at('unlabelled.counts'),
      '--noise',
      'labels',
      '-o',
      folder.at('none.json')
    )
    expect(code).toBe(1)
    expect(stderr).toMatch(/no labels were counted; count documents that have tags or labels with --label-share 1/)
    expect(folder.names()).not.toContain('none.json')
  })

  test('adfa fit --noise given without rates refuses, names every concept and says what to do', async () => {
    const {code, stderr} = await adfa('fit', ...tools(), '--noise', 'given', '-o', folder.at('none.json'))
    expect(code).toBe(1)
    expect(stderr).toMatch(/could not estimate the rates of 3 of 3 anchors/)
    for (const name of ['python', 'git', 'linux'])
      expect(stderr).toMatch(new RegExp(`concept "${name}": no rates given; add truePositive .* or use --noise auto`))
    expect(folder.names()).not.toContain('none.json')
  })

  test('adfa fit --anchors-from-tags --top-tags --min-tags --of-top is the experiment of the paper', async () => {
    const rule = ['--anchors-from-tags', 'title', '--top-tags', '4', '--min-tags', '2', '--of-top', '5']
    const result = await adfaJson('fit', folder.at('questions.jsonl'), ...rule, '--noise', 'labels', '-o', model)
    const {lexicon} = loadModel(folder.text('model.json'), 'model.json')
    expect(lexicon.filter).toMatchObject({minTags: 2})
    expect(lexicon.filter?.tags).toHaveLength(5)
    const kept = questions.filter(({tags}) => tags.filter(tag => lexicon.filter?.tags.includes(tag)).length >= 2)
    expect(result).toMatchObject({concepts: 4, documents: kept.length})
    // The anchor is no word where it was looked for; in another field the same token may be one.
    for (const {any} of lexicon.anchors) for (const name of any) expect(lexicon.words).not.toContain(name)
  })
})

describe('adfa fit --skip-bad-anchors', () => {
  test('adfa fit --skip-bad-anchors says what it left out on standard error, in the JSON and in the model', async () => {
    const anchors = JSON.parse(folder.text('anchors.json'))
    anchors.ghost = {any: ['nowhere'], truePositive: 0.5, falsePositive: 0.1}
    const path = folder.write('ghost.json', JSON.stringify(anchors))
    const refused = await adfa('fit', small.docs, '--anchors', path, '-o', folder.at('none.json'))
    expect(refused.code).toBe(1)
    expect(refused.stderr).toMatch(/concept "ghost": anchor 'nowhere' does not occur in any of the 1,500 documents/)
    expect(folder.names()).not.toContain('none.json')
    const args = ['fit', small.docs, '--anchors', path, '--skip-bad-anchors', '-o', model, '--json']
    const {code, stdout, stderr} = await adfa(...args)
    expect(code).toBe(0)
    expect(stderr).toMatch(/left out: concept "ghost": anchor 'nowhere' does not occur/)
    const skipped = [{concept: 'ghost', reason: expect.stringMatching(/'nowhere' does not occur/)}]
    expect(JSON.parse(stdout)).toMatchObject({concepts: 5, skippedAnchors: skipped})
    expect(JSON.parse(folder.text('model.json'))).toMatchObject({reading: {skipped}})
    expect((await adfa(...args, '--quiet')).stderr).toBe('')
  })

  test('adfa fit --skip-bad-anchors says once, not twice, what it left out', async () => {
    const {stderr} = await adfa(
      'fit',
      small.docs,
      '--anchors',
      folder.at('ghost.json'),
      '--skip-bad-anchors',
      '-o',
      model
    )
    expect(stderr.match(/left out: concept "ghost"/g)).toHaveLength(1)
  })

  test('adfa fit --skip-bad-anchors also goes on without concepts without rates', async () => {
    const anchors = folder.write(
      'half.json',
      '{"python": "title:python", "never": "title:git", "linux": "title:linux"}'
    )
    const args = ['fit', folder.at('questions.jsonl'), '--anchors', anchors, '--noise', 'labels', '-o', model]
    const refused = await adfa(...args)
    expect([refused.code, refused.stderr]).toEqual([1, expect.stringMatching(/"never": no labelled document has it/)])
    const {code, stderr} = await adfa(...args, '--skip-bad-anchors')
    expect([code, stderr]).toEqual([0, expect.stringMatching(/left out: concept "never": no labelled document has it/)])
    const {concepts, lexicon} = loadModel(folder.text('model.json'), 'model.json')
    expect(concepts.map(({name}) => name)).toEqual(['python', 'linux'])
    expect(lexicon.skipped).toMatchObject([{concept: 'never'}])
  })
})
