import {type Signal, signal} from '@preact/signals'
import type {ComparisonView, Project, Side} from '../../../session/index.ts'
import type {Studio} from '../../store.ts'

/** What Compare shows; it stays while other pages are open. */
export class CompareState {
  readonly #sides: Signal<readonly [Side | undefined, Side]> = signal([undefined, {kind: 'now'}])
  readonly compared = signal<{readonly view: ComparisonView; readonly revision: number} | undefined>(undefined)
  readonly fault = signal<string | undefined>(undefined)
  readonly isAtWork = signal(false)
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
    this.isAtWork.value = true
    this.fault.value = undefined
    try {
      this.compared.value = {view: await session.compare(...this.sides), revision}
    } catch (error) {
      this.fault.value = (error as Error).message
    }
    this.isAtWork.value = false
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
