/** Snapshots: named projects with their models, kept inside the project and its file, to compare with. */
import {AdfaError} from '../../base/checks/index.ts'
import {grouped, printableLine} from '../../base/text/index.ts'
import type {Project, Snapshot} from './project.ts'

/** The whole project goes to the session with every edit, and into one file. */
const MOST_SNAPSHOTS = 20
/** Characters of all models together; one of 12 concepts and 1,000 words has about 65,000. */
const MOST_MODEL_TEXT = 16_000_000

/** The project with a snapshot of itself; `model` is the text of its model file, where that is ready. */
export function withSnapshot(project: Project, name: string, model: string | undefined): Project {
  const {snapshots = [], ...own} = project
  const snapshot: Snapshot = {name, project: own, renamed: [], ...(model !== undefined && {model})}
  return {...project, snapshots: checkedSnapshots([...snapshots, snapshot])}
}

export function withSnapshotName(project: Project, name: string, to: string): Project {
  snapshotOf(project, name)
  return replaced(project, snapshots =>
    checkedSnapshots(snapshots.map(each => (each.name === name ? {...each, name: to} : each)))
  )
}

export function withoutSnapshot(project: Project, name: string): Project {
  snapshotOf(project, name)
  return replaced(project, snapshots => snapshots.filter(each => each.name !== name))
}

/** What a concept is called now is written down in every snapshot, so that a rename is no deletion. */
export function withConceptName(project: Project, concept: string, to: string): Project {
  return replaced(project, snapshots =>
    snapshots.map(snapshot => {
      const names = nowNames(snapshot)
      const renamed = [...names].map(([then, now]) => [then, now === concept ? to : now] as const)
      return {...snapshot, renamed: renamed.filter(([then, now]) => then !== now)}
    })
  )
}

/** The concepts of a snapshot by the names that they have in the project today. */
export function nowNames({project, renamed}: Snapshot): ReadonlyMap<string, string> {
  const later = new Map(renamed)
  return new Map(project.anchors.map(({concept}) => [concept, later.get(concept) ?? concept]))
}

export function snapshotOf({snapshots = []}: Project, name: string): Snapshot {
  const found = snapshots.find(each => each.name === name)
  if (found === undefined) throw refusal(`there is no snapshot "${printableLine(name)}"; choose another one`)
  return found
}

function replaced(project: Project, change: (snapshots: readonly Snapshot[]) => readonly Snapshot[]): Project {
  const {snapshots = [], ...own} = project
  const left = change(snapshots)
  return left.length === 0 ? own : {...own, snapshots: left}
}

/** Refuses names that are missing or there twice, and more than a project keeps. */
export function checkedSnapshots(snapshots: readonly Snapshot[]): readonly Snapshot[] {
  const names = snapshots.map(({name}) => name)
  if (names.some(name => name.trim() === '')) throw refusal('a snapshot needs a name; type one')
  const twice = names.find((name, at) => names.indexOf(name) < at)
  if (twice !== undefined) throw refusal(`there is a snapshot "${printableLine(twice)}" already; choose another name`)
  if (snapshots.length > MOST_SNAPSHOTS)
    throw refusal(`a project keeps ${MOST_SNAPSHOTS} snapshots at most; delete one of them first`)
  const text = snapshots.reduce((sum, {model = ''}) => sum + model.length, 0)
  if (text > MOST_MODEL_TEXT)
    throw refusal(
      `the models of all snapshots would be ${kilobytes(text)}, and a project keeps ${kilobytes(MOST_MODEL_TEXT)}; delete a snapshot first`
    )
  return snapshots
}

function kilobytes(size: number): string {
  return `${grouped(Math.ceil(size / 1000))} KB`
}

function refusal(message: string): AdfaError {
  return new AdfaError('bad-option', message)
}
