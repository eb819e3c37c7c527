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

/** Processor time of all threads since the start. */
export function processorSeconds(): number {
  const {user, system} = process.cpuUsage()
  return (user + system) / 1e6
}

type Mark = 'counts' | 'numbers' | 'fit' | 'scores'

/** A desk in this process. A fit begins when the bench allows it, in place of the pause after an edit. */
export class BenchDesk {
  readonly api: DeskApi
  largestMessage = {name: '', kilobytes: 0}
  #state: DeskState | undefined
  /** Processor time at which a stage of a revision was reached. */
  #marks = new Map<string, number>()
  #waiting: (() => void)[] = []
  #release: () => void = () => {}

  constructor() {
    const now = () => performance.now()
    const desk = createDesk({
      now,
      wait: ms =>
        new Promise(resolve => {
          if (ms === 0) setImmediate(resolve)
          else this.#release = resolve
        }),
      startSolver: emit => ({api: createSolver(emit, now), end: () => {}}),
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
    if (mark === 'fit') this.#release()
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
      fit: numbers.is === 'ready',
      scores: scores.is === 'ready'
    }
    for (const [mark, isReached] of Object.entries(reached))
      if (isReached && !this.#marks.has(`${mark} ${revision}`))
        this.#marks.set(`${mark} ${revision}`, processorSeconds())
    for (const wake of this.#waiting.splice(0)) wake()
  }

  #weigh(message: unknown, name: string): void {
    const kilobytes = JSON.stringify(message ?? null).length / 1024
    if (kilobytes > this.largestMessage.kilobytes) this.largestMessage = {name, kilobytes}
  }
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

  /** Seconds from an edit to counts, and from counts to numbers. */
  async edit(change: Edit): Promise<readonly [counts: number, numbers: number]> {
    return this.send(applyEdit(this.project, change))
  }

  async send(project: Project): Promise<readonly [counts: number, numbers: number]> {
    this.project = project
    const since = processorSeconds()
    await this.desk.api.setProject(project, ++this.revision)
    const counts = await this.desk.until('counts', this.revision)
    const numbers = await this.desk.until('numbers', this.revision)
    return [counts - since, numbers - counts]
  }
}
