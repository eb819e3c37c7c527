import {AdfaError} from '../../base/checks/index.ts'
import type {Model} from '../../learn/model/index.ts'
import type {DrawingApi, DrawingHandle, PictureRequest} from '../report/index.ts'

/** Pictures of the last model, drawn on a thread that starts with the first of them. */
export class Pictures {
  readonly #start: () => DrawingHandle
  #drawing: DrawingHandle | undefined
  #shown: Model | undefined

  constructor(start: () => DrawingHandle) {
    this.#start = start
  }

  async draw(request: PictureRequest, modelNow: () => Model): Promise<string | undefined> {
    return this.ask(async api => {
      if (request.kind !== 'chart') {
        const model = modelNow()
        // Sending a model takes long; the same one is sent once.
        if (model !== this.#shown) await api.show(model)
        this.#shown = model
      }
      return api.draw(request)
    })
  }

  async ask<T>(work: (api: DrawingApi) => Promise<T>): Promise<T> {
    this.#drawing ??= this.#start()
    try {
      return await work(this.#drawing.api)
    } catch (error) {
      // Its script could not be loaded: the next picture tries again.
      if (error instanceof AdfaError && error.code === 'cancelled') {
        this.#drawing?.end()
        this.#drawing = undefined
        this.#shown = undefined
      }
      throw error
    }
  }
}
