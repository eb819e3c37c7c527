import {AdfaError} from '../../base/checks/index.ts'
import {exclusiveGroups, type Lexicon} from '../../read/data/index.ts'
import {type NamedEdges, numberEdges} from '../structure/index.ts'

/** What is known of a pair of concepts beforehand. */
type PairRule = 'required' | 'forbidden' | 'exclusive'

export interface PairRules {
  /** The rule of two concepts in either order; undefined where nothing is known. */
  ruleOf(i: number, k: number): PairRule | undefined
  readonly counts: RuleCounts
}

/** Numbers of pairs with a rule; unset without rules. */
export interface RuleCounts {
  readonly requiredEdges?: number
  readonly forbiddenEdges?: number
  /** Rules that name a concept left out of the model. */
  readonly ignoredEdges?: number
}

/** Whether edges name a rule at all. */
function hasRules(edges: NamedEdges): boolean {
  return [edges.require, edges.forbid].some(list => list !== undefined && list.length > 0)
}

/** Reads edge rules without directions, and pairs that exclude each other; refuses rules that no pair could follow. */
export function pairRules(edges: NamedEdges, {anchors, skipped}: Pick<Lexicon, 'anchors' | 'skipped'>): PairRules {
  const m = anchors.length
  const cell = (i: number, k: number) => Math.min(i, k) * m + Math.max(i, k)
  const rules = new Map<number, PairRule>()
  for (const {concepts} of exclusiveGroups(anchors))
    for (const i of concepts) for (const k of concepts) rules.set(cell(i, k), 'exclusive')
  const ruleOf = (i: number, k: number) => rules.get(cell(i, k))
  if (!hasRules(edges)) return {ruleOf, counts: {}}
  const names = anchors.map(({concept}) => concept)
  const left = skipped.map(({concept}) => concept)
  const {constraints, ignored} = numberEdges(edges, names, left)
  const count = {required: 0, forbidden: 0}
  for (const rule of ['forbidden', 'required'] as const)
    for (const [i, k] of constraints[rule] ?? []) {
      const pair = `"${names[i]}" - "${names[k]}"`
      if (i === k) throw refuse(`an edge leads from "${names[i]}" to itself; an edge joins two concepts`)
      const before = ruleOf(i, k)
      if (before === 'forbidden' && rule === 'required')
        throw refuse(`edge ${pair} is both required and forbidden; drop one of the two`)
      if (before === 'exclusive' && rule === 'required')
        throw refuse(`edge ${pair} is required, but its concepts exclude each other; drop the rule, or the group`)
      if (before !== undefined) continue
      rules.set(cell(i, k), rule)
      count[rule]++
    }
  return {
    ruleOf,
    counts: {requiredEdges: count.required, forbiddenEdges: count.forbidden, ignoredEdges: ignored}
  }
}

function refuse(fault: string): AdfaError {
  return new AdfaError('bad-option', `edges: ${fault}`, {details: {option: 'edges'}})
}
