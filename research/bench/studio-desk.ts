/** A desk with its solver in this process, and when it reaches what, for the bench of the studio. */

import {
  applyEdit,
  createDesk,
  createSolver,
  type DeskApi,
  type DeskState,
  type Edit,
  type Project,
  type Stage
} from '../../src/app/desk/index.ts'
import {createDrawing, loadGraphviz} from '../../src/app/drawing/index.ts'
import {processorSeconds} from './bench.ts'

type Mark = 'counts' | 'numbers' | 'findings' | 'fit' | 'scores'

/** A desk in this process. A fit, which has a thread of its own in the studio, begins when the bench asks for it. */
export class BenchDesk {
  readonly api: DeskApi
  largestMessage = {name: '', kilobytes: 0}
  #state: DeskState | undefined
  /** Processor time at which a stage of a revision was reached. */
  #marks = new Map<string, number>()
  #waiting: (() => void)[] = []
  #isAllowed = false
  #release: () => void = () => {}

  constructor() {
    const now = () => performance.now()
    const desk = createDesk({
      now,
      wait: () => new Promise(resolve => setImmediate(resolve)),
      startDrawing: () => ({api: createDrawing(loadGraphviz, 'measured'), end: () => {}}),
      startSolver: emit => {
        const solver = createSolver(emit, now)
        const end = () => {
          this.#release = () => {}
        }
        return {api: {...solver, learn: () => this.#gate().then(solver.learn)}, end}
      },
      emit: event => {
        this.#weigh(event, event.kind)
        if (event.kind === 'state') this.#hear(event.state)
      }
    })
    this.api = new Proxy(desk, {
      get:
        (target, name: keyof DeskApi) =>
        async (...args: never[]) => {
          const call = target[name] as (...args: never[]) => Promise<unknown>
          const answer = await call.apply(target, args)
          if (name !== 'export') this.#weigh(answer, name)
          return answer
        }
    })
  }

  /** The processor time at which the stage is reached. */
  async until(mark: Mark, revision: number): Promise<number> {
    this.#isAllowed = mark === 'fit'
    if (this.#isAllowed) this.#release()
    for (;;) {
      const at = this.#marks.get(`${mark} ${revision}`)
      if (at !== undefined) return at
      for (const stage of Object.values(this.#state ?? {}) as Stage[])
        if (stage?.is === 'failed') throw new Error(stage.message)
      await new Promise<void>(resolve => this.#waiting.push(resolve))
    }
  }

  #hear(state: DeskState): void {
    this.#state = state
    const {revision, counts, numbers, scores} = state
    const reached: Readonly<Record<Mark, boolean>> = {
      counts: counts.is === 'ready',
      numbers: numbers.is === 'provisional',
      findings: scores.is === 'computing' && scores.words === 'waiting for the next edit',
      fit: numbers.is === 'ready',
      scores: scores.is === 'ready'
    }
    for (const [mark, isReached] of Object.entries(reached))
      if (isReached && !this.#marks.has(`${mark} ${revision}`))
        this.#marks.set(`${mark} ${revision}`, processorSeconds())
    for (const wake of this.#waiting.splice(0)) wake()
  }

  /** A fit that an edit has overtaken is never let through. */
  #gate(): Promise<void> {
    return new Promise(resolve => {
      if (this.#isAllowed) resolve()
      else this.#release = resolve
    })
  }

  #weigh(message: unknown, name: string): void {
    const kilobytes = JSON.stringify(message ?? null).length / 1024
    if (kilobytes > this.largestMessage.kilobytes) this.largestMessage = {name, kilobytes}
  }
}

export interface Took {
  readonly counts: number
  readonly numbers: number
  readonly findings: number
}

/** One project at the desk: edits with their revisions. */
export class Session {
  readonly desk: BenchDesk
  project: Project
  revision = 0

  constructor(desk: BenchDesk, project: Project) {
    this.desk = desk
    this.project = project
  }

  /** Seconds from an edit to counts, to numbers, and to the findings of the doctor. */
  async edit(change: Edit): Promise<Took> {
    return this.send(applyEdit(this.project, change))
  }

  async send(project: Project): Promise<Took> {
    this.project = project
    const since = processorSeconds()
    await this.desk.api.setProject(project, ++this.revision)
    const counts = await this.desk.until('counts', this.revision)
    const numbers = await this.desk.until('numbers', this.revision)
    const findings = await this.desk.until('findings', this.revision)
    return {counts: counts - since, numbers: numbers - since, findings: findings - since}
  }
}
