import type {LinearRow, LinearSolver} from '../../src/base/linear/index.ts'
import type {FamilyScores} from '../../src/learn/structure/index.ts'

export interface PlainResult {
  readonly seconds: number
  readonly proven: boolean
  readonly score: number
  /** Proven bound minus score. */
  readonly gap: number
}

/**
 * The best graph by one integer program whose own constraints rule out cycles, solved without custom cuts: `places` gives every concept a place in an order (Miller, Tucker and Zemlin: u_k - u_i + m x <= m - 1 for an edge k -> i),
 * `pairs` orders every two concepts, with a row for each three.
 */
export function solvePlain(
  scores: FamilyScores,
  form: 'places' | 'pairs',
  solver: LinearSolver,
  timeLimit: number
): PlainResult {
  const m = scores.length
  const best = scores.map(([first]) => first.score)
  const costs = scores.flatMap((families, i) => families.map(({score}) => best[i] - score))
  const familyCount = costs.length
  const order = form === 'places' ? m : (m * (m - 1)) / 2
  const zeros = (count: number) => new Array<number>(count).fill(0)
  const program = solver.open({
    costs: [...costs, ...zeros(order)],
    lower: zeros(familyCount + order),
    upper: [...costs.map(() => 1), ...zeros(order).map(() => (form === 'places' ? m - 1 : 1))],
    integer: Array.from({length: form === 'places' ? familyCount : familyCount + order}, (_, n) => n)
  })
  program.addRows([...oneFamily(scores), ...(form === 'places' ? placeRows : pairRows)(scores, familyCount)])
  const started = processorSeconds()
  const {objective, bound, status} = program.solve({stop: () => processorSeconds() - started > timeLimit})
  program.dispose()
  const loose = best.reduce((sum, score) => sum + score, 0)
  return {
    seconds: processorSeconds() - started,
    proven: status === 'optimal',
    score: loose - objective,
    gap: objective - bound
  }
}

export function processorSeconds(): number {
  const {user, system} = process.cpuUsage()
  return (user + system) / 1e6
}

const below = {lower: Number.NEGATIVE_INFINITY, upper: 0}

function oneFamily(scores: FamilyScores): LinearRow[] {
  return families(scores).map(({columns}) => ({indices: columns, values: columns.map(() => 1), lower: 1, upper: 1}))
}

function placeRows(scores: FamilyScores, first: number): LinearRow[] {
  const m = scores.length
  return edges(scores).map(({child, parent, columns}) => ({
    indices: [...columns, first + parent, first + child],
    values: [...columns.map(() => m), 1, -1],
    lower: Number.NEGATIVE_INFINITY,
    upper: m - 1
  }))
}

function pairRows(scores: FamilyScores, first: number): LinearRow[] {
  const m = scores.length
  const pair = (i: number, k: number) => first + i * m - (i * (i + 1)) / 2 + (k - i - 1)
  const rows = edges(scores).map(({child, parent, columns}): LinearRow => {
    const values = columns.map(() => 1)
    return parent < child
      ? {...below, indices: [...columns, pair(parent, child)], values: [...values, -1]}
      : {...below, indices: [...columns, pair(child, parent)], values: [...values, 1], upper: 1}
  })
  for (let i = 0; i < m; i++)
    for (let k = i + 1; k < m; k++)
      for (let l = k + 1; l < m; l++)
        rows.push({indices: [pair(i, k), pair(k, l), pair(i, l)], values: [1, 1, -1], lower: 0, upper: 1})
  return rows
}

/** The columns of each concept's families. */
function families(scores: FamilyScores): {child: number; columns: number[]}[] {
  let next = 0
  return scores.map((list, child) => ({child, columns: list.map(() => next++)}))
}

/** The columns in which an edge is chosen, for every edge that is in a family. */
function edges(scores: FamilyScores): {child: number; parent: number; columns: number[]}[] {
  return families(scores).flatMap(({child, columns}) => {
    const byParent = new Map<number, number[]>()
    for (const [at, {parents}] of scores[child].entries())
      for (const parent of parents) byParent.set(parent, [...(byParent.get(parent) ?? []), columns[at]])
    return [...byParent].map(([parent, list]) => ({child, parent, columns: list}))
  })
}
