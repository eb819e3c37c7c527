/** A session with its solver in this process, and when it reaches what, for the bench of the studio. */

import {createDrawing, loadGraphviz} from '../../src/app/report/index.ts'
import {
  applyEdit,
  createSession,
  createSolver,
  type Edit,
  type Project,
  type SessionApi,
  type Stage
} from '../../src/app/session/index.ts'
import {processorSeconds} from './bench.ts'

type Mark = 'counts' | 'numbers' | 'findings' | 'fit' | 'scores'

/** Seconds from an edit to counts, to numbers, and to the findings of the doctor. */
export interface Took {
  readonly counts: number
  readonly numbers: number
  readonly findings: number
}

/** A session with one project. A fit, which has a thread of its own in the studio, begins when the bench asks for it. */
export class BenchSession {
  readonly api: SessionApi
  project: Project = {name: 'bench', reading: {text: []}, anchors: [], fit: {}, labels: []}
  largestMessage = {name: '', kilobytes: 0}
  #revision = 0
  /** Processor time at which a stage of the last revision was reached. */
  #marks = new Map<Mark, number>()
  #fault: string | undefined
  #waiting: (() => void)[] = []
  #isAllowed = false
  #release: () => void = () => {}

  constructor() {
    const now = () => performance.now()
    const session = createSession({
      now,
      wait: () => new Promise(resolve => setImmediate(resolve)),
      startDrawing: () => ({api: createDrawing(loadGraphviz, 'measured'), end: () => {}}),
      startSolver: emit => {
        const solver = createSolver(emit, now)
        const end = () => {
          this.#release = () => {}
        }
        return {api: {...solver, learn: () => this.#gate().then(() => solver.learn())}, end}
      },
      emit: event => {
        this.#weigh(event, event.kind)
        if (event.kind !== 'state' || event.state.revision !== this.#revision) return
        const {counts, numbers, scores} = event.state
        this.#fault ??= [counts, numbers, scores].flatMap((stage: Stage) =>
          stage.is === 'failed' ? stage.message : []
        )[0]
        this.#mark({
          counts: counts.is === 'ready',
          numbers: numbers.is === 'provisional',
          fit: numbers.is === 'ready',
          // A project that was fitted before asks for no fit.
          findings: numbers.is === 'ready',
          scores: scores.is === 'ready'
        })
      }
    })
    this.api = new Proxy(session, {
      get:
        (target, name: keyof SessionApi) =>
        async (...args: never[]) => {
          const call = target[name] as (...args: never[]) => Promise<unknown>
          const answer = await call.apply(target, args)
          if (name !== 'export') this.#weigh(answer, name)
          return answer
        }
    })
  }

  edit(change: Edit): Promise<Took> {
    return this.send(applyEdit(this.project, change))
  }

  async send(project: Project): Promise<Took> {
    this.project = project
    this.#marks.clear()
    const since = processorSeconds()
    await this.api.change({kind: 'replace', project}, ++this.#revision)
    const [counts, numbers, findings] = [
      await this.until('counts'),
      await this.until('numbers'),
      await this.until('findings')
    ]
    return {counts: counts - since, numbers: numbers - since, findings: findings - since}
  }

  /** The processor time at which the stage is reached. */
  async until(mark: Mark): Promise<number> {
    this.#isAllowed = mark === 'fit'
    if (this.#isAllowed) this.#release()
    for (;;) {
      const at = this.#marks.get(mark)
      if (at !== undefined) return at
      if (this.#fault !== undefined) throw new Error(this.#fault)
      await new Promise<void>(resolve => this.#waiting.push(resolve))
    }
  }

  #mark(reached: Readonly<Partial<Record<Mark, boolean>>>): void {
    for (const [mark, isReached] of Object.entries(reached) as [Mark, boolean][])
      if (isReached && !this.#marks.has(mark)) this.#marks.set(mark, processorSeconds())
    for (const wake of this.#waiting.splice(0)) wake()
  }

  /** The session asks for a fit when the doctor is done. A fit that an edit has overtaken is never let through. */
  #gate(): Promise<void> {
    this.#mark({findings: true})
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
