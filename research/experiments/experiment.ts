import type {BayesNetwork} from '../../src/base/network/index.ts'
import type {Shrinkage} from '../../src/learn/moments/index.ts'
import type {Chart, Markup} from '../../src/use/report/index.ts'
import type {Material} from './material.ts'

/** The experiments of the paper, in the order of the report. */
export const experimentNames = ['trees', 'factors', 'heldout-likelihood', 'last-tag', 'em-drift', 'timing'] as const
export type ExperimentName = (typeof experimentNames)[number]

export interface ExperimentOptions {
  /** Random divisions of the documents into training and held-out ones. */
  readonly splits: number
  /** Numbers of training documents, where an experiment varies them; all of them is always added. */
  readonly sizes: readonly number[]
  /** Shrinkages towards independence, where an experiment compares them. */
  readonly shrinkages: readonly Shrinkage[]
  /** Where the recovery of moments stops; that of the library unless given. Cells with a gap have it among their values. */
  readonly gap?: number
  readonly seed: number
}

export const experimentDefaults: ExperimentOptions = {
  splits: 8,
  sizes: [500, 1000, 2000, 4000, 8000, 16_000],
  shrinkages: [0.01, '10/N'],
  seed: 0
}

/** What cells and results consist of, so that they can be saved. */
export type Json = string | number | boolean | null | readonly Json[] | {readonly [name: string]: Json | undefined}

/** An independent piece of an experiment, named by its values, also as a file. */
export type Cell = Readonly<Record<string, string | number>>

export interface Run<C extends Cell, R> {
  readonly cell: C
  readonly result: R
}

/** Two networks on one page need two ids. */
interface NetworkLook {
  readonly id: string
  readonly title: string
}

/** Draws pictures, in one style for all experiments. */
export interface Pictures {
  chart(chart: Chart): string
  network(network: BayesNetwork, names: readonly string[], look: NetworkLook): string
}

export interface Figure {
  /** The file's name, without `.svg`. */
  readonly name: string
  readonly svg: string
  readonly caption: string
}

/** Rows for a `.csv` file. */
export interface ResultTable {
  /** The file's name, without `.csv`. */
  readonly name: string
  readonly head: readonly string[]
  readonly rows: readonly (readonly (string | number)[])[]
}

export interface Presentation {
  readonly figures: readonly Figure[]
  readonly tables: readonly ResultTable[]
  /** The section of the report, without its title. */
  readonly html: Markup
}

/** One experiment of the paper: cells that are measured separately, in any order, and a presentation of all results. */
export interface Experiment<C extends Cell = Cell, R extends Json = Json> {
  readonly name: ExperimentName
  readonly title: string
  /** Cells measure time, so they run one at a time. */
  readonly isTimed?: true
  cells(material: Material, options: ExperimentOptions): readonly C[]
  /** Relative cost of a cell, for the time left; 1 unless given. */
  cost?(cell: C): number
  /** Depends on the material and the cell alone, never on the clock unless `isTimed`. */
  measure(material: Material, cell: C): R | Promise<R>
  present(runs: readonly Run<C, R>[], material: Material, pictures: Pictures): Presentation
}

/** Six decimals, more than chance allows; null, as in JSON, for NaN and infinities. */
export function rounded(value: number): number | null {
  return Number.isFinite(value) ? Number(value.toFixed(6)) : null
}

/** A number as results keep it: few significant digits, so that files stay small. */
export function significant(value: number, digits = 7): number {
  return Number(value.toPrecision(digits))
}
