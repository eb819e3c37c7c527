import {describe, expect, test} from 'vitest'
import {rng} from '../../../base/numeric/index.ts'
import {encodeCorpus, parseRow} from '../../../read/data/index.ts'
import {drawQuestions} from '../../../read/engines/test-source.ts'
import {evaluate, figureColumns} from '../../../use/evaluation/index.ts'
import {adfa, adfaDone, adfaJson, generateSmall, refused, testFolder} from '../test-run.ts'

const folder = testFolder()
const {anchors} = await generateSmall(folder, 900)
const rows = folder.rows('docs.jsonl')
const train = folder.write('train.jsonl', rows.slice(0, 500))
const heldout = folder.write('heldout.jsonl', rows.slice(500))
const model = folder.at('model.json')
await adfaDone`fit ${train} --anchors ${anchors} -o ${model}`
const loaded = folder.model('model.json')
const untagged = folder.write('untagged.jsonl', [{features: ['word-0001']}])

const number = expect.any(Number)
const byFigure = (value: object) => Object.fromEntries(figureColumns.map(({key}) => [key, value]))
const tagging = ['microF1', 'macroF1', 'macroAuc', 'averagePrecision', 'brier', 'calibrationError', 'saturated']
const figures = {
  lastTag: {accuracy: number, standardError: number, documents: number},
  tagLogLikelihood: number,
  tagging: {
    ...Object.fromEntries(tagging.map(name => [name, number])),
    atThreshold: {
      ...{threshold: number, microF1: number, macroF1: number},
      chosenOn: expect.stringMatching(/^(training|these) documents$/)
    },
    reliability: expect.any(Array)
  },
  intervals: byFigure({low: number, high: number}),
  perConcept: expect.any(Array)
}
const compared = {...figures, differences: byFigure({value: number, low: number, high: number})}

describe('adfa evaluate', () => {
  test('--json prints the figures beside the baselines, as the library finds them', async () => {
    const result = await adfaJson`evaluate ${model} ${heldout}`
    expect(result).toEqual({
      ...{documents: 400, concepts: 5, level: 0.9, untagged: 0, filtered: 0, learnedShare: 0},
      ...figures,
      baselines: {'noisy-or': compared, prior: compared, 'anchors-only': compared},
      best: byFigure({methods: expect.any(Array), level: expect.any(Array)})
    })
    const corpus = encodeCorpus(
      rows.slice(500).map(row => parseRow(row, {text: []}, 'row')),
      loaded.lexicon
    )
    expect(result).toMatchObject(JSON.parse(JSON.stringify(evaluate(loaded, corpus))))
  })

  test('prints a table with a row for the model and each baseline, the oracle among them with --train', async () => {
    const args = ['evaluate', model, heldout, '--train', train, '--quiet']
    const {code, stdout, stderr} = await adfa(...args)
    expect([code, stderr]).toEqual([0, ''])
    expect(stdout).toMatch(/^400 documents, 5 concepts\n\n +last tag +log P\(tags\) +avg\. precision +AUC +micro F1 /)
    for (const name of ['this model', 'noisy-or', 'prior', 'anchors-only', 'oracle'])
      expect(stdout).toMatch(new RegExp(`^${name}( +-?[\\d.]+){10}$`, 'm'))
    expect(stdout).toMatch(/^90% intervals:\n\n.*\nthis model( +-?[\d.]+ to -?[\d.]+){10}$/m)
    expect(stdout).toMatch(/^Best of each figure, .*\n\n +best +no clear difference\nlast tag +/m)
    const {perConcept, baselines} = await adfaJson(...args)
    expect(baselines.oracle).toEqual(compared)
    for (const {concept, tags, averagePrecision} of perConcept) {
      expect(tags).toBe(rows.slice(500).filter(row => row.tags.includes(concept)).length)
      expect(stdout).toMatch(new RegExp(`^${concept} +${tags} .*${averagePrecision.value.toFixed(2)}`, 'm'))
    }
  })

  test('--workers gives the same figures and notes', async () => {
    const stray = rows.slice(700, 760).map(row => ({...row, tags: ['Concept 01']}))
    const files = [
      folder.write('part-1.jsonl', rows.slice(500, 620)),
      folder.write('part-2.jsonl', [...stray, {features: []}]),
      folder.write('part-3.jsonl', rows.slice(800))
    ]
    const told = async (workers: string, ...args: readonly string[]) => {
      const {code, stdout, stderr} = await adfa`evaluate ${model} ${args} --json --workers ${workers}`
      return {code, stdout, stderr: stderr.replaceAll(/^reading .*\n/gm, '')}
    }
    const alone = await told('0', ...files, '--train', train)
    expect(alone).toMatchObject({code: 0, stderr: expect.stringMatching(/Concept 01/)})
    expect(await told('2', ...files, '--train', train)).toEqual(alone)
  })

  test('--baselines adds classifiers and ceilings, also to a model with an anchor in one document', async () => {
    const [once, ...others] = loaded.lexicon.anchors.map(({concept, any}, i) => {
      const {truePositive, falsePositive} = loaded.concepts[i]
      return [concept, {any, truePositive, falsePositive}] as const
    })
    const rare = Object.fromEntries([[once[0], {...once[1], any: ['text:unicum']}], ...others])
    const marked = folder.write('once.jsonl', [{...rows[0], text: 'unicum'}, ...rows.slice(1, 500)])
    await adfaDone`fit ${marked} --anchors ${folder.write('once.json', JSON.stringify(rare))} -o ${folder.at('once.model')}`
    const asked = ['--train', marked, '--baselines', '--json']
    const {stdout, stderr} = await adfa`evaluate ${folder.at('once.model')} ${heldout} ${asked}`
    expect(stderr).toMatch(/know only how common "concept-01" is: its anchor fires in 1 of 500 training documents/)
    const {baselines, labelsWorth} = JSON.parse(stdout)
    const learners = ['anchor-label', 'positive-unlabelled', 'noise-unbiased', 'noise-weighted']
    const simple = ['noisy-or', 'prior', 'anchors-only', 'anchors-network', 'independent', 'imputation', ...learners]
    const ceilings = ['oracle-ml-tree', 'oracle-ml-independent', 'oracle', 'supervised', 'supervised-100']
    expect(Object.keys(baselines)).toEqual(expect.arrayContaining([...simple, ...ceilings]))
    for (const [name, own] of Object.entries(baselines))
      expect(own).toEqual(name.startsWith('supervised') ? {...compared, labelled: number} : compared)
    expect(baselines.supervised.labelled).toBe(500)
    expect(labelsWorth).toMatchObject({value: number, low: number, high: number, least: 100, most: 500})
    const refusal = refused(2, /--baselines are trained on documents; name them with --train/)
    expect(await adfa`evaluate ${model} ${heldout} --baselines`).toEqual(refusal)
  })

  test('--words noisy-or judges the links alone, which otherwise stand beside the model', async () => {
    const whole = await adfaJson`evaluate ${model} ${heldout}`
    const links = await adfaJson`evaluate ${model} ${heldout} --words noisy-or`
    expect(Object.keys(links.baselines)).toEqual(['prior', 'anchors-only'])
    const {differences: _, ...same} = whole.baselines['noisy-or']
    expect(links).toMatchObject(same)
    expect(links.tagging.brier).not.toBe(whole.tagging.brier)
  })

  test('tells how many documents it left out: untagged ones, and those that the filter of the model drops', async () => {
    const questions = drawQuestions(200, rng(4))
    const filtered = folder.at('filtered.json')
    const rule = '--anchors-from-tags title --top-tags 4 --min-tags 2 --noise labels'.split(' ')
    await adfaDone`fit ${folder.write('questions.jsonl', questions)} ${rule} -o ${filtered}`
    const docs = folder.write('mixed.jsonl', [...questions, {title: 'python', text: 'list'}])
    const single = questions.filter(({tags}) => tags.length < 2).length
    const {stdout, stderr} = await adfa`evaluate ${filtered} ${docs} --json`
    expect(JSON.parse(stdout)).toMatchObject({documents: 200 - single, untagged: 1, filtered: single})
    expect(stderr).toContain(`left out: 1 without tags, ${single} not passing the model's document filter\n`)
  })

  test('refuses documents without tags, and says in which files', async () => {
    expect(await adfa`evaluate ${model} ${untagged}`).toEqual(refused(1, /untagged\.jsonl: no document has tags or/))
    expect(await adfa`evaluate ${model} ${heldout} --train ${untagged}`).toEqual(
      refused(1, /untagged\.jsonl: no training document has tags/)
    )
    // The column that was asked for, and those that are there.
    expect(await adfa`evaluate ${model} ${heldout} --tags tgs`).toEqual(
      refused(1, /no document has the field "tgs".*the first has .*did you mean "tags"\?/)
    )
  })
})

describe('adfa evaluate --labels', async () => {
  const docs = folder.at('docs.jsonl')
  const concepts = loaded.concepts.map(({name}) => name)
  const given = folder.at('given.json')
  await adfaDone`fit ${docs} --anchors ${anchors} --words weights -o ${given}`

  /** Labels of the first documents: their tags, as someone might label them. */
  const labelsOf = (count: number) => {
    const labels = rows.slice(0, count).map(({id, tags}) => {
      const own = Object.fromEntries(concepts.map(concept => [concept, tags.includes(concept)]))
      return {id, labels: own, drawn: 'random'}
    })
    return folder.write(`labels-${count}.jsonl`, labels)
  }
  const labels = labelsOf(200)
  const result = await adfaJson`evaluate ${given} ${docs} --labels ${labels}`

  test('gives F1, precision and recall with intervals, overall and per concept', async () => {
    expect(result).toMatchObject({documents: 900, labelled: 200, shortAnswers: 0, level: 0.9, usedForRates: 0})
    expect(Object.keys(result.baselines)).toEqual(['noisy-or', 'anchors-only'])
    for (const own of [result.micro, result.macro, result.baselines['anchors-only'], ...result.concepts])
      for (const {value, low, high} of [own.f1, own.precision, own.recall])
        expect(low <= value && value <= high && high <= 1).toBe(true)
    const printed = await adfaDone`evaluate ${given} ${docs} --labels ${labels}`
    expect(printed).toMatch(/^200 labelled documents, of 900 documents; 5 concepts, reported at a probability of /)
    expect(printed).toMatch(/^The model was learned without these labels\.$/m)
    expect(printed).toMatch(/^all decisions( +[01]\.\d\d \([01]\.\d\d to [01]\.\d\d\)){3}$/m)
    expect(printed).toMatch(/^concept-01 .* +\d+ +\d+ +\d+$/m)
  })

  test('leaves out documents that the model learned from, and refuses figures by them alone', async () => {
    const [early, learned] = [labelsOf(120), folder.at('early.json')]
    const bare = Object.fromEntries(concepts.map((name, i) => [name, loaded.lexicon.anchors[i].any]))
    const unrated = folder.write('bare.json', JSON.stringify(bare))
    await adfaDone`fit ${docs} --anchors ${unrated} --labels ${early} -o ${learned}`
    const later = await adfaJson`evaluate ${learned} ${docs} --labels ${labels}`
    expect(later).toMatchObject({labelled: 80, usedForRates: 120, evaluated: 'others'})
    expect(await adfa`evaluate ${learned} ${docs} --labels ${early} --quiet`).toEqual(
      refused(1, /learned its words from 120 labelled documents.*label 30 more/s)
    )
  })

  test('a higher --threshold reports less; options for tagged documents and other labels are refused', async () => {
    const evaluateBy = ['evaluate', given, docs, '--labels', labels]
    const high = await adfaJson`${evaluateBy} --threshold 0.9`
    expect(high.micro.recall.value).toBeLessThan(result.micro.recall.value)
    expect(high.threshold).toBe(0.9)
    expect((await adfa`evaluate ${given} ${docs} --threshold 0.5`).code).toBe(2)
    expect((await adfa`${evaluateBy} --reliability`).code).toBe(2)
    expect((await adfa`${evaluateBy} --train ${docs}`).code).toBe(2)
    const strange = folder.write('strange.jsonl', '{"id": "nobody", "labels": {"concept-01": true}, "drawn": "random"}')
    expect(await adfa`evaluate ${given} ${docs} --labels ${strange}`).toEqual(
      refused(1, /its document is not among those/)
    )
  })
})
