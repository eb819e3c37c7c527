import {describe, expect, it} from 'vitest'
import type {LabelProgress} from '../../use/labelling/index.ts'
import {blocksText, goalText, knownPrevalences, knownText, labelledText, prevalenceTable} from './index.ts'

const concepts = ['common', 'middling', 'rare', 'hopeless']
const rate = (low: number, value: number, high: number, reason?: string) => ({
  truePositive: 0.5,
  falsePositive: 0.01,
  prevalence: {low, value, high},
  ...(reason && {refusal: {rule: 'few', reason}})
})
const rates = [rate(0.3, 0.4, 0.5), rate(0.02, 0.04, 0.08), rate(0.001, 0.01, 0.1), rate(0.01, 0.2, 0.9, 'it is rare')]
const precision = {median: 2.14, worst: {concept: 'rare', factor: 100}, unusable: ['hopeless'], rates}
const known = {documents: 37, least: 100, goal: 200, precision, enough: undefined} as unknown as LabelProgress

describe('how far labelling is', () => {
  it('labelledText(...) and knownText(...) say how many, and how well the prevalences are known', () => {
    expect(labelledText(known)).toContain('37 labelled of 100-200 ')
    expect(labelledText({...known, least: 200})).toContain('37 labelled of 200 ')
    expect(knownText(known)).toMatch(/factor of 2\.1 \(median\), 100 at worst \(rare\)/)
    expect(knownText({...known, precision: undefined})).toMatch(/no labelled document has a concept/)
    expect(knownText({...known, documents: 0, precision: undefined})).toMatch(/no document is labelled/)
  })

  it('goalText(...) says why labelling may stop, or how many more documents it takes', () => {
    expect(goalText(known, 3)).toMatch(/^63 more .* 100, .* up to 200/)
    expect(goalText({...known, documents: 120}, 3)).toMatch(/^80 more/)
    expect(goalText({...known, enough: 'documents'}, 3)).toMatch(/all 200 requested/)
    expect(goalText({...known, enough: 'intervals'}, 3)).toMatch(/that can be used is known .* factor of 3\.0/)
  })

  it('prevalenceTable(...) lists the least certain first, and why a concept cannot be used last', () => {
    const prevalences = knownPrevalences(concepts, known)
    expect(prevalences.map(({concept}) => concept)).toEqual(['rare', 'middling', 'common', 'hopeless'])
    const lines = blocksText([prevalenceTable(prevalences)]).split('\n')
    expect(lines[2]).toMatch(/^middling +4\.0% +2\.0% to 8\.0%$/)
    expect(lines[4]).toMatch(/not usable: it is rare$/)
    expect(knownPrevalences(concepts, {...known, precision: undefined})).toEqual([])
  })
})
