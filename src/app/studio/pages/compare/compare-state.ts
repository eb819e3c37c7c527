import {type Signal, signal} from '@preact/signals'
import type {PolytopeName} from '../../../../learn/moments/index.ts'
import type {ComparisonView, PolytopesView, Project, Side} from '../../../session/index.ts'
import type {Studio} from '../../store.ts'

/** An answer with the revision that it is of. */
interface Dated<T> {
  readonly view: T
  readonly revision: number
}

export const POLYTOPES: readonly PolytopeName[] = ['simplex', 'local', 'cycle', 'marginal']

/** What Compare shows; it stays while other pages are open. */
export class CompareState {
  readonly #sides: Signal<readonly [Side | undefined, Side]> = signal([undefined, {kind: 'now'}])
  readonly compared = signal<Dated<ComparisonView> | undefined>(undefined)
  readonly fault = signal<string | undefined>(undefined)
  readonly solved = signal<Dated<PolytopesView> | undefined>(undefined)
  /** Polytopes that could not be solved; the others stay. */
  readonly refusals = signal<readonly {readonly polytope: PolytopeName; readonly message: string}[]>([])
  /** What runs now. */
  readonly work = signal<'compare' | PolytopeName | undefined>(undefined)
  readonly #studio: Studio

  constructor(studio: Studio) {
    this.#studio = studio
  }

  /** The two sides, at first the last snapshot and the model as it is, which also replaces a snapshot that is gone. */
  get sides(): readonly [Side, Side] {
    const {snapshots = []} = this.#studio.project.value
    const known = (side: Side): Side =>
      side.kind !== 'snapshot' || snapshots.some(({name}) => name === side.name) ? side : {kind: 'now'}
    const last = snapshots.at(-1)
    const first: Side = last === undefined ? {kind: 'now'} : {kind: 'snapshot', name: last.name}
    const [a = first, b] = this.#sides.value
    return [known(a), known(b)]
  }

  setSide(at: 0 | 1, side: Side): void {
    const [a, b] = this.sides
    this.#sides.value = at === 0 ? [side, b] : [a, side]
  }

  async compare(): Promise<void> {
    const {session, state} = this.#studio
    const {revision} = state.value
    this.work.value = 'compare'
    this.fault.value = undefined
    try {
      this.compared.value = {view: await session.compare(...this.sides), revision}
    } catch (error) {
      this.fault.value = (error as Error).message
    }
    this.work.value = undefined
  }

  /** One after the other, so that each has the computer for itself. */
  async solve(polytopes: readonly PolytopeName[]): Promise<void> {
    const {session, state} = this.#studio
    const {revision} = state.value
    this.refusals.value = []
    for (const polytope of polytopes) {
      this.work.value = polytope
      try {
        this.solved.value = {view: await session.polytope(polytope), revision}
      } catch (error) {
        this.refusals.value = [...this.refusals.value, {polytope, message: (error as Error).message}]
      }
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

/** The sides that a project offers; settings begin with those of the project and another structure. */
export function sidesOf({snapshots = [], fit}: Project): Side[] {
  return [
    {kind: 'now'},
    ...snapshots.map(({name}): Side => ({kind: 'snapshot', name})),
    {kind: 'fit', fit: {...fit, structure: 'tree'}}
  ]
}
