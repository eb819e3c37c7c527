import {hashString} from '../../base/numeric/index.ts'
import {counted, listed, printableLine} from '../../base/text/index.ts'
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

/**
 * A hash of documents by their keys (`labelKey`): 64 bits in hexadecimal. The order does not matter, as it does not to a model,
 * so that sorted or split files are recognised; a document that comes twice does. Cost: the characters of the keys.
 */
export function documentsHash(keys: Iterable<string>): string {
  const sums = [0, 0]
  for (const key of keys) for (let seed = 0; seed < 2; seed++) sums[seed] = (sums[seed] + hashString(key, seed)) >>> 0
  return sums.map(sum => sum.toString(16).padStart(8, '0')).join('')
}

/** Says how documents differ from a project's own; undefined if they are the same. File names may differ. */
export function marksDiffer(
  mark: DocumentsMark | undefined,
  {count, hash}: Pick<DocumentsMark, 'count' | 'hash'>
): string | undefined {
  if (mark === undefined || (mark.count === count && mark.hash === hash)) return undefined
  const files = listed(mark.files.map(printableLine))
  const made = `the project was made with ${counted(mark.count, 'document')}${files === '' ? '' : ` of ${files}`}`
  return mark.count === count
    ? `${made}; these are as many, but different`
    : `${made}; these are ${counted(count, 'document')}`
}
