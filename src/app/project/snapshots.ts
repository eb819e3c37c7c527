/** Snapshots: named projects with their models, kept inside the project and its file, to compare with. */
import {AdfaError} from '../../base/checks/index.ts'
import {printableLine} from '../../base/text/index.ts'
import type {Project, Snapshot} from './project.ts'

/** All are in one file, and in every state that can be undone. */
const MOST_SNAPSHOTS = 20

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
  return snapshots
}

function refusal(message: string): AdfaError {
  return new AdfaError('bad-option', message)
}
