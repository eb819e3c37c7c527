import {describe, expect, test} from 'vitest'
import {composeModel} from '../../learn/model/index.ts'
import {smallParts, smallWeights} from '../../learn/model/test-small-model.ts'
import {certificateFacts} from './certificate-facts.ts'
import {conceptFacts} from './concept-facts.ts'

const model = composeModel(smallParts)

describe('conceptFacts', () => {
  test('conceptFacts(...) has the rates of the model, and the precision that they give by Bayes’ rule', () => {
    const [fever] = conceptFacts(model, certificateFacts(model), undefined)
    const {truePositive: t, falsePositive: e, prevalence: p} = model.concepts[0]
    expect(fever).toMatchObject({
      id: 'concept-1',
      name: 'fever',
      anchors: ['text:fever', '/t(emp)? 39/'],
      vetoes: ['text:no fever'],
      rates: {prevalence: {value: p}, truePositive: {value: t}, falsePositive: {value: e}}
    })
    expect(fever.rates?.precision.value).toBeCloseTo((p * t) / (p * t + (1 - p) * e), 12)
  })

  test('conceptFacts(...) has the words that a concept switches on, with 1 - failure, without the only field', () => {
    const [fever, , flu] = conceptFacts(model, certificateFacts(model), undefined)
    expect(fever.words.map(({word, logOdds}) => [word, logOdds])).toEqual([['pale', undefined]])
    expect(fever.words[0].switchesOn).toBeCloseTo(1 - 0.9, 12)
    expect(flu.words.map(({word}) => word)).toEqual(['tired'])
    expect(flu.words[0].switchesOn).toBeCloseTo(1 - 0.3, 12)
    expect(fever.weights).toBeUndefined()
  })

  test('conceptFacts(...) has the weight of each word where the model predicts in log-odds, strongest first', () => {
    const weights = [
      [0.5, 1.5],
      [-2, 0.05],
      [0, -0.3]
    ]
    const weighted = {...model, wordModel: {...smallWeights, weights}}
    const [fever, cough, flu] = conceptFacts(weighted, certificateFacts(model), undefined)
    expect(fever.words[0].logOdds).toBe(0.5)
    expect(fever.weights).toEqual({
      for: [
        {word: 'tired', logOdds: 1.5},
        {word: 'pale', logOdds: 0.5}
      ],
      against: []
    })
    expect(cough.weights).toEqual({for: [], against: [{word: 'pale', logOdds: -2}]})
    expect(flu.weights?.against).toEqual([{word: 'tired', logOdds: -0.3}])
  })

  test('conceptFacts(...) has the interval of each prevalence, also without labels, around the value of the network', () => {
    const {prevalence} = model.concepts[0]
    const rates = (low: number, high: number) => ({
      concept: 'fever',
      precision: {},
      basis: 'labels',
      sources: ['pooled'],
      prevalence: {low, high}
    })
    const facts = (low: number, high: number) => {
      const noise = {method: 'auto', labelledCount: 0, clippedPrevalence: [], concepts: [rates(low, high)]}
      return conceptFacts(model, certificateFacts({certificate: {noise}}), undefined)[0].rates?.prevalence
    }
    expect(facts(0.01, 0.99)).toEqual({value: prevalence, low: 0.01, high: 0.99})
    expect(facts(0.001, 0.002)).toEqual({value: prevalence, low: 0.001, high: prevalence})
    // Given rates do not vary.
    expect(facts(0.2, 0.2)).toEqual({value: prevalence})
  })

  test('conceptFacts(...) gives each concept its own findings, its intervals and the confidence of its links', () => {
    const evidence = {documents: 60, share: 0.6}
    const finding = (concept: string) => ({concept, severity: 'warning', kind: 'always', evidence}) as const
    const ranges = {prevalence: [0.3, 0.4], truePositive: [0.7, 0.7], falsePositive: [0, 0.1]}
    const intervals = {
      level: 0.95,
      replicates: 10,
      refused: 0,
      concepts: [{name: 'fever', ...ranges}],
      edges: [{parent: 'fever', child: 'flu', confidence: 0.8}]
    }
    const facts = certificateFacts({certificate: {intervals}})
    const diagnosis = {
      documentCount: 1,
      readsDocuments: true,
      labelledCount: 0,
      anchors: [],
      fields: [],
      uncovered: [],
      findings: [finding('flu'), finding('fever')]
    }
    const [fever, cough] = conceptFacts(model, facts, diagnosis)
    expect(fever.findings).toEqual([finding('fever')])
    expect(cough.findings).toEqual([])
    expect(fever.rates?.prevalence).toMatchObject({low: 0.3, high: 0.4})
    expect(fever.rates?.truePositive.low).toBeUndefined()
    expect(fever.neighbours.map(({name, id, confidence}) => [name, id, confidence])).toEqual([
      ['flu', 'concept-3', 0.8]
    ])
    expect(cough.neighbours[0].confidence).toBeUndefined()
  })
})
