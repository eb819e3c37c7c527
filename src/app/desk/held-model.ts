/** The model that came inside a project file, and whether it is what a fit gives here. */
import {type Model, saveModel} from '../../learn/model/index.ts'
import type {LearnedResult} from './pipeline.ts'
import type {Project} from './project.ts'
import type {HeldModel} from './views.ts'

export interface Held {
  /** The project as the file has it. */
  readonly project: Project
  readonly file: string
  /** As in a model file. */
  readonly text: string
}

/** What a model is, in numbers, and what its documents have. */
export function heldModel({concepts, options, lexicon}: Model, text: string): HeldModel {
  const {documents} = options
  return {
    concepts: concepts.length,
    ...(typeof documents === 'number' && {documents}),
    fields: lexicon.reading.text,
    bytes: new TextEncoder().encode(text).length
  }
}

/**
 * Whether a fit of the same project gives the same model, in words; undefined where the project has changed since. A model in a
 * file proves nothing about the documents that are open, so the studio learns its own and compares.
 */
export function heldWords({project, file, text}: Held, {model, encoded}: LearnedResult): string | undefined {
  const decided = ({reading, anchors, fit, labels, edges}: Project) =>
    JSON.stringify([reading, anchors, fit, labels, edges])
  if (decided(project) !== decided(encoded.project)) return undefined
  return saveModel(model) === text
    ? `The model in ${file} is the one that was learned here, byte for byte.`
    : `The model in ${file} is not what these documents give; the one that was learned here is used.`
}
