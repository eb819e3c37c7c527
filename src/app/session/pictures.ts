import {AdfaError} from '../../base/checks/index.ts'
import type {Model} from '../../learn/model/index.ts'
import type {DrawingApi, DrawingHandle, Drawn, PictureRequest, ReportTask} from '../report/index.ts'
import type {Results} from './pipeline.ts'

/** Pictures of the last model, drawn on a thread that starts with the first of them. */
export class Pictures {
  readonly #start: () => DrawingHandle
  #drawing: DrawingHandle | undefined
  #shown: Drawn | undefined

  constructor(start: () => DrawingHandle) {
    this.#start = start
  }

  /** `lone`: the model to draw where none is learned. */
  async draw(request: PictureRequest, results: Results, lone?: Model): Promise<string | undefined> {
    return this.#ask(api => this.#drawn(api, request, () => drawnOf(results, lone)))
  }

  async report(task: ReportTask): Promise<string> {
    return this.#ask(api => api.report(task))
  }

  async #ask<T>(work: (api: DrawingApi) => Promise<T>): Promise<T> {
    this.#drawing ??= this.#start()
    try {
      return await work(this.#drawing.api)
    } catch (error) {
      // Its script could not be loaded: the next picture tries again.
      if (error instanceof AdfaError && error.code === 'cancelled') this.#forget()
      throw error
    }
  }

  async #drawn(api: DrawingApi, request: PictureRequest, of: () => Drawn): Promise<string | undefined> {
    if (request.kind !== 'chart') {
      const drawn = of()
      // Sending a model takes long; the same one is sent once.
      const parts = ['model', 'diagnosis'] as const
      const isSame = parts.every(part => drawn[part] === this.#shown?.[part])
      if (!isSame) await api.show(drawn)
      this.#shown = drawn
    }
    return api.draw(request)
  }

  #forget(): void {
    this.#drawing?.end()
    this.#drawing = undefined
    this.#shown = undefined
  }
}

function drawnOf({learned, examined}: Results, lone: Model | undefined): Drawn {
  if (learned === undefined && lone !== undefined) return {model: lone}
  if (learned === undefined)
    throw new AdfaError('bad-option', 'there is no model yet; name a concept, give it an anchor and wait for the fit')
  const isOfModel = examined !== undefined && examined.encoded === learned.encoded
  return {model: learned.model, ...(isOfModel && {diagnosis: examined.diagnosis})}
}
