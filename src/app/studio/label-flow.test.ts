import {effect, signal} from '@preact/signals'
import {describe, expect, it} from 'vitest'
import type {LabelRow} from '../../use/labelling/index.ts'
import type {DeskApi, Edit, LabelView, Project} from '../desk/index.ts'
import {LabelFlow} from './label-flow.ts'
import type {Studio} from './store.ts'
import {demoProject, fakeStudio} from './test-studio.ts'

const settled = () => new Promise(resolve => setTimeout(resolve, 5))

/** A studio whose desk asks document after document, by the number of labels; its state follows when `follow` is called. */
function labelling({isPrompt = true} = {}) {
  const given: (readonly string[] | 'skip')[] = []
  const project = signal<Project>({...demoProject, labels: []})
  const before: Project[] = []
  /** The labels that the desk has seen. */
  let seen = 0
  const row = (at: number): LabelRow => ({
    id: at,
    labels: new Map(),
    drawn: 'random',
    skipped: undefined,
    others: new Map()
  })
  const desk: Partial<DeskApi> = {
    question: async () => viewOf(isPrompt ? project.value.labels.length : seen),
    answer: async present => {
      await settled()
      given.push(present)
      return [...project.value.labels, row(project.value.labels.length)]
    }
  }
  const fake = fakeStudio({desk})
  const state = signal(fake.state.value)
  const studio: Studio = {
    ...fake,
    project,
    state,
    edit(edit: Edit) {
      if (edit.kind !== 'setLabels') throw new Error('another edit')
      before.push(project.value)
      project.value = {...project.value, labels: edit.labels}
    },
    undo() {
      project.value = before.pop() ?? project.value
    }
  }
  const follow = () => {
    seen = project.value.labels.length
    state.value = {...state.value, revision: state.value.revision + 1}
  }
  return {studio, given, follow, project}
}

function viewOf(at: number): LabelView {
  const concepts = ['fever', 'asthma'].map((name, place) => ({
    name,
    probability: 0.5,
    isPreset: at === 1 && place === 1
  }))
  return {
    documents: at,
    least: 100,
    goal: 200,
    words: '',
    intervals: [],
    question: {at, name: `d${at}`, drawn: 'random', parts: [], concepts}
  }
}

const asked = (flow: LabelFlow) => flow.view.value?.question?.name

describe('LabelFlow', () => {
  it('answers a question once, however often Enter is pressed', async () => {
    const {studio, given, follow} = labelling()
    const flow = new LabelFlow(studio)
    const stop = flow.follow()
    await settled()
    flow.tick('fever')
    void flow.answer()
    void flow.answer()
    flow.tick('asthma')
    await flow.answer()
    await settled()
    await settled()
    follow()
    await settled()
    expect(given).toEqual([['fever']])
    expect(asked(flow)).toBe('d1')
    expect([...flow.ticked.value]).toEqual(['asthma'])
    await flow.answer('skip')
    expect(given).toEqual([['fever'], 'skip'])
    stop()
  })

  it('waits for a desk that has not seen the answer yet', async () => {
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
    const {studio, project} = labelling()
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
    const labelled = project.value
    project.value = {...labelled, name: 'renamed'}
    expect(flow.canUndo.value).toBe(false)
    project.value = labelled
    flow.undo()
    await settled()
    expect(asked(flow)).toBe('d0')
    expect(project.value.labels).toEqual([])
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
    const {studio, given} = labelling()
    const refusing: Studio = {...studio, desk: {...studio.desk, answer: () => Promise.reject(new Error('gone'))}}
    const flow = new LabelFlow(refusing)
    const stop = flow.follow()
    await settled()
    await flow.answer([])
    expect(given).toEqual([])
    flow.tick('fever')
    expect([...flow.ticked.value]).toEqual(['fever'])
    stop()
  })

  it('leaves one of the concepts that exclude each other', async () => {
    const {studio, project} = labelling()
    const exclusive = {group: 0, size: 2}
    const anchors = ['fever', 'asthma'].map(concept => ({concept, any: [], not: [], rates: undefined, exclusive}))
    project.value = {...project.value, anchors}
    const flow = new LabelFlow(studio)
    const stop = flow.follow()
    await settled()
    flow.tick('fever')
    flow.tick('asthma')
    expect([...flow.ticked.value]).toEqual(['asthma'])
    stop()
  })
})
