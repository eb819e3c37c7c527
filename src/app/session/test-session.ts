import {readFileSync} from 'node:fs'
import {expect} from 'vitest'
import {rng} from '../../base/numeric/index.ts'
import type {SourceFile} from '../../read/reading/index.ts'
import {emergencyModel, generateDocuments} from '../../use/synthetic/index.ts'
import {adfaIn, type TestFolder} from '../cli/test-run.ts'
import type {Progress} from '../pipeline/index.ts'
import type {Project} from '../project/index.ts'
import {emptyProject} from './edits.ts'
import type {ExportKind} from './exports.ts'
import type {SessionApi, SessionEvent} from './session.ts'
import type {SessionState} from './state.ts'
import {type HereOptions, pause, sessionHere} from './test-session-here.ts'

const {version} = JSON.parse(readFileSync(new URL('../../../package.json', import.meta.url), 'utf8'))

export {emptyProject, pause}

export interface TestSession {
  readonly api: SessionApi
  readonly states: SessionState[]
  readonly notices: string[]
  readonly progress: Progress[]
  /** Solvers that were started, and that were ended. */
  readonly solvers: {started: number; ended: number}
  state(): SessionState
  /** Waits for a state. */
  until(holds: (state: SessionState) => boolean): Promise<SessionState>
  /** What the studio saves. */
  bytes(what: ExportKind): Promise<Buffer>
  text(what: ExportKind): Promise<string>
  /** Puts another project in place. */
  set(project: Project, revision: number): Promise<void>
  /** Sends a project and waits until its scores are ready. */
  ready(project: Project, revision: number): Promise<SessionState>
}

/** A session in this process, and what it says. */
export function openSession(options: HereOptions = {}): TestSession {
  const states: SessionState[] = []
  const notices: string[] = []
  const progress: Progress[] = []
  const waiting: (() => void)[] = []
  const emit = (event: SessionEvent) => {
    if (event.kind === 'notice') notices.push(event.message)
    if (event.kind === 'progress') progress.push(event)
    if (event.kind !== 'state') return
    states.push(event.state)
    for (const wake of waiting.splice(0)) wake()
  }
  const {api, solvers} = sessionHere(emit, {documents: 2000, version, ...options})
  const until = async (holds: (state: SessionState) => boolean): Promise<SessionState> => {
    for (;;) {
      const state = states.at(-1)
      if (state !== undefined && holds(state)) return state
      await new Promise<void>(resolve => waiting.push(resolve))
    }
  }
  const set = (project: Project, revision: number) => api.change({kind: 'replace', project}, revision)
  const bytes = async (what: ExportKind) => Buffer.concat((await api.export(what)).parts)
  return {
    api,
    bytes,
    text: async what => (await bytes(what)).toString(),
    states,
    notices,
    progress,
    solvers,
    until,
    set,
    state: () => states[states.length - 1],
    async ready(project, revision) {
      await set(project, revision)
      return until(
        state =>
          state.revision === revision &&
          [state.counts, state.numbers, state.scores].every(({is}) => is === 'ready' || is === 'failed')
      )
    }
  }
}

export function file(name: string, content: string | Uint8Array): SourceFile {
  return new File([content as Uint8Array<ArrayBuffer>], name)
}

/** A session that has read files, by default as they are guessed, and a project that is ready, by default with their anchors. */
export async function fileSession(files: readonly SourceFile[], more: Partial<Project> = {}, options?: HereOptions) {
  const session = openSession(options)
  const survey = await session.api.survey(files)
  const {reading = survey.reading} = more
  const opened = await session.api.open(reading)
  const project: Project = {...emptyProject, anchors: survey.anchors ?? [], ...more, reading}
  await session.ready(project, 1)
  return {session, survey, opened, project}
}

/** The visits of the demo. */
export const visitsOf = (count: number) => [...generateDocuments(emergencyModel(), count, rng(0).stream('documents'))]

export const given = {kind: 'rates', truePositive: 0.7, falsePositive: 0.01} as const

/** A session that has read the demo, and a project of these concepts; with given rates a fit is quick. */
export async function demoSession(
  concepts: readonly string[],
  {rates, ...options}: HereOptions & {rates?: typeof given} = {}
) {
  const session = openSession(options)
  const survey = await session.api.demo()
  const {reading, anchors: all = []} = survey
  const {documents: count, hash} = await session.api.open(reading)
  const anchors = all.filter(({concept}) => concepts.includes(concept)).map(anchor => ({...anchor, rates}))
  const documents = {files: ['visits.jsonl'], count, hash}
  return {session, survey, project: {...emptyProject, reading, anchors, documents} as Project}
}

/** Runs a command of which nothing goes wrong, and returns what it prints. */
export async function adfaThere({path}: TestFolder, ...args: readonly string[]): Promise<string> {
  const {code, stdout, stderr} = await adfaIn(path, ...args)
  expect(code, stderr).toBe(0)
  return stdout
}
