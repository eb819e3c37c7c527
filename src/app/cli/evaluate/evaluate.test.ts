import {beforeAll, describe, expect, test} from 'vitest'
import {rng} from '../../../base/numeric/index.ts'
import {loadModel, type Model} from '../../../learn/model/index.ts'
import {encodeCorpus, parseRow} from '../../../read/data/index.ts'
import {drawQuestions} from '../../../read/engines/test-source.ts'
import {evaluate, figureColumns} from '../../../use/evaluation/index.ts'
import {adfa, adfaDone, adfaJson, generateSmall, testFolder} from '../test-run.ts'

const folder = testFolder()
const model = folder.at('model.json')
const byFigure = (value: object) => Object.fromEntries(figureColumns.map(({key}) => [key, value]))
const figures = {
  lastTag: {accuracy: expect.any(Number), standardError: expect.any(Number), documents: expect.any(Number)},
  tagLogLikelihood: expect.any(Number),
  tagging: {
    microF1: expect.any(Number),
    macroF1: expect.any(Number),
    macroAuc: expect.any(Number),
    averagePrecision: expect.any(Number),
    brier: expect.any(Number),
    calibrationError: expect.any(Number),
    atThreshold: {
      threshold: expect.any(Number),
      chosenOn: expect.stringMatching(/^(training|these) documents$/),
      microF1: expect.any(Number),
      macroF1: expect.any(Number)
    },
    reliability: expect.any(Array),
    saturated: expect.any(Number)
  },
  intervals: byFigure({low: expect.any(Number), high: expect.any(Number)}),
  perConcept: expect.any(Array)
}
const compared = {
  ...figures,
  differences: byFigure({value: expect.any(Number), low: expect.any(Number), high: expect.any(Number)})
}
let loaded: Model

beforeAll(async () => {
  const small = await generateSmall(folder, 1500)
  const lines = folder.text('docs.jsonl').trimEnd().split('\n')
  folder.write('train.jsonl', lines.slice(0, 1100).join('\n'))
  folder.write('heldout.jsonl', lines.slice(1100).join('\n'))
  await adfaDone('fit', folder.at('train.jsonl'), '--anchors', small.anchors, '-o', model)
  loaded = loadModel(folder.text('model.json'), 'model.json')
})

function ratesOf(i: number): {truePositive: number; falsePositive: number} {
  const {truePositive, falsePositive} = loaded.concepts[i]
  return {truePositive, falsePositive}
}

describe('adfa evaluate', () => {
  test('adfa evaluate --workers gives the same figures, notes and refusals', async () => {
    const rows = folder.rows('heldout.jsonl') as {tags: string[]}[]
    const stray = rows.slice(200, 260).map(row => ({...row, tags: ['Concept 01']}))
    const files = [
      folder.write('part-1.jsonl', rows.slice(0, 120)),
      folder.write('part-2.jsonl', [...stray, {features: []}]),
      folder.write('part-3.jsonl', rows.slice(300))
    ]
    const told = async (workers: string, ...args: readonly string[]) => {
      const {code, stdout, stderr} = await adfa('evaluate', model, ...args, '--json', '--workers', workers)
      return {code, stdout, stderr: stderr.replaceAll(/^reading .*\n/gm, '')}
    }
    const alone = await told('0', ...files, '--train', folder.at('train.jsonl'))
    expect(alone).toMatchObject({code: 0, stderr: expect.stringMatching(/Concept 01/)})
    expect(await told('2', ...files, '--train', folder.at('train.jsonl'))).toEqual(alone)
    const bad = folder.write('bad-lines.jsonl', '{"features":[]}\n{}\n')
    expect(await told('2', ...files, bad)).toEqual(await told('0', ...files, bad))
  })

  test('adfa evaluate --json prints the figures beside the baselines, as the library finds them', async () => {
    const result = await adfaJson('evaluate', model, folder.at('heldout.jsonl'))
    const baselines = {'noisy-or': compared, prior: compared, 'anchors-only': compared}
    expect(result).toEqual({
      documents: 400,
      concepts: 5,
      level: 0.9,
      ...figures,
      baselines,
      best: byFigure({methods: expect.any(Array), level: expect.any(Array)}),
      untagged: 0,
      filtered: 0,
      learnedShare: 0
    })
    const rows = folder.rows('heldout.jsonl').map((row, at) => parseRow(row, {text: []}, `row ${at}`))
    expect(result).toMatchObject(JSON.parse(JSON.stringify(evaluate(loaded, encodeCorpus(rows, loaded.lexicon)))))
  })

  test('adfa evaluate --train adds the oracle, which the model does not beat by much and which beats the baselines', async () => {
    const args = [model, folder.at('heldout.jsonl'), '--train', folder.at('train.jsonl')]
    const result = await adfaJson('evaluate', ...args)
    expect(result).toMatchObject({
      baselines: {'noisy-or': figures, prior: figures, 'anchors-only': figures, oracle: figures}
    })
    const precision = (part: {tagging: {averagePrecision: number}}) => part.tagging.averagePrecision
    const {baselines, ...own} = Object(result)
    expect(precision(own)).toBeGreaterThan(precision(baselines['anchors-only']))
    expect(precision(baselines.oracle)).toBeGreaterThan(precision(baselines['anchors-only']))
    expect(precision(baselines['anchors-only'])).toBeGreaterThan(precision(baselines.prior))
  })

  test('adfa evaluate --train --baselines adds classifiers and ceilings; without --train it is refused', async () => {
    const args = [model, folder.at('heldout.jsonl'), '--train', folder.at('train.jsonl'), '--baselines']
    const {baselines, labelsWorth} = (await adfaJson('evaluate', ...args)) as {
      baselines: Record<string, typeof figures>
      labelsWorth: Record<'value' | 'low' | 'high', number>
    }
    const learners = ['anchor-label', 'positive-unlabelled', 'noise-unbiased', 'noise-weighted']
    const names = [
      ...[
        'noisy-or',
        'prior',
        'anchors-only',
        'anchors-network',
        'independent',
        ...learners,
        ...learners.map(name => `${name}-rule`),
        'imputation'
      ],
      ...['supervised-100', 'supervised-500', 'supervised-1000', 'supervised'],
      ...['oracle-ml-tree', 'oracle-ml-independent', 'oracle']
    ]
    expect(Object.keys(baselines).sort()).toEqual(names.toSorted())
    const sizes: Record<string, number> = {'supervised-100': 100, 'supervised-500': 500, 'supervised-1000': 1000}
    for (const name of names) {
      const labelled = name === 'supervised' ? 1100 : sizes[name]
      expect(baselines[name]).toEqual(labelled === undefined ? compared : {...compared, labelled})
    }
    expect(labelsWorth).toMatchObject({least: 100, most: 1100})
    expect(labelsWorth.value).toBeGreaterThanOrEqual(labelsWorth.low)
    expect(labelsWorth.value).toBeLessThanOrEqual(labelsWorth.high)
    // Words tell more than anchors alone, and true tags more than anchors: in generated data by far.
    const precision = (name: string) => Number(baselines[name].tagging.averagePrecision)
    expect(precision('noise-weighted-rule')).toBeGreaterThan(precision('anchors-only'))
    expect(precision('supervised')).toBeGreaterThan(precision('anchor-label'))
    expect(precision('independent')).toBeGreaterThan(precision('anchors-only'))
    const refused = await adfa('evaluate', model, folder.at('heldout.jsonl'), '--baselines')
    expect([refused.code, refused.stderr]).toEqual([
      2,
      expect.stringMatching(/--baselines are trained on documents; name them with --train/)
    ])
  })

  test('adfa evaluate --baselines goes on with a model that fit accepted: an anchor in one document, one rarer with its concept', async () => {
    const [once, rarer, ...others] = loaded.lexicon.anchors
    const anchors = Object.fromEntries(others.map(({concept, any}, i) => [concept, {any, ...ratesOf(i + 2)}]))
    const [first, ...rest] = folder.text('train.jsonl').trimEnd().split('\n')
    const marked = {...JSON.parse(first), text: 'unicum'}
    folder.write('once.jsonl', [JSON.stringify(marked), ...rest].join('\n'))
    folder.write(
      'once.json',
      JSON.stringify({
        ...anchors,
        [once.concept]: {any: ['text:unicum'], truePositive: 0.1, falsePositive: 1e-4},
        [rarer.concept]: {any: rarer.any, truePositive: 0.1, falsePositive: 0.6}
      })
    )
    const fitted = folder.at('once-model.json')
    const warned = await adfa('fit', folder.at('once.jsonl'), '--anchors', folder.at('once.json'), '-o', fitted)
    expect([warned.code, warned.stderr]).toEqual([0, expect.stringContaining('one anchor is rarer with the concept')])
    const args = [fitted, folder.at('heldout.jsonl'), '--train', folder.at('once.jsonl'), '--baselines']
    const {code, stderr, stdout} = await adfa('evaluate', ...args)
    expect([code, stdout]).toEqual([0, expect.stringMatching(/^noise-weighted /m)])
    expect(stderr).toContain(
      `classifiers on anchors know only how common "${once.concept}" is: its anchor fires in 1 of 1,100 training documents`
    )
    expect(stderr).toContain(`how common "${rarer.concept}" is: its anchor must fire more often with the concept`)
  })

  test('adfa evaluate prints a table with a row for the model and each baseline', async () => {
    const args = ['evaluate', model, folder.at('heldout.jsonl'), '--train', folder.at('train.jsonl'), '--quiet']
    const {code, stdout, stderr} = await adfa(...args)
    expect([code, stderr]).toEqual([0, ''])
    const lines = stdout.trimEnd().split('\n')
    expect(lines[0]).toBe('400 documents, 5 concepts')
    expect(lines[2]).toMatch(
      /last tag +log P\(tags\) +avg\. precision +AUC +micro F1 +macro F1 +micro F1\* +macro F1\* +Brier +calibration/
    )
    const numbers = '( +-?[\\d.]+){10}$'
    ;['this model', 'noisy-or', 'prior', 'anchors-only', 'oracle'].forEach((name, at) => {
      expect(lines[3 + at]).toMatch(new RegExp(`^${name}${numbers}`))
    })
    expect(lines[9]).toBe('90% intervals:')
    const ranges = '( +-?[\\d.]+ to -?[\\d.]+){10}$'
    expect(lines[12]).toMatch(new RegExp(`^this model${ranges}`))
    const {perConcept} = Object(await adfaJson(...args))
    const shown = lines.slice(21, 26).map(line => line.split(/ {2,}/))
    expect(shown.map(([name, tags]) => [name, Number(tags)])).toEqual(
      perConcept.map(({concept, tags}: {concept: string; tags: number}) => [concept, tags])
    )
    const tagged = folder.rows('heldout.jsonl') as {tags: string[]}[]
    for (const {concept, tags, averagePrecision} of perConcept) {
      expect(tags).toBe(tagged.filter(row => row.tags.includes(concept)).length)
      expect(lines.find(line => line.startsWith(`${concept} `))).toContain(averagePrecision.value.toFixed(2))
    }
    const rest = lines.slice(27).join('\n')
    expect(rest).toMatch(/^Best of each figure, .*\n\n +best +no clear difference\nlast tag +/)
  })

  test('adfa evaluate --words noisy-or judges the links alone, which otherwise stand beside the model', async () => {
    const whole = Object(await adfaJson('evaluate', model, folder.at('heldout.jsonl')))
    const links = Object(await adfaJson('evaluate', model, folder.at('heldout.jsonl'), '--words', 'noisy-or'))
    expect(Object.keys(links.baselines)).toEqual(['prior', 'anchors-only'])
    const {differences: _, ...same} = whole.baselines['noisy-or']
    expect(links).toMatchObject(same)
    expect(links.tagging.brier).not.toBe(whole.tagging.brier)
    const choices = await adfa('evaluate', model, folder.at('heldout.jsonl'), '--words', 'words')
    expect([choices.code, choices.stderr]).toEqual([2, expect.stringMatching(/Allowed choices are model, noisy-or/)])
  })

  test('adfa evaluate --reliability shows how often probabilities come true, as --json has it', async () => {
    const {tagging} = Object(await adfaJson('evaluate', model, folder.at('heldout.jsonl')))
    const text = await adfaDone('evaluate', model, folder.at('heldout.jsonl'), '--reliability')
    const [head, ...bins] = text.split('\n').slice(text.split('\n').findIndex(line => /^mean probability/.test(line)))
    expect(head).toMatch(/^mean probability +found +predictions$/)
    const shown = bins.slice(0, tagging.reliability.length).map(line => Number(line.trim().split(/ +/)[2]))
    expect(shown).toEqual(tagging.reliability.map((bin: {count: number}) => bin.count))
    expect(shown.reduce((sum, count) => sum + count, 0)).toBe(400 * 5)
    expect(bins.slice(tagging.reliability.length)).toEqual(['', 'No probability is exactly 0 or 1.', ''])
    expect(await adfaDone('evaluate', model, folder.at('heldout.jsonl'))).not.toMatch(/How often/)
  })

  test('adfa evaluate tells how many documents it left out: untagged ones, and those that the filter of the model drops', async () => {
    const questions = drawQuestions(200, rng(4))
    folder.write('questions.jsonl', questions)
    const rule = ['--anchors-from-tags', 'title', '--top-tags', '4', '--min-tags', '2', '--noise', 'labels']
    await adfaDone('fit', folder.at('questions.jsonl'), ...rule, '-o', folder.at('filtered.json'))
    const untagged = {title: 'python', text: 'list'}
    const docs = folder.write('mixed.jsonl', [...questions, untagged, untagged])
    const single = questions.filter(({tags}) => tags.length < 2).length
    const {code, stdout, stderr} = await adfa('evaluate', folder.at('filtered.json'), docs, '--json')
    expect(code).toBe(0)
    expect(JSON.parse(stdout)).toMatchObject({documents: 200 - single, untagged: 2, filtered: single})
    expect(stderr).toContain(`left out: 2 without tags, ${single} not passing the model's document filter\n`)
    expect((await adfa('evaluate', folder.at('filtered.json'), docs, '--json', '--quiet')).stderr).toBe('')
  })

  test('adfa evaluate takes labels for the concepts they name alone', async () => {
    const rows = [
      {features: ['anchor-01', 'word-0001'], labels: {'concept-01': true, 'concept-02': false}},
      {features: ['word-0002'], labels: {'concept-01': false}},
      {features: ['word-0003'], tags: ['concept-02']},
      {features: ['word-0004'], tags: []}
    ]
    const result = await adfaJson('evaluate', model, folder.write('labels.jsonl', rows))
    const corpus = encodeCorpus(
      rows.map(row => parseRow(row, {text: []}, 'row')),
      loaded.lexicon
    )
    expect(result).toMatchObject({documents: 4, lastTag: {documents: 1}})
    expect(result).toMatchObject({tagging: {brier: evaluate(loaded, corpus).tagging.brier}})
  })

  test('adfa evaluate of a model with known truth sets an oracle beside it, too', async () => {
    const args = [folder.at('truth.json'), folder.at('heldout.jsonl'), '--train', folder.at('train.jsonl')]
    expect(await adfaJson('evaluate', ...args)).toMatchObject({baselines: {oracle: figures}})
  })

  test('adfa evaluate refuses documents without tags, and says in which files', async () => {
    const docs = folder.write('untagged.jsonl', [{features: ['word-0001']}])
    const {code, stdout, stderr} = await adfa('evaluate', model, docs)
    expect([code, stdout]).toEqual([1, ''])
    expect(stderr).toMatch(/untagged\.jsonl: no document has tags or labels/)
    expect(stderr).toContain('untagged.jsonl')
  })

  test('adfa evaluate --train refuses training documents without tags, and says so', async () => {
    const docs = folder.write('untagged.jsonl', [{features: ['word-0001']}])
    const {code, stdout, stderr} = await adfa('evaluate', model, folder.at('heldout.jsonl'), '--train', docs)
    expect([code, stdout]).toEqual([1, ''])
    expect(stderr).toMatch(/untagged\.jsonl: no training document has tags/)
    expect(stderr).not.toMatch(/NaN/)
  })
})
