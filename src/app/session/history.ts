import type {Project} from '../project/index.ts'
import {applyEdit, type Edit} from './edits.ts'

/** An edit that was made, and the project on its other side. */
export interface Step {
  readonly edit: Edit
  readonly project: Project
}

/** A project with the edits that led to it; the latest, and the next to redo, come last. */
export interface History {
  readonly project: Project
  /** The project before each edit. */
  readonly undos: readonly Step[]
  /** The project after each edit that was undone. */
  readonly redos: readonly Step[]
}

/** What the page does to its history, and tells the session, which does the same to its own. */
export type Change =
  | {readonly kind: 'edit'; readonly edit: Edit}
  | {readonly kind: 'undo' | 'redo'}
  /** Another project in place of this one; there is nothing to undo then. */
  | {readonly kind: 'replace'; readonly project: Project}

/** What the studio begins with. */
export const emptyProject: Project = {name: 'untitled', reading: {text: []}, anchors: [], fit: {}, labels: []}

/** Edits that can be undone; older ones are forgotten. */
export const MOST_STEPS = 200

export function startHistory(project: Project): History {
  return {project, undos: [], redos: []}
}

/** The history after a change; without an edit to undo or redo it stays as it is. An edit drops what was undone. */
export function changeHistory(history: History, change: Change): History {
  const {project, undos, redos} = history
  if (change.kind === 'replace') return startHistory(change.project)
  if (change.kind === 'edit') {
    const {edit} = change
    return {project: applyEdit(project, edit), undos: [...undos, {edit, project}].slice(-MOST_STEPS), redos: []}
  }
  const [from, to] = change.kind === 'undo' ? [undos, redos] : [redos, undos]
  const step = from.at(-1)
  if (step === undefined) return history
  const [left, more] = [from.slice(0, -1), [...to, {edit: step.edit, project}]]
  const [before, after] = change.kind === 'undo' ? [left, more] : [more, left]
  return {project: step.project, undos: before, redos: after}
}
