/**
 * What needs Graphviz and charts: pictures, cards and the report, as text. It runs on a thread of its own, which starts when the
 * first picture is asked for, and owns nothing but the model it was last given.
 */
import type {Model} from '../../learn/model/index.ts'
import {type Chart, drawChart, type Graphviz, type NetworkPlaces, networkPicture} from '../drawing/index.ts'
import {type ReportFiles, type ReportInput, renderReport, reportProvenance} from './report.tsx'
import {cardText} from './report-concepts.tsx'

export type PictureRequest =
  /**
   * Undefined where the network is too dense to be drawn; `around` a concept, it and its neighbours alone. Whole networks of the
   * same concepts, one drawn after the other with the same `places`, have them in the same places.
   */
  | {readonly kind: 'network'; readonly around?: string; readonly places?: string}
  | {readonly kind: 'card'; readonly concept: string}
  | {readonly kind: 'chart'; readonly chart: Chart; readonly width?: number}

/** What a report is made from: what `adfa report` reads from files with these names. */
export interface ReportTask extends Omit<ReportInput, 'provenance'> {
  readonly files: Omit<ReportFiles, 'version'>
}

export interface DrawingApi {
  /** Keeps the model that the pictures of later calls show. */
  show(model: Model): Promise<void>
  /** SVG, or HTML for a card. */
  draw(request: PictureRequest): Promise<string | undefined>
  /** The text of report.html, to the byte as `adfa report` writes it. */
  report(task: ReportTask): Promise<string>
}

export interface DrawingHandle {
  readonly api: DrawingApi
  /** Stop at once; calls under way are rejected. */
  end(): void
}

/** Graphviz, 1.5 MB of WebAssembly: load it where a picture of a network is needed. */
export function loadGraphviz(): Promise<Graphviz> {
  return import('@viz-js/viz').then(({instance}) => instance())
}

/** `version` of the program, which reports name. */
export function createDrawing(loadGraphviz: () => Promise<Graphviz>, version: string): DrawingApi {
  let kept: Model | undefined
  let graphviz: Promise<Graphviz> | undefined
  const viz = () => {
    graphviz ??= loadGraphviz()
    return graphviz
  }
  let last: {readonly key: string; readonly places: NetworkPlaces} | undefined
  const inPlace = (model: Model, drawer: Graphviz, name: string) => {
    const key = JSON.stringify([name, model.concepts.map(concept => concept.name)])
    const picture = networkPicture(model, drawer, last?.key === key ? {places: last.places} : {})
    if (picture !== undefined) last = {key, places: picture.places}
    return picture?.svg
  }
  return {
    async show(model) {
      kept = model
    },
    async draw(request) {
      if (request.kind === 'chart') return drawChart(request.chart, request.width)
      if (kept === undefined) throw new Error('internal error: a picture before what it shows')
      switch (request.kind) {
        case 'network':
          return request.places === undefined || request.around !== undefined
            ? networkPicture(kept, await viz(), {around: request.around})?.svg
            : inPlace(kept, await viz(), request.places)
        case 'card':
          return cardText(kept, request.concept)
      }
    },
    async report({files, ...parts}) {
      return renderReport({...parts, provenance: reportProvenance({...files, version})}, await viz())
    }
  }
}
