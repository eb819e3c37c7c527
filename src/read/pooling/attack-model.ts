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

/** The name of a number of a release: concepts, and perhaps a word. */
export function attackedVariables(release: Release, number: number): {set: readonly number[]; word?: number} {
  const {sets, columns} = layoutOf(release)
  if (number < sets.length) return {set: sets[number]}
  const place = number - sets.length
  return {set: sets[Math.floor(place / columns)], word: place % columns}
}

/** The numbers that a release withholds. */
export function withheldPlaces(release: Release): number[] {
  const {sets, words, columns} = layoutOf(release)
  const places: number[] = []
  for (const at of sets.keys()) if (release.low[at] < release.high[at]) places.push(at)
  for (const [place, low] of release.wordLow.entries())
    if (low < release.wordHigh[place])
      places.push(sets.length + Math.floor(place / words) * columns + (place % words))
  return places
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
 * two words, all whole numbers that satisfy it belong to documents that would give these releases.
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

type Term = readonly [column: number, value: number]

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
      const fired = anchors.map((i): Term => [conceptSetNumber(m, [...set, i].sort((a, b) => a - b)), 1])
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
