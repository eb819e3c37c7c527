import {batch, type ReadonlySignal, signal} from '@preact/signals'
import {createContext} from 'preact'
import {counted, grouped} from '../../../../base/text/index.ts'
import {
  marksDiffer,
  type Opened,
  type Preview,
  type Project,
  type Reading,
  type SourceFile,
  type Survey
} from '../../../session/index.ts'
import {emptyProject} from '../../create-studio.ts'
import type {Studio} from '../../store.ts'
import {ended, sentence} from '../../ui/sentence.ts'
import {readsNothing} from './roles.ts'

/** What the Start page has: files, what they are, how they are read, and the reading that runs. */
export interface Intake {
  readonly survey: ReadonlySignal<Survey | undefined>
  readonly reading: ReadonlySignal<Reading | undefined>
  readonly preview: ReadonlySignal<Preview | undefined>
  /** `look`: files are being recognised; `read`: all documents are being read. */
  readonly busy: ReadonlySignal<'look' | 'read' | undefined>
  /** What is wrong, in the words of the library; nothing is loaded then. */
  readonly fault: ReadonlySignal<string | undefined>
  add(files: readonly SourceFile[]): Promise<void>
  remove(name: string): Promise<void>
  /** The demo is read at once. */
  demo(): Promise<void>
  setReading(reading: Reading): void
  read(): Promise<void>
}

const NOTHING_READ = 'No field is read, so documents have no words. Choose under Fields what at least one is read as.'

export function createIntake(studio: Studio): Intake {
  const {session} = studio
  const survey = signal<Survey | undefined>(undefined)
  const reading = signal<Reading | undefined>(undefined)
  const preview = signal<Preview | undefined>(undefined)
  const busy = signal<'look' | 'read' | undefined>(undefined)
  const fault = signal<string | undefined>(undefined)
  let files: readonly SourceFile[] = []
  let asked = 0

  const show = async () => {
    const [now, found] = [reading.value, survey.value]
    if (!now || !found) return
    const mine = ++asked
    if (readsNothing(found, now)) {
      preview.value = undefined
      fault.value = NOTHING_READ
      return
    }
    try {
      const shown = await session.preview(now, anchorsOf(found, studio.project.value))
      if (mine !== asked) return
      batch(() => {
        preview.value = shown
        fault.value = undefined
      })
    } catch (error) {
      if (mine === asked) fault.value = (error as Error).message
    }
  }
  const look = async (find: () => Promise<Survey>) => {
    busy.value = 'look'
    fault.value = undefined
    try {
      const found = await find()
      batch(() => {
        survey.value = found
        reading.value = found.reading
        preview.value = undefined
      })
      if (found.files.some(({kind}) => kind === 'documents')) await show()
      return true
    } catch (error) {
      fault.value = (error as Error).message
      return false
    } finally {
      busy.value = undefined
    }
  }
  const lookAt = async (next: readonly SourceFile[]) => {
    if (!(await look(() => session.survey(next)))) return
    files = next
    if (next.length === 0) for (const held of [survey, reading, preview, fault]) held.value = undefined
    const model = alone(survey.value)
    if (model === undefined) return
    studio.go({page: 'graph', concept: undefined, query: {}, document: undefined})
    studio.say(`Opened ${model} read-only`)
  }

  const read = async () => {
    const [found, now] = [survey.value, reading.value]
    if (!found || !now || busy.value) return
    if (readsNothing(found, now)) {
      fault.value = NOTHING_READ
      return
    }
    busy.value = 'read'
    fault.value = undefined
    try {
      take(studio, {...found, reading: now}, await session.open(now))
    } catch (error) {
      fault.value = (error as Error).message
    } finally {
      busy.value = undefined
    }
  }

  return {
    survey,
    reading,
    preview,
    busy,
    fault,
    add: more => lookAt([...files.filter(({name}) => !more.some(file => file.name === name)), ...more]),
    remove: name => lookAt(files.filter(file => file.name !== name)),
    async demo() {
      if (!(await look(() => session.demo()))) return
      files = []
      await read()
    },
    setReading(next) {
      reading.value = next
      show()
    },
    read
  }
}

/** The file of a model that is open because there are no documents. */
function alone(survey: Survey | undefined): string | undefined {
  const isOpen = survey?.model !== undefined && survey.files.every(({kind}) => kind !== 'documents')
  return isOpen ? survey?.files.find(({kind}) => kind === 'model')?.name : undefined
}

/** Anchors of the files, or those that the project has already. */
function anchorsOf(survey: Survey, project: Project) {
  return survey.anchors ?? survey.project?.anchors ?? project.anchors
}

/** The documents are there: they, and what came with them, make the project. */
function take(studio: Studio, survey: Survey, opened: Opened): void {
  const before = studio.project.value
  const base = survey.project ?? before
  const names = survey.files.filter(({kind}) => kind === 'documents').map(({name}) => name)
  const mark = {count: opened.documents + opened.heldOut, hash: opened.hash}
  const next: Project = {
    ...base,
    name:
      base.name === emptyProject.name ? (survey.demo?.name ?? names[0]?.replace(/\..*$/, '') ?? base.name) : base.name,
    reading: survey.reading,
    anchors: anchorsOf(survey, before),
    labels: survey.labels ?? base.labels,
    documents: {files: names, ...mark}
  }
  // What was in files alone is not lost by leaving.
  studio.replace(next, survey.project !== undefined || studio.isSaved.value)
  studio.go({page: 'anchors', document: undefined, query: {}, ...(survey.demo && {concept: survey.demo.concept})})
  const differs = marksDiffer(survey.project?.documents, mark)
  const heldOut = opened.heldOut > 0 ? `; ${grouped(opened.heldOut)} of them are held out` : ''
  const done = `Read ${counted(mark.count, 'document')} in ${opened.seconds.toFixed(1)} s${heldOut}`
  const fresh = opened.notes.filter(note => !survey.warnings.includes(note))
  // What should be looked at stays until it is closed.
  const doubts = [...(differs === undefined ? [] : [sentence(differs)]), ...fresh.map(ended)]
  studio.say(doubts.length === 0 ? done : new Error(doubts.join(' ')))
}

/** The one intake of the studio, for the Start page. */
export const IntakeContext = createContext<Intake | undefined>(undefined)
