import {describe, expect, test} from 'vitest'
import {AdfaError} from '../../base/checks/index.ts'
import type {Model} from '../../learn/model/index.ts'
import {createPictures} from './pictures.ts'
import {demoSession} from './test-session.ts'

describe('pictures of the session', () => {
  test('show the last model: its network, a card', async () => {
    const {session, project} = await demoSession(['abdominal pain', 'alcohol', 'fall', 'stroke'], {documents: 1000})
    const {api, ready} = session
    await expect(api.picture({kind: 'network'})).rejects.toThrow('there is no model yet')
    await ready(project, 1)
    expect(await api.picture({kind: 'network'})).toMatch(/^<svg.*data-concept="3"/s)
    expect(await api.picture({kind: 'card', concept: 'alcohol'})).toMatch(
      /Its anchor fires in .*etoh.*Words it switches on/s
    )
    await expect(api.picture({kind: 'card', concept: 'none'})).rejects.toThrow('the model has no concept "none"')
  })

  test('a model is sent once, and a thread that could not start is started again', async () => {
    const shown: Model[] = []
    let starts = 0
    const pictures = createPictures(() => {
      const isGone = starts++ === 0
      const show = async (model: Model) => {
        if (isGone) throw new AdfaError('cancelled', 'gone')
        shown.push(model)
      }
      return {api: {show, draw: async () => 'svg', report: async () => ''}, end: () => {}}
    })
    const model = {} as Model
    await expect(pictures.draw({kind: 'network'}, () => model)).rejects.toThrow('gone')
    for (const around of ['a', 'b']) expect(await pictures.draw({kind: 'network', around}, () => model)).toBe('svg')
    expect({starts, shown: shown.length}).toEqual({starts: 2, shown: 1})
  })
})
