import {existsSync, readFileSync} from 'node:fs'
import {fileURLToPath} from 'node:url'
import {gunzipSync} from 'node:zlib'
import {allRates, recoverMoments} from '../../src/learn/moments/index.ts'
import {usableNoise} from '../../src/learn/noise/index.ts'
import {
  bicScores,
  type Family,
  type FamilyScores,
  parameterCount,
  type StructureScore
} from '../../src/learn/structure/index.ts'
import type {Counts} from '../../src/read/counts/index.ts'
import {countDocuments} from '../../src/read/engines/index.ts'
import {openDocuments} from '../../src/read/files/index.ts'
import {strayCounts} from './generated.ts'

export interface Problem {
  readonly problem: string
  readonly scores: FamilyScores
}

/** Corpora, networks and score files from folders next to the checkout; they are not part of the project. */
const library = new URL('../../../shared/data/', import.meta.url)
export const libraryIsThere: boolean = existsSync(library)

/** Anchors of a random tree of concepts, well specified; moments of order 3 over the simplex. */
export async function generated(concepts: number, penalty: number): Promise<Problem> {
  return {
    problem: penalty === 1 ? 'generated, penalty 1' : 'generated',
    scores: await scoresOf(strayCounts(concepts, 20_000, 0), penalty)
  }
}

/** The commonest tags of a corpus, each with its own name in a field as its anchor, rates from the tags. */
export async function realCorpus(name: string, concepts: number, score: StructureScore = 'bic'): Promise<Problem> {
  const fields = name === 'npm-packages' ? ['title', 'text'] : ['title']
  const source = openDocuments([fileURLToPath(new URL(`${name}.jsonl.gz`, library))], {fields})
  const options = {fields, labelShare: 1, vocabulary: 1, skipBadAnchors: true}
  const counts = await countDocuments(source, {kind: 'tags', fields, topTags: concepts}, options)
  await source.close()
  return {problem: score === 'bic' ? name : `${name}, ${score}`, scores: await scoresOf(counts, 0.5, score)}
}

/**
 * The scores of a GOBNILP file: a line with the number of concepts; then per concept a line with its name and the number of
 * its families, and per family a line with score, number of parents and their names.
 */
export function scoreFile(name: string): Problem {
  const text = readFileSync(new URL(`networks/scores/${name}`, library), 'utf8')
  const lines = text
    .trim()
    .split(/\n/)
    .slice(1)
    .map(line => line.trim().split(/\s+/))
  const blocks: {readonly name: string; readonly rows: string[][]}[] = []
  while (lines.length > 0) {
    const [head] = lines.splice(0, 1)
    blocks.push({name: head[0], rows: lines.splice(0, Number(head[1]))})
  }
  const numbers = new Map(blocks.map((block, i) => [block.name, i]))
  const scores = blocks.map(({rows}) =>
    rows.map(([score, , ...parents]): Family => {
      const list = parents.map(parent => numbers.get(parent) ?? Number.NaN).sort((a, b) => a - b)
      return {parents: list, score: Number(score)}
    })
  )
  return {problem: name, scores: pruneFamilies(scores)}
}

/** Plain BIC on tables of the simplex; the noise-aware score of `fit` on those of the local polytope. */
async function scoresOf(given: Counts, penalty: number, score: StructureScore = 'bic'): Promise<FamilyScores> {
  const {counts, noise} = usableNoise(given, 'labels', {})
  const {table} = await recoverMoments(counts, noise, {polytope: score === 'bic' ? 'simplex' : 'local'})
  const rates = allRates(noise)
  const parameters = parameterCount(score, table, rates)
  return bicScores(table, rates.length, counts.documentCount, {penalty, parameters})
}

/** Keeps the families for which no subset of the parents scores as well, best first. */
function pruneFamilies(scores: FamilyScores): FamilyScores {
  const isSubset = (a: Family, b: Family) =>
    a.parents.length < b.parents.length && a.parents.every(parent => b.parents.includes(parent))
  return scores.map(families =>
    families
      .filter(family => !families.some(other => isSubset(other, family) && other.score >= family.score))
      .toSorted((a, b) => b.score - a.score)
  )
}

/** The 10,000 samples of the alarm network, variables of two to four states: BIC by counting. */
export function alarm(maxParents: number): Problem {
  const text = gunzipSync(readFileSync(new URL('networks/data/alarm_10000.dat.gz', library))).toString()
  const [, sizes, ...rows] = text
    .trimEnd()
    .split('\n')
    .map(line => line.trim().split(/\s+/))
  const states = sizes.map(Number)
  const columns = states.map((_, i) => Uint8Array.from(rows, row => Number(row[i])))
  const scores = columns.map((child, i) =>
    subsets(columns.length, maxParents)
      .filter(parents => !parents.includes(i))
      .map((parents): Family => {
        const settings = parents.reduce((count, k) => count * states[k], 1)
        const cost = 0.5 * Math.log(rows.length) * settings * (states[i] - 1)
        const fit = logLikelihood(
          child,
          states[i],
          parents.map(k => columns[k]),
          parents.map(k => states[k])
        )
        return {parents, score: fit - cost}
      })
  )
  return {problem: 'alarm, 10,000 samples', scores: pruneFamilies(scores)}
}

/** The largest log-likelihood of a column given others. */
function logLikelihood(
  child: Uint8Array,
  states: number,
  parents: readonly Uint8Array[],
  sizes: readonly number[]
): number {
  const settings = sizes.reduce((count, size) => count * size, 1)
  const cells = new Float64Array(settings * states)
  for (let row = 0; row < child.length; row++) {
    let setting = 0
    for (let at = 0; at < parents.length; at++) setting = setting * sizes[at] + parents[at][row]
    cells[setting * states + child[row]]++
  }
  let sum = 0
  for (let start = 0; start < cells.length; start += states) {
    const group = cells.subarray(start, start + states)
    const total = group.reduce((count, cell) => count + cell, 0)
    for (const cell of group) if (cell > 0) sum += cell * Math.log(cell / total)
  }
  return sum
}

/** All rising lists of at most `most` of 0 .. count - 1. */
function subsets(count: number, most: number): number[][] {
  let all: number[][] = [[]]
  for (let i = 0; i < count; i++) all = [...all, ...all.filter(list => list.length < most).map(list => [...list, i])]
  return all
}
