import type {LinearRow} from '../../base/linear/index.ts'
import {conceptSetCount, conceptSetNumber, conceptSets} from './concept-sets.ts'
import {type Partition, partitionsOf} from './partitions.ts'
import type {Release} from './release.ts'

/**
 * Everything that releases of one site tell, as linear constraints over whole numbers.
 *
 * Columns: first the numbers of each release, sets of concepts first, then those with words (and for each partition with
 * none of its values) by set; then whatever else the constraints need. With two releases, the second is of the documents of
 * the first and of others.
 */
export interface AttackModel {
  readonly lower: Float64Array
  readonly upper: Float64Array
  readonly rows: readonly LinearRow[]
  /** Of one release. */
  readonly numbers: number
}

/** What readers hold: releases of the same site, the earlier one first, and what they know of partitions. */
export interface AttackInput {
  readonly releases: readonly Release[]
  /** Fields of which every document has a value. */
  readonly complete: readonly string[]
}

/** The variables, and where their numbers are. */
interface Layout {
  readonly concepts: number
  /** Words of the lexicon. */
  readonly words: number
  /** Words, and one per partition for having none of its values. */
  readonly columns: number
  readonly sets: readonly (readonly number[])[]
  readonly withWords: number
  readonly numbers: number
  readonly partitions: readonly Partition[]
}

function layoutOf({lexicon, maxOrder}: Release): Layout {
  const [concepts, words] = [lexicon.anchors.length, lexicon.words.length]
  const partitions = partitionsOf(lexicon)
  const columns = words + partitions.length
  const sets = conceptSets(concepts, maxOrder)
  const withWords = conceptSetCount(concepts, maxOrder - 1)
  return {concepts, words, columns, sets, withWords, numbers: sets.length + withWords * columns, partitions}
}

/** A number of documents to find out: those that have some variables and lack others. */
export interface AttackTarget {
  /** Whose documents: those of a release, or of the second without the first. */
  readonly documents: 'first' | 'second' | 'added'
  readonly has: readonly number[]
  readonly lacks: readonly number[]
}

export type Term = readonly [column: number, value: number]

/** Targets as sums of columns. Variables are concepts, then words, then none of the values of each partition. */
export function targetTerms({releases}: AttackInput): (target: AttackTarget) => Term[] {
  const {concepts: m, sets, columns, numbers} = layoutOf(releases[0])
  const place = (variables: readonly number[]) => {
    const at = conceptSetNumber(
      m,
      variables.filter(i => i < m).toSorted((a, b) => a - b)
    )
    const word = variables.find(i => i >= m)
    return word === undefined ? at : sets.length + at * columns + word - m
  }
  return ({documents, has, lacks}) =>
    Array.from({length: 2 ** lacks.length}, (_, T) => lacks.filter((_, bit) => T & (1 << bit))).flatMap(more => {
      const [number, sign] = [place([...has, ...more]), (-1) ** more.length]
      const terms: Term[] = documents === 'first' ? [[number, sign]] : [[numbers + number, sign]]
      return documents === 'added' ? [...terms, [number, -sign] as const] : terms
    })
}

/** Every cell of every table, also of documents added and of those without a value of a partition. */
export function* allCells({releases}: AttackInput): Generator<AttackTarget> {
  const {sets, withWords, concepts: m, columns} = layoutOf(releases[0])
  for (const documents of releases.length > 1 ? (['first', 'added'] as const) : (['first'] as const))
    for (const [at, set] of sets.entries())
      for (let j = -1; j < (at < withWords ? columns : 0); j++) {
        const table = j < 0 ? set : [...set, m + j]
        for (let T = 0; T < 2 ** table.length; T++)
          yield {
            documents,
            has: table.filter((_, bit) => !(T & (1 << bit))),
            lacks: table.filter((_, bit) => T & (1 << bit))
          }
      }
}

/** The numbers that the releases withhold. */
export function withheldTargets({releases}: AttackInput): AttackTarget[] {
  const {sets, words: n, concepts: m} = layoutOf(releases[0])
  return releases.flatMap(({low, high, wordLow, wordHigh}, r) => {
    const documents = r === 0 ? 'first' : 'second'
    const targets: AttackTarget[] = []
    for (const [at, has] of sets.entries()) if (low[at] < high[at]) targets.push({documents, has, lacks: []})
    for (const [place, least] of wordLow.entries())
      if (least < wordHigh[place])
        targets.push({documents, has: [...sets[Math.floor(place / n)], m + (place % n)], lacks: []})
    return targets
  })
}

function numberBounds({releases, complete}: AttackInput, layout: Layout, size: number) {
  const {sets, words, columns, withWords, numbers, partitions} = layout
  const [lower, upper] = [new Float64Array(size), new Float64Array(size)]
  upper.fill(releases[releases.length - 1].high[0])
  for (const [r, release] of releases.entries()) {
    lower.set(release.low, r * numbers)
    upper.set(release.high, r * numbers)
    for (let at = 0; at < withWords; at++) {
      const to = r * numbers + sets.length + at * columns
      lower.set(release.wordLow.subarray(at * words, (at + 1) * words), to)
      upper.set(release.wordHigh.subarray(at * words, (at + 1) * words), to)
      for (const [b, {field}] of partitions.entries()) if (complete.includes(field)) upper[to + words + b] = 0
    }
  }
  return {lower, upper}
}

/** The columns of {@link patternModel}. */
export function patternModelSize(releases: readonly Release[]): number {
  const {numbers, concepts, columns} = layoutOf(releases[0])
  return releases.length * (numbers + 2 ** concepts * (1 + columns))
}

/**
 * The model that is exact: how many documents have each pattern of anchors, and how many of them each word. As no table has
 * two words, all whole numbers that satisfy it belong to documents that agree with these releases.
 */
export function patternModel(input: AttackInput): AttackModel {
  const layout = layoutOf(input.releases[0])
  const {concepts, columns, sets, withWords, numbers, partitions} = layout
  const patterns = 2 ** concepts
  const corpusStart = (c: number) => input.releases.length * numbers + c * patterns * (1 + columns)
  const documents = (c: number, p: number) => corpusStart(c) + p * (1 + columns)
  const bounds = numberBounds(input, layout, patternModelSize(input.releases))
  const rows: LinearRow[] = []
  const add = (terms: readonly Term[], lower: number, upper: number) => rows.push(rowOf(terms, lower, upper))
  const bits = sets.map(set => set.reduce((mask, i) => mask | (1 << i), 0))
  const inBlock = new Set(partitions.flatMap(({words}, b) => [...words, layout.words + b]))
  for (const c of input.releases.keys()) {
    for (const [at, mask] of bits.entries())
      for (let j = 0; j <= (at < withWords ? columns : 0); j++) {
        const number = j === 0 ? at : sets.length + at * columns + j - 1
        const terms: Term[] = [[c * numbers + number, 1]]
        if (c > 0) terms.push([(c - 1) * numbers + number, -1])
        for (let p = 0; p < patterns; p++) if ((p & mask) === mask) terms.push([documents(c, p) + j, -1])
        add(terms, 0, 0)
      }
    for (let p = 0; p < patterns; p++) {
      for (let j = 0; j < columns; j++)
        if (!inBlock.has(j))
          add(
            [
              [documents(c, p) + 1 + j, 1],
              [documents(c, p), -1]
            ],
            Number.NEGATIVE_INFINITY,
            0
          )
      for (const [b, {words, anchors}] of partitions.entries()) {
        const fired = anchors.filter(i => p & (1 << i)).length
        const values = [...words, layout.words + b].map((j): Term => [documents(c, p) + 1 + j, 1])
        add([...values, [documents(c, p), fired - 1]], 0, 0)
      }
    }
  }
  return {...bounds, rows, numbers}
}

function rowOf(terms: readonly Term[], lower: number, upper: number): LinearRow {
  return {indices: terms.map(([column]) => column), values: terms.map(([, value]) => value), lower, upper}
}

/** The terms of the rows of {@link tableModel}, about. */
export function tableModelSize(releases: readonly Release[]): number {
  const {sets, withWords, columns} = layoutOf(releases[0])
  return releases.length ** 2 * 4 ** releases[0].maxOrder * (sets.length + withWords * columns)
}

/**
 * A model that tells less and has no patterns: no cell of a table that follows from the numbers is negative, values of a
 * partition add up, and so do the same tables of the documents that came later.
 */
export function tableModel(input: AttackInput): AttackModel {
  const layout = layoutOf(input.releases[0])
  const {concepts: m, columns, sets, withWords, numbers, partitions} = layout
  const rows: LinearRow[] = []
  /** Rows on the numbers of each group of documents: the first release, and what came later. */
  const add = (terms: readonly Term[], lower: number, upper: number) => {
    for (const c of input.releases.keys())
      rows.push(
        rowOf(
          terms.flatMap(([number, value]): Term[] => [
            [c * numbers + number, value],
            ...(c > 0 ? [[(c - 1) * numbers + number, -value] as const] : [])
          ]),
          lower,
          upper
        )
      )
  }
  for (const [at, set] of sets.entries()) {
    const subsets = Array.from({length: 2 ** set.length}, (_, T) =>
      conceptSetNumber(
        m,
        set.filter((_, bit) => T & (1 << bit))
      )
    )
    for (const cell of cellTerms(subsets)) add(cell, 0, Number.POSITIVE_INFINITY)
    if (at >= withWords) continue
    for (let j = 0; j < columns; j++)
      for (const cell of cellTerms([...subsets, ...subsets.map(part => sets.length + part * columns + j)]))
        add(cell, 0, Number.POSITIVE_INFINITY)
    for (const [b, {words, anchors}] of partitions.entries()) {
      if (anchors.some(i => set.includes(i))) continue
      const fired = anchors.map(
        (i): Term => [
          conceptSetNumber(
            m,
            [...set, i].sort((a, b) => a - b)
          ),
          1
        ]
      )
      const values = [...words, layout.words + b].map((j): Term => [sets.length + at * columns + j, 1])
      add([...values, ...fired, [at, -1]], 0, 0)
    }
  }
  return {...numberBounds(input, layout, input.releases.length * numbers), rows, numbers}
}

/** For each cell of a table, its numbers with their signs; the numbers go by the bits of their variables. */
function* cellTerms(subsets: readonly number[]): Generator<Term[]> {
  for (let ones = 0; ones < subsets.length; ones++) {
    const terms: Term[] = []
    for (let T = ones; T < subsets.length; T = (T + 1) | ones) {
      let sign = 1
      for (let left = T ^ ones; left > 0; left &= left - 1) sign = -sign
      terms.push([subsets[T], sign])
    }
    yield terms
  }
}
