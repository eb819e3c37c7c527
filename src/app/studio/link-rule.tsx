import type {EdgeRules, GraphView} from '../desk/index.ts'
import {Select} from './parts.tsx'
import type {Studio} from './store.ts'

export type Rule = 'required' | 'forbidden'

/** The rules of the project; of a model that is read-only, its own. */
export function rulesOf(studio: Studio, graph: GraphView): EdgeRules | undefined {
  return studio.state.value.readOnly === undefined ? studio.project.value.edges : graph.rules
}

/** What is demanded of a link, from either end. */
export function ruleOf(edges: EdgeRules | undefined, a: string, b: string): Rule | undefined {
  const has = (pairs: readonly (readonly [string, string])[] = []) =>
    pairs.some(([x, y]) => (x === a && y === b) || (x === b && y === a))
  return has(edges?.require) ? 'required' : has(edges?.forbid) ? 'forbidden' : undefined
}

/** Require a link, forbid it, or leave it to the documents. */
export function LinkRule({studio, a, b}: {studio: Studio; a: string; b: string}) {
  const kinds = {required: 'requireEdge', forbidden: 'forbidEdge', free: 'freeEdge'} as const
  return (
    <Select
      label={`Link of ${a} and ${b}`}
      isBare
      value={ruleOf(studio.project.value.edges, a, b) ?? 'free'}
      options={[
        ['free', 'free'],
        ['required', 'required'],
        ['forbidden', 'forbidden']
      ]}
      onPick={rule => studio.edit({kind: kinds[rule], a, b})}
    />
  )
}
