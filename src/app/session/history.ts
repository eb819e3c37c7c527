import type {Project} from '../project/index.ts'
import {applyEdit, type Edit, editWords} from './edits.ts'

/** An edit that was made, in words, and the project on its other side. */
export interface Step {
  readonly words: string
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

/** Edits that can be undone; older ones are forgotten. */
export const MOST_STEPS = 200

export function startHistory(project: Project): History {
  return {project, undos: [], redos: []}
}

/** Makes an edit; what was undone before cannot be redone any more. */
export function makeEdit({project, undos}: History, edit: Edit): History {
  const step = {words: editWords(edit), project}
  return {project: applyEdit(project, edit), undos: [...undos, step].slice(-MOST_STEPS), redos: []}
}

/** Takes the latest edit back; without one, nothing changes. */
export function undo(history: History): History {
  const {project, undos, redos} = history
  const step = undos.at(-1)
  if (step === undefined) return history
  return {project: step.project, undos: undos.slice(0, -1), redos: [...redos, {words: step.words, project}]}
}

/** Makes the edit again that was undone last; without one, nothing changes. */
export function redo(history: History): History {
  const {project, undos, redos} = history
  const step = redos.at(-1)
  if (step === undefined) return history
  return {project: step.project, undos: [...undos, {words: step.words, project}], redos: redos.slice(0, -1)}
}
