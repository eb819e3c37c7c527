import {AdfaError} from '../../base/checks/index.ts'
import type {Model} from '../../learn/model/index.ts'
import type {DrawingApi, DrawingHandle, PictureRequest} from '../report/index.ts'

export type Pictures = ReturnType<typeof createPictures>

/** Pictures of models and reports, drawn on a thread that starts with the first of them. */
export function createPictures(start: () => DrawingHandle) {
  let drawing: DrawingHandle | undefined
  let shown: Model | undefined
  const ask = async <T>(work: (api: DrawingApi) => Promise<T>): Promise<T> => {
    drawing ??= start()
    try {
      return await work(drawing.api)
    } catch (error) {
      // Its script could not be loaded: the next picture tries again.
      if (error instanceof AdfaError && error.code === 'cancelled') {
        drawing?.end()
        drawing = undefined
        shown = undefined
      }
      throw error
    }
  }
  return {
    ask,
    draw: (request: PictureRequest, modelNow: () => Model) =>
      ask(async api => {
        if (request.kind !== 'chart') {
          const model = modelNow()
          // Sending a model takes long; the same one is sent once.
          if (model !== shown) await api.show(model)
          shown = model
        }
        return api.draw(request)
      })
  }
}
