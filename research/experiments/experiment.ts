import type {Chart} from '../../src/app/drawing/index.ts'
import type {BayesNetwork} from '../../src/base/network/index.ts'
import type {Shrinkage} from '../../src/learn/moments/index.ts'
import {type Difference, differenceOf, type Spread, spreadOf} from '../spread.ts'
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

/** An independent piece of an experiment, named by its values, also as a file. */
export type Cell = Readonly<Record<string, string | number>>

/** A row of a `.csv` file; null where no document determines a figure. */
export type Row = Readonly<Record<string, string | number | null>>

/** What was measured of a cell: rows by the name of their table. */
export type Tables = Readonly<Record<string, readonly Row[]>>

export interface Run<C extends Cell = Cell> {
  readonly cell: C
  readonly tables: Tables
}

/** Whether a statement of the paper holds here. Unclear: within two standard errors of no difference, where the paper states one. */
export type Verdict = 'holds' | 'partly' | 'unclear' | 'not'

/** A statement, and how to judge it by the results on one corpus. */
export interface Claim {
  /** The section of the paper. */
  readonly where: string
  readonly says: string
  /** When it counts as true, and what is shown. */
  readonly rule: string
  /** About what happens when the model does not fit: documents drawn from a model do not count. */
  readonly isOfRealData?: true
  /** Undefined where the results cannot decide it. */
  judge(results: Results): {readonly verdict: Verdict; readonly shown: string} | undefined
}

/** A picture, in a file of this name. */
export type Figure = {readonly name: string; readonly caption: string} & (
  | {readonly chart: Chart}
  | {readonly network: BayesNetwork}
)

/** A table of the report. */
export interface ShownTable {
  readonly name: string
  readonly caption: string
  readonly head: readonly string[]
  /** Cells that are undefined are empty. */
  readonly rows: readonly (readonly (string | number | undefined)[])[]
}

/** One experiment of the paper: cells that are measured separately, in any order, and what is shown of all results. */
export interface Experiment<C extends Cell = Cell> {
  readonly name: ExperimentName
  readonly title: string
  /** What the paper does and finds. */
  readonly about: string
  readonly claims: readonly Claim[]
  /** Cells measure time, so they run one at a time. */
  readonly isTimed?: true
  cells(material: Material, options: ExperimentOptions): readonly C[]
  /** Relative cost of a cell, for the time left; 1 unless given. */
  cost?(cell: C): number
  /** Depends on the material and the cell alone, never on the clock unless `isTimed`. */
  measure(material: Material, cell: C): Tables | Promise<Tables>
  figures(results: Results, material: Material): readonly Figure[]
  tables(results: Results, material: Material): readonly ShownTable[]
  /** How it was measured. */
  notes(results: Results): readonly string[]
}

/** The measured rows of all cells, each with the values of its cell. */
export class Results {
  readonly runs: readonly Run[]

  constructor(runs: readonly Run[]) {
    this.runs = runs
  }

  /** The rows of a table that have these values. */
  rows(table: string, where: Readonly<Record<string, string | number>> = {}): readonly Row[] {
    const wanted = Object.entries(where)
    const all = this.runs.flatMap(({cell, tables}) => (tables[table] ?? []).map((row): Row => ({...cell, ...row})))
    return all.filter(row => wanted.every(([name, value]) => row[name] === value))
  }

  /** The different values of a column, in the order in which they come. */
  distinct<T extends string | number>(table: string, column: string): T[] {
    return [...new Set(this.rows(table).map(row => row[column] as T))]
  }

  /** A figure of every split that has it, in the order of the splits. */
  values(table: string, column: string, where: Readonly<Record<string, string | number>> = {}): number[] {
    const rows = this.rows(table, where).toSorted((a, b) => Number(a.split ?? 0) - Number(b.split ?? 0))
    return rows.flatMap(row => (typeof row[column] === 'number' ? row[column] : []))
  }

  spread(table: string, column: string, where: Readonly<Record<string, string | number>> = {}): Spread {
    return spreadOf(this.values(table, column, where))
  }

  /** One method minus another, split by split. */
  difference(
    table: string,
    column: string,
    one: Readonly<Record<string, string | number>>,
    other: Readonly<Record<string, string | number>>
  ): Difference {
    return differenceOf(this.values(table, column, one), this.values(table, column, other))
  }

  /** The smallest and the largest number in a column: "2,000 to 3,000". */
  range(table: string, column: string): string {
    const values = this.values(table, column)
    const [low, high] = [Math.min(...values), Math.max(...values)].map(value => value.toLocaleString('en'))
    return low === high ? low : `${low} to ${high}`
  }
}

/** The verdict of a difference that the paper says is above 0. */
export const verdicts: Readonly<Record<Difference['verdict'], Verdict>> = {
  above: 'holds',
  below: 'not',
  unclear: 'unclear'
}

/** Six decimals, more than chance allows; null, as in JSON, for NaN and infinities. */
export function rounded(value: number): number | null {
  return Number.isFinite(value) ? Number(value.toFixed(6)) : null
}

/** A number as results keep it: few significant digits, so that files stay small. */
export function significant(value: number, digits = 7): number {
  return Number(value.toPrecision(digits))
}

/** At most two digits, and commas: 0.046, 12, 6,073. */
export function short(value: number): string {
  return value >= 100 ? Math.round(value).toLocaleString('en') : String(Number(value.toPrecision(2)))
}

export function times(ratio: number): string {
  const rounded = Number(ratio.toPrecision(2))
  return `${ratio >= 10 ? rounded.toLocaleString('en') : ratio.toPrecision(2)} times`
}
