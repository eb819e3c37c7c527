import {describe, expect, test} from 'vitest'
import {demoProject, demoStudio, readyState} from '../../test-session.ts'
import {compareState, sidesOf} from './compare-state.ts'

describe('CompareState', () => {
  test('asks for the two sides that are chosen, and keeps the answer with its revision', async () => {
    const asked: unknown[] = []
    const snapshots = [{name: 'before', project: demoProject, renamed: []}]
    const studio = demoStudio({}, {snapshots})
    const {compare} = studio.session
    studio.session.compare = (...sides) => {
      asked.push(sides)
      return compare(...sides)
    }
    const state = compareState(studio)
    expect(state.sides).toEqual([{kind: 'snapshot', name: 'before'}, {kind: 'now'}])
    state.setSide(0, {kind: 'snapshot', name: 'before'})
    state.setSide(1, {kind: 'fit', fit: {structure: 'tree'}})
    const work = state.compare()
    expect(state.isAtWork.value).toBe(true)
    await work
    expect(asked).toEqual([
      [
        {kind: 'snapshot', name: 'before'},
        {kind: 'fit', fit: {structure: 'tree'}}
      ]
    ])
    expect([state.compared.value?.revision, state.isAtWork.value]).toEqual([readyState.revision, false])
    // It stays while other pages are open.
    expect(compareState(studio)).toBe(state)
  })

  test('a snapshot that is gone is the model as it is', () => {
    const state = compareState(demoStudio())
    state.setSide(0, {kind: 'snapshot', name: 'gone'})
    expect(state.sides).toEqual([{kind: 'now'}, {kind: 'now'}])
  })

  test('a refusal is said, and the last comparison stays', async () => {
    const studio = demoStudio()
    const state = compareState(studio)
    await state.compare()
    studio.session.compare = () => Promise.reject(new Error('the numbers are not ready'))
    await state.compare()
    expect(state.fault.value).toBe('the numbers are not ready')
    expect(state.compared.value?.view.sides[0]).toEqual({kind: 'snapshot', name: 'before'})
    expect(state.isAtWork.value).toBe(false)
  })

  test('a project offers what is there, its snapshots, and other settings', () => {
    const snapshots = [{name: 'before', project: demoProject, renamed: []}]
    expect(sidesOf({...demoProject, fit: {seed: 3}, snapshots})).toEqual([
      {kind: 'now'},
      {kind: 'snapshot', name: 'before'},
      {kind: 'fit', fit: {seed: 3, structure: 'tree'}}
    ])
  })
})
