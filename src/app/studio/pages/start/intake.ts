import {computed, type ReadonlySignal, signal} from '@preact/signals'
import {counted, grouped} from '../../../../base/text/index.ts'
import {BY_NAME, type Role, readingFor} from '../../../../read/reading/index.ts'
import {
  type ColumnView,
  emptyProject,
  marksDiffer,
  type Project,
  type Reading,
  type SessionApi,
  type SourceFile,
  type Survey
} from '../../../session/index.ts'
import {ended, sentence} from '../../ui/sentence.ts'

const NOTHING_READ = 'No field is read, so documents have no words. Choose under Fields what at least one is read as.'

/** What it needs of the studio. */
interface Host {
  readonly session: SessionApi
  readonly project: ReadonlySignal<Project>
  readonly isSaved: ReadonlySignal<boolean>
  go(view: {page: 'anchors'; concept?: string | undefined; query: object; document: undefined}): void
  say(message: string | Error): void
  replace(project: Project, isSaved: boolean): void
}

export type Intake = ReturnType<typeof createIntake>

/** What the Start page has: files, what they are, how they are read, and the reading that runs. */
export function createIntake(studio: Host) {
  const {session} = studio
  /** With the columns and the reading that a person has chosen. */
  const survey = signal<Survey | undefined>(undefined)
  /** `look`: files are being recognised; `read`: all documents are being read. */
  const busy = signal<'look' | 'read' | undefined>(undefined)
  const refusal = signal<string | undefined>(undefined)
  const hasDocuments = computed(() => survey.value?.files.some(({kind}) => kind === 'documents') ?? false)
  const readsNothing = computed(
    () => hasDocuments.value && survey.value?.columns.every(({role, detail}) => detail !== BY_NAME && UNREAD.has(role))
  )
  let files: readonly SourceFile[] = []
  /** The columns as they were found. */
  let found: readonly ColumnView[] = []

  const work = async (what: 'look' | 'read', run: () => Promise<void>) => {
    busy.value = what
    refusal.value = undefined
    try {
      await run()
    } catch (error) {
      refusal.value = (error as Error).message
    } finally {
      busy.value = undefined
    }
  }
  const look = (find: () => Promise<Survey>, next: readonly SourceFile[]) =>
    work('look', async () => {
      const seen = await find()
      files = next
      found = seen.columns
      survey.value = seen.files.length === 0 ? undefined : seen
    })
  const lookAt = (next: readonly SourceFile[]) => look(() => session.survey(next), next)
  const change = (next: Partial<Survey>) => {
    refusal.value = undefined
    if (survey.value) survey.value = {...survey.value, ...next}
  }
  const read = async () => {
    const now = survey.value
    if (now === undefined || busy.value || readsNothing.value) return
    await work('read', async () => take(studio, now, await session.open(now.reading)))
  }

  return {
    survey,
    hasDocuments,
    busy,
    /** What is wrong, in the words of the library; nothing is loaded then. */
    fault: computed(() => refusal.value ?? (readsNothing.value ? NOTHING_READ : undefined)),
    add: (more: readonly SourceFile[]) =>
      lookAt([...files.filter(({name}) => !more.some(file => file.name === name)), ...more]),
    remove: (name: string) => lookAt(files.filter(file => file.name !== name)),
    /** The demo is read at once. */
    async demo() {
      await look(session.demo, [])
      await read()
    },
    setReading: (reading: Reading) => change({reading}),
    /** Reads a column as something else. There is one id, and one column of tags. */
    setRole(name: string, role: Role) {
      if (survey.value === undefined) return
      const guess = found.find(column => column.name === name)
      const isOnly = role === 'id' || role === 'tags'
      const columns = survey.value.columns.map((column): ColumnView => {
        if (column.name === name) return {...column, role, detail: usualDetail(guess, role)}
        return isOnly && column.role === role ? {...column, role: 'skip', detail: ''} : column
      })
      change({columns, reading: readingOf(survey.value.reading, columns)})
    },
    read
  }
}

const UNREAD: ReadonlySet<Role> = new Set<Role>(['id', 'tags', 'skip'])

/** Bins of a number whose file does not say how wide they are. */
const BINS = '5'

/** The bins or the separator of a column: what was guessed where that fits the role. */
function usualDetail(guess: ColumnView | undefined, role: Role): string {
  const isSplit = (one: Role | undefined) => one === 'list' || one === 'tags'
  if (guess && (guess.role === role || (isSplit(guess.role) && isSplit(role)))) return guess.detail
  return role === 'number' ? BINS : ''
}

/** How documents are read when their columns have these roles; only tagged documents can be held out. */
function readingOf(before: Reading, columns: readonly ColumnView[]): Reading {
  const {id, tags, text, category, number, list, votes, separator, tagSeparator, holdOut, ...words} = before
  const isTagged = columns.some(({role}) => role === 'tags')
  return {text: [], ...words, ...readingFor(columns), ...(holdOut && isTagged && {holdOut})}
}

/** Anchors of the files, or those that the project has already. */
export function anchorsOf(survey: Survey, project: Project): Project['anchors'] {
  return survey.anchors ?? survey.project?.anchors ?? project.anchors
}

/** The documents are there: they, and what came with them, make the project. */
function take(studio: Host, survey: Survey, opened: Awaited<ReturnType<SessionApi['open']>>): void {
  const before = studio.project.value
  const base = survey.project ?? before
  const names = survey.files.filter(({kind}) => kind === 'documents').map(({name}) => name)
  const mark = {count: opened.documents + opened.heldOut, hash: opened.hash}
  const ownName = survey.demo?.name ?? names[0]?.replace(/\..*$/, '') ?? base.name
  const next: Project = {
    ...base,
    name: base.name === emptyProject.name ? ownName : base.name,
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
