import {describe, expect, test} from 'vitest'
import {loadModel} from '../../../learn/model/index.ts'
import type {RefinementCertificate} from '../../../learn/training/index.ts'
import {emergencyModel} from '../../../use/synthetic/index.ts'
import {adfa, adfaDone, adfaJson, generateSmall, testFolder} from '../test-run.ts'
import {refinementText} from './report.ts'

describe('refinementText(...)', () => {
  const score = {step: 0, strength: 1, score: -1, scoreError: 0.1, gain: 0.02, gainError: 0.004}
  const certificate = {steps: 2, strength: 0.5, documents: 300, chosen: score} as RefinementCertificate
  const model = emergencyModel()

  test('refinementText(...) states what was chosen and how much better it predicts', () => {
    expect(refinementText(model, certificate)).toMatch(
      /^refined: word links updated from 300 documents in 2 steps and .*more likely than before \(1\.2% to 2\.8%\)$/
    )
  })

  test('refinementText(...) says that word weights stay, and when nothing is better than the start', () => {
    const weights = {...model, wordModel: {kind: 'weights'}} as unknown as typeof model
    expect(refinementText(weights, certificate)).toContain('predictions are unchanged')
    expect(refinementText(model, {...certificate, steps: 0, strength: 1})).toMatch(
      /^refined: nothing tried on 300 documents/
    )
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
    expect(stderr).toMatch(
      /--refine reads the documents again, and counts do not hold them; give documents, not counts/
    )
  })
})
