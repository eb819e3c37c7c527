import type {Anchors, NamedReading} from '../../read/data/index.ts'
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
}

/** Two concepts. Networks of pairs have no directions; in a directed graph the link leads from the first to the second. */
export type EdgeRule = readonly [string, string]

/** The lists of an edges file. */
export interface EdgeRules {
  readonly require: readonly EdgeRule[]
  readonly forbid: readonly EdgeRule[]
}

/** The names of the files, the number of documents, and a hash of their keys. */
export interface DocumentsMark {
  readonly files: readonly string[]
  readonly count: number
  readonly hash: string
}

/** How documents are read: `read` of adfa.json, with its names and values. */
export interface Reading extends Omit<NamedReading, 'number'> {
  readonly format?: string
  readonly encoding?: string
  /** Whether a quarter of the tagged documents is never learned from, for evaluation. */
  readonly holdOut?: boolean
  /** `age:10` or `age:18,40,65`. */
  readonly number?: readonly string[]
}

/** How the model is learned: `fit` of adfa.json, with its names and values. */
export type FitSettings = Readonly<Record<string, string | number | boolean>>
