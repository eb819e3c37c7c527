import {type Signal, signal} from '@preact/signals'
import type {PolytopeName} from '../../learn/moments/index.ts'
import type {ComparisonView, FitSettings, PolytopeView, Project, Side} from '../desk/index.ts'
import type {Studio} from './store.ts'

/** A comparison with the names of its sides, and the revision that it is of. */
export interface Compared {
  readonly view: ComparisonView
  readonly titles: readonly [string, string]
  readonly revision: number
}

/** A polytope: what was found, or why nothing was. */
export type Column = PolytopeView | {readonly polytope: PolytopeName; readonly fault: string}

export const POLYTOPES: readonly PolytopeName[] = ['simplex', 'local', 'cycle', 'marginal']

/** What Compare shows; it stays while other pages are open. */
export class CompareState {
  readonly sides: Signal<readonly [Side, Side]> = signal([{kind: 'now'}, {kind: 'now'}])
  readonly compared = signal<Compared | undefined>(undefined)
  readonly fault = signal<string | undefined>(undefined)
  readonly columns = signal<readonly Column[]>([])
  /** Of the polytopes. */
  readonly revision = signal(0)
  /** What runs now: polytopes run one after the other. */
  readonly work = signal<'compare' | PolytopeName | undefined>(undefined)
  readonly #studio: Studio

  constructor(studio: Studio) {
    this.#studio = studio
  }

  setSide(at: 0 | 1, side: Side): void {
    const [a, b] = this.sides.value
    this.sides.value = at === 0 ? [side, b] : [a, side]
  }

  async compare(): Promise<void> {
    const {desk, state} = this.#studio
    const sides = this.sides.value
    const titles = [sideTitle(sides[0]), sideTitle(sides[1])] as const
    const {revision} = state.value
    this.work.value = 'compare'
    this.fault.value = undefined
    try {
      this.compared.value = {view: await desk.compare(...sides), titles, revision}
    } catch (error) {
      this.fault.value = (error as Error).message
    }
    this.work.value = undefined
  }

  /** One fails, the others stay. */
  async solve(polytopes: readonly PolytopeName[]): Promise<void> {
    const {desk, state} = this.#studio
    if (this.revision.value !== state.value.revision) this.columns.value = []
    this.revision.value = state.value.revision
    for (const polytope of polytopes) {
      this.work.value = polytope
      const column = await desk.polytope(polytope).catch((error: Error): Column => ({polytope, fault: error.message}))
      this.columns.value = [...this.columns.value.filter(each => each.polytope !== polytope), column]
    }
    this.work.value = undefined
  }
}

const states = new WeakMap<Studio, CompareState>()

export function compareState(studio: Studio): CompareState {
  const known = states.get(studio) ?? new CompareState(studio)
  states.set(studio, known)
  return known
}

export function sideTitle(side: Side): string {
  if (side.kind === 'snapshot') return side.name
  return side.kind === 'now' ? 'the model as it is' : `learned with ${fitWords(side.fit)}`
}

/** "structure tree, words noisy-or". */
export function fitWords(fit: FitSettings): string {
  const words = Object.entries(fit).map(([name, value]) => `${name} ${value}`)
  return words.length === 0 ? 'the default settings' : words.join(', ')
}

/** The snapshots of the project as sides, before and after what is there always. */
export function sidesOf({snapshots = [], fit}: Project): Side[] {
  return [
    {kind: 'now'},
    ...snapshots.map(({name}): Side => ({kind: 'snapshot', name})),
    {kind: 'fit', fit: {...fit, structure: fit.structure === 'tree' ? 'pairs' : 'tree'}}
  ]
}
