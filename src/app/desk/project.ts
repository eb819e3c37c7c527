import type {Anchors, TextOptions} from '../../read/data/index.ts'
import type {LabelRow} from '../../use/labelling/index.ts'

/**
 * What a person has decided, and nothing else: everything on the screen follows from it and from the documents. It is never
 * changed in place (`applyEdit`), so that undoing is going back to the one before.
 */
export interface Project {
  readonly name: string
  readonly reading: Reading
  /** A concept may have no member yet; it is then left out of counting. */
  readonly anchors: Anchors
  readonly fit: FitSettings
  /** The answers in order, as in a labels file. */
  readonly labels: readonly LabelRow[]
  /** The documents it was made with, to recognise them when the project is opened again. */
  readonly documents?: DocumentsMark | undefined
  /** The model file that the command line writes; model.json if there is none. */
  readonly model?: string
  /** Links that the network must have or must not have; unset without any. */
  readonly edges?: EdgeRules
  /** Earlier states to compare with, in the order they were taken. */
  readonly snapshots?: readonly Snapshot[]
}

/** Two concepts. Networks of pairs have no directions; in a directed graph the link leads from the first to the second. */
export type EdgeRule = readonly [string, string]

/** The lists of an edges file. */
export interface EdgeRules {
  readonly require: readonly EdgeRule[]
  readonly forbid: readonly EdgeRule[]
}

/** A named project with its model. */
export interface Snapshot {
  readonly name: string
  /** The project as it was, without its snapshots. */
  readonly project: Omit<Project, 'snapshots'>
  /** Concepts that were renamed since: their name then, and the name today. */
  readonly renamed: readonly (readonly [then: string, now: string])[]
  /** The text of the model file; undefined where it was not ready. */
  readonly model?: string
}

/** The names of the files, the number of documents, and a hash of their keys. */
export interface DocumentsMark {
  readonly files: readonly string[]
  readonly count: number
  readonly hash: string
}

/** How documents are read: `read` of adfa.json, with its names and values. */
export interface Reading extends Partial<Omit<TextOptions, 'text'>>, Pick<TextOptions, 'text'> {
  readonly format?: string
  readonly encoding?: string
  /** Whether a quarter of the tagged documents is never learned from, for evaluation. */
  readonly holdOut?: boolean
}

/** How the model is learned: `fit` of adfa.json, with its names and values. */
export type FitSettings = Readonly<Record<string, string | number | boolean>>
