import {describe, expect, test} from 'vitest'
import {AdfaError} from '../../../base/checks/index.ts'
import {rng} from '../../../base/numeric/index.ts'
import {fit} from '../../../learn/fit.ts'
import {anchorsWithRates, loadModel, saveModel} from '../../../learn/model/index.ts'
import type {FitOptions} from '../../../learn/presets.ts'
import {refine} from '../../../learn/training/index.ts'
import {countCorpus} from '../../../read/counts/index.ts'
import {type Corpus, encodeCorpus, parseRow} from '../../../read/data/index.ts'
import {generateDocuments, randomModel} from '../../../use/synthetic/index.ts'
import type {Output} from '../output.ts'
import {adfa, adfaDone, adfaJson, generateSmall, testFolder} from '../test-run.ts'
import {documentsToRefine, refineModel} from './fit-refine.ts'

const truth = randomModel({concepts: 4, words: 30, wordsPerConcept: 8, prevalence: [0.2, 0.4]}, rng(1))

function drawn(count: number): Corpus {
  const lexicon = {...truth.lexicon, anchors: anchorsWithRates(truth)}
  const rows = Array.from(generateDocuments(truth, count, rng(2)), document =>
    parseRow(document, {fields: []}, document.id)
  )
  return encodeCorpus(rows, lexicon)
}

/** What a command says. */
function listening(): Output & {readonly notes: string[]; readonly shares: (number | undefined)[]} {
  const notes: string[] = []
  const shares: (number | undefined)[] = []
  const nothing = () => {}
  return {
    notes,
    shares,
    print: nothing,
    json: nothing,
    done: nothing,
    note: text => notes.push(text),
    progress: (_, share) => shares.push(share)
  }
}

const corpus = drawn(300)
const counts = countCorpus(corpus)
const asked = {preset: 'robust', words: 'noisy-or', seed: 3} as const

describe('refineModel(...)', () => {
  test('refineModel(...) refines as the library does, every fold from a fit of the others with the same rates', () => {
    const model = fit(counts, asked)
    const lexicon = {...model.lexicon, anchors: anchorsWithRates(model)}
    const startFrom = (documents: Corpus['documents']) =>
      fit(countCorpus({lexicon, documents}), {...asked, noise: 'given'})
    const expected = refine(model, corpus, {seed: 3}, {startFrom}).model
    const output = listening()
    const refined = refineModel(model, corpus, asked, {}, output)
    expect(refined.certificate).toEqual(expected.certificate)
    expect(refined.loadings).toEqual(expected.loadings)
    expect(refined.certificate.refinement).toMatchObject({documents: 300, seed: 3, candidates: 15})
    expect(refined.certificate.refinement.chosen.gain).toBeGreaterThan(0)
    expect(refined.certificate.loadings).toEqual(model.certificate.loadings)
    expect(loadModel(saveModel(refined), 'refined.json').certificate.refinement).toEqual(refined.certificate.refinement)
    expect(output.notes).toHaveLength(1)
    expect(output.notes[0]).toMatch(/^refined: words .*likelier than before \([-.\d]+% to [.\d]+%\)$/)
    expect(output.shares.length).toBeGreaterThanOrEqual(9)
    expect(output.shares).toEqual(output.shares.toSorted((a = 0, b = 0) => a - b))
    expect(output.shares.every(share => share !== undefined && share >= 0 && share <= 1)).toBe(true)
  })

  test('refineModel(...) takes documents that were read with concepts that the fit left out', () => {
    const skipping: Partial<FitOptions> & {readonly preset: 'robust'; readonly seed: number} = {
      ...asked,
      noise: 'given',
      skipBadAnchors: true
    }
    const [first, ...others] = counts.lexicon.anchors
    const anchors = [{...first, rates: undefined}, ...others]
    const model = fit({...counts, lexicon: {...counts.lexicon, anchors}}, skipping)
    expect(model.concepts).toHaveLength(3)
    const refined = refineModel(model, corpus, skipping, {}, listening())
    expect(refined.concepts).toEqual(model.concepts)
    expect(refined.loadings.conceptCount).toBe(3)
  })

  test('refineModel(...) leaves predictions in log-odds as they are, and says so', () => {
    const options = {...asked, words: 'weights'} as const
    const model = fit(counts, options)
    const output = listening()
    const refined = refineModel(model, corpus, options, {}, output)
    expect(refined.wordModel).toBe(model.wordModel)
    expect(refined.loadings).not.toEqual(model.loadings)
    expect(output.notes[0]).toContain('predictions stay as they were: they come from words in log-odds')
  })

  test('refineModel(...) says when nothing is better than the start', () => {
    const output = listening()
    const few = {...corpus, documents: corpus.documents.slice(0, 6)}
    const refined = refineModel(truth, few, {...asked, noise: 'given'}, {}, output)
    expect(refined.certificate.refinement).toMatchObject({steps: 0, strength: 1, documents: 6})
    expect(refined.loadings).toBe(truth.loadings)
    expect(output.notes).toEqual([
      'refined: nothing tried on 6 documents foretold anchors surely better, so all words stay as they were'
    ])
  })
})

describe('adfa fit --refine', () => {
  const folder = testFolder()

  test('adfa fit --refine writes the refined words and what was chosen, and refuses counts', async () => {
    const {docs, anchors} = await generateSmall(folder, 400)
    const fitting = ['--anchors', anchors, '--words', 'noisy-or']
    const told = await adfaJson('fit', docs, ...fitting, '--refine', '-o', folder.at('r.json'))
    expect(told).toMatchObject({seconds: {refine: expect.any(Number)}})
    const refined = loadModel(folder.text('r.json'), 'r.json')
    expect(refined.certificate.refinement).toMatchObject({documents: 400, seed: 0})
    await adfaDone('fit', docs, ...fitting, '-o', folder.at('plain.json'))
    expect(loadModel(folder.text('plain.json'), 'plain.json').loadings).not.toEqual(refined.loadings)
    await adfaDone('count', docs, '--anchors', anchors, '-o', folder.at('d.counts'))
    const {code, stderr} = await adfa('fit', folder.at('d.counts'), '--refine', '-o', folder.at('none.json'))
    expect([code, folder.names().includes('none.json')]).toEqual([2, false])
    expect(stderr).toMatch(/--refine: refining reads the documents again, and counts do not hold them/)
  })
})

describe('documentsToRefine(...)', () => {
  test('documentsToRefine(...) refuses counts, and hands documents on', () => {
    expect(documentsToRefine(corpus)).toBe(corpus)
    const refusal = /^--refine: refining reads the documents again.*; give documents, not counts$/
    expect(() => documentsToRefine(undefined)).toThrow(refusal)
    expect(() => documentsToRefine(undefined)).toThrow(AdfaError)
  })
})
