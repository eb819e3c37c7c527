/**
 * The twin of the proof of `withholdPinned`: an integer program that knows everything released and which documents are
 * possible, and finds for every withheld number and small cell its smallest and its largest value.
 */
import type {LinearRow, LinearSolver} from '../../base/linear/index.ts'
import type {Corpus, CorpusDocument} from '../data/index.ts'
import {conceptSets} from './concept-sets.ts'
import {poolReleases, type Release, releaseCounts} from './release.ts'
import {type AttackedCorpus, countSite} from './test-sites.ts'
import type {ReleaseRules} from './withhold.ts'

/** Documents that have some variables and lack others: concepts, then words, then none of the values of each block. */
interface Target {
  readonly what: 'number' | 'cell'
  readonly among: readonly number[]
  readonly has: readonly number[]
  readonly lacks: readonly number[]
}

export interface Findings {
  readonly attacked: number
  readonly open: number
  /** What has a single possible value, with that value. */
  readonly pinned: readonly string[]
}

type Term = readonly [column: number, factor: number]

/** Attacks a release of a corpus, or two of growing data. */
export function attack(
  solver: LinearSolver,
  {site, blocks, tied}: AttackedCorpus,
  releases: readonly Release[],
  parts: readonly Corpus[]
): Findings {
  const [m, n] = [site.lexicon.anchors.length, site.lexicon.words.length]
  const {maxOrder, sites} = releases[0]
  const minCell = sites[0].minCell
  const columns = n + blocks.length
  // Plain anchors fire in any combination, the others as in some document.
  const free = [...site.lexicon.anchors.keys()].filter(i => !tied.includes(i))
  const seen = [...new Set(site.documents.map(({anchors}) => tied.filter(i => anchors.includes(i)).join()))]
  const patterns = seen.flatMap(key =>
    Array.from({length: 2 ** free.length}, (_, bits) =>
      [...(key === '' ? [] : key.split(',').map(Number)), ...free.filter((_, at) => bits & (1 << at))].sort(
        (a, b) => a - b
      )
    )
  )
  const hasNone = (document: CorpusDocument, b: number) => !blocks[b].words.some(j => document.words.includes(j))
  const fired = (b: number, concepts: readonly number[]) => blocks[b].anchors.filter(i => concepts.includes(i)).join()
  const possible = blocks.map((block, b) => {
    const seen = new Set<string>()
    for (const document of site.documents)
      for (const column of [
        ...block.words.filter(j => document.words.includes(j)),
        ...(hasNone(document, b) ? [n + b] : [])
      ])
        seen.add(`${fired(b, document.anchors)} ${column}`)
    return (concepts: readonly number[], column: number) => seen.has(`${fired(b, concepts)} ${column}`)
  })

  // Columns: by part and pattern, its documents, and those with each column.
  const stride = 1 + columns
  const at = (part: number, p: number, column = -1) => (part * patterns.length + p) * stride + 1 + column
  const size = parts.length * patterns.length * stride
  const upper = new Float64Array(size).fill(site.documents.length)
  const rows: LinearRow[] = []
  const add = (terms: readonly Term[], low: number, high: number) =>
    rows.push({
      indices: terms.map(([column]) => column),
      values: terms.map(([, factor]) => factor),
      lower: low,
      upper: high
    })
  const inBlock = new Set(blocks.flatMap((block, b) => [...block.words, n + b]))
  for (const part of parts.keys())
    for (const [p, concepts] of patterns.entries()) {
      const all: Term = [at(part, p), -1]
      for (let j = 0; j < n; j++) if (!inBlock.has(j)) add([[at(part, p, j), 1], all], Number.NEGATIVE_INFINITY, 0)
      for (const [b, block] of blocks.entries()) {
        const values = [...block.words, n + b]
        for (const j of values) if (!possible[b](concepts, j)) upper[at(part, p, j)] = 0
        add([...values.map((j): Term => [at(part, p, j), 1]), all], 0, 0)
      }
    }

  const terms = (target: Omit<Target, 'what'>): Term[] => target.among.flatMap(part => partTerms(target, part))
  const partTerms = ({has, lacks}: Omit<Target, 'what'>, part: number): Term[] => {
    const column = [...has, ...lacks].find(variable => variable >= m)
    const found: Term[] = []
    for (const [p, concepts] of patterns.entries()) {
      if (has.some(i => i < m && !concepts.includes(i)) || lacks.some(i => i < m && concepts.includes(i))) continue
      if (column === undefined) found.push([at(part, p), 1])
      else if (has.includes(column)) found.push([at(part, p, column - m), 1])
      else found.push([at(part, p), 1], [at(part, p, column - m), -1])
    }
    return found
  }
  // The documents themselves are one point of the program.
  const point = new Float64Array(size)
  for (const [part, {documents}] of parts.entries())
    for (const document of documents) {
      const p = patterns.findIndex(concepts => concepts.join() === document.anchors.join())
      const none = blocks.flatMap((_, b) => (hasNone(document, b) ? [n + b] : []))
      for (const column of [-1, ...document.words, ...none]) point[at(part, p, column)]++
    }
  const truth = (target: Target) => terms(target).reduce((sum, [column, factor]) => sum + factor * point[column], 0)

  // Everything that the releases tell: release r is of the parts up to r.
  const sets = conceptSets(m, maxOrder)
  const targets: Target[] = []
  for (const [r, {low, high}] of releases.entries()) {
    const tell = (target: Omit<Target, 'among' | 'what'>, least: number, most: number) => {
      const among = [...parts.keys()].slice(0, r + 1)
      const own = terms({...target, among})
      if (own.length > 0) add(own, least, most)
      if (least < most) targets.push({...target, what: 'number', among})
    }
    for (const [place, least] of low.entries()) {
      const at = place - sets.length
      const has = at < 0 ? sets[place] : [...sets[Math.floor(at / n)], m + (at % n)]
      tell({has, lacks: []}, least, high[place])
    }
  }
  for (const part of parts.keys()) {
    for (const set of sets)
      for (let j = -1; j < (set.length < maxOrder ? columns : 0); j++) {
        const table = j < 0 ? set : [...set, m + j]
        for (let T = 0; T < 2 ** table.length; T++)
          targets.push({
            what: 'cell',
            among: [part],
            has: table.filter((_, bit) => !(T & (1 << bit))),
            lacks: table.filter((_, bit) => T & (1 << bit))
          })
      }
  }
  // Readers may know which cells are empty.
  const attacked = targets.filter(target => {
    const documents = truth(target)
    return target.what === 'number' ? documents > 0 : documents > 0 && documents < minCell
  })
  const {values, open} = searchValues(solver, {upper, rows}, attacked.map(terms), attacked.map(truth))
  const pinned = attacked.flatMap((target, t) =>
    values[t] === undefined ? [] : [`${JSON.stringify(target)}: ${values[t]}`]
  )
  return {attacked: attacked.length, open, pinned}
}

/**
 * Minimises and maximises every sum over the integer points; each point found may settle other sums too. The true documents are
 * one point. HiGHS calls some programs infeasible without a little room, in which there are no other integer points.
 */
function searchValues(
  solver: LinearSolver,
  {upper, rows}: {readonly upper: Float64Array; readonly rows: readonly LinearRow[]},
  sums: readonly (readonly Term[])[],
  truths: readonly number[]
) {
  const [costs, lower] = [new Float64Array(upper.length), new Float64Array(upper.length)]
  const program = solver.open({costs, lower, upper, integer: upper.map((_, column) => column)})
  const most = upper.reduce((sum, size) => sum + size, 0)
  const distinct = new Map(rows.map(row => [JSON.stringify(row), row]))
  program.addRows(
    Array.from(distinct.values(), row => ({
      ...row,
      lower: Math.max(row.lower, -most) - 1e-6,
      upper: row.upper + 1e-6
    }))
  )
  const seen = new Map(truths.entries())
  const open = new Set<number>()
  /** Minimises a sum with a sign, and looks at the point found. */
  const reach = (terms: readonly Term[], sign: number): void => {
    const costs = new Float64Array(upper.length)
    for (const [column, factor] of terms) costs[column] += sign * factor
    program.setCosts(costs)
    const {status, x} = program.solve()
    if (status !== 'optimal') throw new Error('no documents agree with the release')
    for (const [at, sum] of sums.entries()) {
      const value = sum.reduce((total, [column, factor]) => total + factor * Math.round(x[column]), 0)
      if ((seen.get(at) ?? value) !== value) open.add(at)
      seen.set(at, value)
    }
  }
  try {
    const values = sums.map((sum, at) => {
      for (const sign of [1, -1]) if (!open.has(at)) reach(sum, sign)
      return open.has(at) ? undefined : seen.get(at)
    })
    return {values, open: open.size}
  } finally {
    program.dispose()
  }
}

/** Attacks what a release of a site withholds. */
export function attackSite(solver: LinearSolver, corpus: AttackedCorpus, rules: ReleaseRules): Findings {
  return attack(solver, corpus, [releaseCounts(countSite(corpus.site), rules)], [corpus.site])
}

/**
 * Attacks two releases of a site, the second with more documents: made from all documents by itself, or
 * from the new ones alone and added to the first. Undefined where one of the two has too few documents.
 */
export function attackGrowing(
  solver: LinearSolver,
  corpus: AttackedCorpus,
  rules: ReleaseRules,
  isContinued: boolean
): Findings | undefined {
  const {site} = corpus
  const parts = [0, 1].map(later => ({
    ...site,
    documents: site.documents.filter((_, at) => Number(at % 3 === 0) === later)
  }))
  if (parts.some(({documents}) => documents.length < Math.max(3, rules.minCell))) return undefined
  const earlier = releaseCounts(countSite(parts[0]), {...rules, site: 'north'})
  const later = isContinued
    ? poolReleases([earlier, releaseCounts(countSite(parts[1]), {...rules, site: 'north, later'})])
    : releaseCounts(countSite(site), {...rules, site: 'north'})
  return attack(solver, corpus, [earlier, later], parts)
}
