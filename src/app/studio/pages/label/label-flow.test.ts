import {effect} from '@preact/signals'
import {describe, expect, it} from 'vitest'
import type {LabelRow} from '../../../../use/labelling/index.ts'
import type {LabelView, SessionApi} from '../../../session/index.ts'
import {demoStudio} from '../../test-session.ts'
import {LabelFlow} from './label-flow.ts'

const settled = () => new Promise(resolve => setTimeout(resolve, 5))

/** A studio whose session asks document after document, by the number of labels; its state follows when `follow` is called. */
function labelling({isPrompt = true, session = {}}: {isPrompt?: boolean; session?: Partial<SessionApi>} = {}) {
  const given: (readonly string[] | 'skip')[] = []
  /** The labels that the session has seen. */
  let seen = 0
  const row = (at: number): LabelRow => ({
    id: at,
    labels: new Map(),
    drawn: 'random',
    skipped: undefined,
    others: new Map()
  })
  const labels = () => studio.project.value.labels
  const studio = demoStudio({
    question: async () => viewOf(isPrompt ? labels().length : seen),
    answer: async present => {
      await settled()
      given.push(present)
      return [...labels(), row(labels().length)]
    },
    ...session
  })
  const follow = () => {
    seen = labels().length
    const state = studio.state.value
    studio.hear({kind: 'state', state: {...state, revision: state.revision + 1}})
  }
  return {studio, given, follow}
}

function viewOf(at: number): LabelView {
  const concepts = ['fever', 'asthma'].map((name, place) => ({
    name,
    isPreset: at === 1 && place === 1
  }))
  return {
    concepts: ['fever', 'asthma'],
    progress: {documents: at, least: 100, goal: 200, precision: undefined, enough: undefined},
    narrow: 3,
    question: {at, name: `d${at}`, drawn: 'random', parts: [], concepts}
  }
}

const asked = (flow: LabelFlow) => flow.view.value?.question?.name

describe('LabelFlow', () => {
  it('waits for a session that has not seen the answer yet', async () => {
    const {studio, given, follow} = labelling({isPrompt: false})
    const flow = new LabelFlow(studio)
    const stop = flow.follow()
    await settled()
    await flow.answer([])
    await settled()
    expect(asked(flow)).toBe('d0')
    await flow.answer([])
    expect(given).toHaveLength(1)
    follow()
    await settled()
    expect(asked(flow)).toBe('d1')
    await flow.answer([])
    expect(given).toHaveLength(2)
    stop()
  })

  it('takes back its own answers and nothing else', async () => {
    const {studio} = labelling()
    const flow = new LabelFlow(studio)
    const stop = flow.follow()
    await settled()
    // As a button that is on the screen hears of it.
    const told: boolean[] = []
    const deafen = effect(() => {
      told.push(flow.canUndo.value)
    })
    await flow.answer(['fever'])
    await settled()
    expect(told).toEqual([false, true])
    deafen()
    studio.edit({kind: 'setName', name: 'renamed'})
    expect(flow.canUndo.value).toBe(false)
    studio.undo()
    flow.undo()
    await settled()
    expect(asked(flow)).toBe('d0')
    expect(studio.project.value.labels).toEqual([])
    stop()
  })

  it('keeps ticks and their order when only the state moves on', async () => {
    const {studio, follow} = labelling()
    const flow = new LabelFlow(studio)
    const stop = flow.follow()
    await settled()
    const before = flow.view.value?.question
    flow.tick('fever')
    follow()
    await settled()
    expect(flow.view.value?.question).toBe(before)
    expect([...flow.ticked.value]).toEqual(['fever'])
    expect(flow.asked.value).toBe(1)
    stop()
  })

  it('says a refusal and lets the question be answered again', async () => {
    const {studio, given} = labelling({session: {answer: () => Promise.reject(new Error('gone'))}})
    const flow = new LabelFlow(studio)
    const stop = flow.follow()
    await settled()
    await flow.answer([])
    expect(given).toEqual([])
    flow.tick('fever')
    expect([...flow.ticked.value]).toEqual(['fever'])
    stop()
  })

  it('leaves one of the concepts that exclude each other', async () => {
    const {studio} = labelling()
    const exclusive = {group: 0, size: 2}
    const anchors = ['fever', 'asthma'].map(concept => ({concept, any: [], not: [], rates: undefined, exclusive}))
    studio.edit({kind: 'setAnchors', anchors, words: 'exclude'})
    const flow = new LabelFlow(studio)
    const stop = flow.follow()
    await settled()
    flow.tick('fever')
    flow.tick('asthma')
    expect([...flow.ticked.value]).toEqual(['asthma'])
    stop()
  })
})
