import {describe, expect, it} from 'vitest'
import type {DrawnDocument} from './draw-documents.ts'
import {planQuestions} from './plan-questions.ts'
import {toRow} from './test-task.ts'

function documents(prefix: string, count: number): DrawnDocument[] {
  const evidence = {words: [], anchors: [], members: []}
  return Array.from({length: count}, (_, at) => {
    const id = `${prefix}${at}`
    return {key: id, row: toRow({id, text: ''}), evidence}
  })
}

describe('planQuestions', () => {
  it('planQuestions(...) asks short questions in even blocks after every ten documents, done by the hundredth', () => {
    const anchored = [documents('a', 3), documents('b', 3), documents('c', 3), documents('d', 1)]
    const plan = planQuestions({random: documents('r', 200), anchored})
    expect(plan).toHaveLength(210)
    // One short question after each of the first ten blocks: a round of all concepts, then the next round.
    const short = plan.flatMap(({drawn, document}, at) => (drawn === 'anchored' ? [[document.key, at]] : []))
    expect(short).toEqual(
      ['a0', 'b0', 'c0', 'd0', 'a1', 'b1', 'c1', 'a2', 'b2', 'c2'].map((key, n) => [key, 11 * n + 10])
    )
    const whole = plan.filter(({drawn}) => drawn === 'random').map(({document}) => document.key)
    expect(whole).toEqual(documents('r', 200).map(({key}) => key))
  })

  it('planQuestions(...) says which concept a short question is about', () => {
    const plan = planQuestions({random: documents('r', 1), anchored: [[], documents('b', 2)]})
    expect(plan.map(question => (question.drawn === 'random' ? undefined : question.concept))).toEqual([
      undefined,
      1,
      1
    ])
  })

  it('planQuestions(...) asks every question once, however few documents there are', () => {
    for (const count of [0, 1, 9, 10, 11, 35, 99, 101]) {
      const plan = planQuestions({random: documents('r', count), anchored: [documents('a', 7)]})
      expect(new Set(plan.map(({document}) => document.key)).size).toBe(count + 7)
      expect(plan).toHaveLength(count + 7)
    }
  })
})
