import {AdfaError} from '../../base/checks/index.ts'
import {
  type Anchor,
  type AnchorRates,
  type Anchors,
  indexAnchors,
  parseAnchorEntry,
  sharedMembers
} from '../../read/data/index.ts'
import type {LabelRow} from '../../use/labelling/index.ts'
import {
  type DocumentsMark,
  type FitSettings,
  namesConcept,
  type Project,
  quoted,
  type Reading,
  readOptionsOf,
  settledAnchors,
  withNewName,
  withoutConcepts,
  withoutSnapshot,
  withRule,
  withSnapshot,
  withSnapshotName
} from '../project/index.ts'

/** What each kind of edit says; `kind` is its name. */
interface EditKinds {
  addConcept: {readonly concept: string}
  /** Its labels and its rules go with it. */
  removeConcept: {readonly concept: string}
  /** Its labels and its rules are renamed with it. */
  renameConcept: {readonly concept: string; readonly to: string}
  addMember: {readonly concept: string; readonly feature: string}
  removeMember: {readonly concept: string; readonly feature: string}
  moveMember: {readonly feature: string; readonly from: string; readonly to: string}
  addVeto: {readonly concept: string; readonly feature: string}
  removeVeto: {readonly concept: string; readonly feature: string}
  setRates: {readonly concept: string; readonly rates: AnchorRates | undefined}
  /** Concepts from a file, from tags or from a pasted list; `words` say which: "take 23 concepts from anchors.json". */
  setAnchors: {readonly anchors: Anchors; readonly words: string}
  setLabels: {readonly labels: readonly LabelRow[]; readonly words: string}
  setReading: {readonly reading: Reading; readonly documents: DocumentsMark | undefined}
  setFit: {readonly fit: FitSettings}
  setName: {readonly name: string}
  /** A link between two concepts is always there, never, or as the documents say; it replaces the rule that the pair had. */
  setRule: {readonly a: string; readonly b: string; readonly rule: 'require' | 'forbid' | 'free'}
  /** `model`: the text of the model file, where that is ready. */
  takeSnapshot: {readonly name: string; readonly model: string | undefined}
  renameSnapshot: {readonly snapshot: string; readonly to: string}
  deleteSnapshot: {readonly snapshot: string}
}

/** One change of a project. */
export type Edit = {[Kind in keyof EditKinds]: {readonly kind: Kind} & EditKinds[Kind]}[keyof EditKinds]

/**
 * The project with one change; the project itself stays as it is. Refuses what cannot be done, with the way out. Options of the
 * fit are checked where they are used (`learnOptionsOf`).
 */
export function applyEdit(project: Project, edit: Edit): Project {
  return (APPLY[edit.kind] as (project: Project, edit: Edit) => Project)(project, edit)
}

const APPLY: {readonly [Kind in keyof EditKinds]: (project: Project, edit: EditKinds[Kind]) => Project} = {
  addConcept: (project, {concept}) => withAnchors(project, [...project.anchors, newAnchor(project.anchors, concept)]),
  removeConcept(project, {concept}) {
    const {anchors} = project
    anchorOf(anchors, concept)
    return replaceAnchors(
      project,
      anchors.filter(anchor => anchor.concept !== concept)
    )
  },
  renameConcept: (project, {concept, to}) => renamed(project, concept, to),
  addMember: (project, {concept, feature}) =>
    withAnchor(project, concept, anchor => addedMember(project, anchor, feature)),
  removeMember: (project, {concept, feature}) =>
    withAnchor(project, concept, anchor => ({...anchor, any: without(anchor, 'any', feature)})),
  moveMember: moved,
  addVeto: (project, {concept, feature}) => withAnchor(project, concept, anchor => addedVeto(anchor, feature)),
  removeVeto: (project, {concept, feature}) =>
    withAnchor(project, concept, anchor => ({...anchor, not: without(anchor, 'not', feature)})),
  setRates: (project, {concept, rates}) =>
    withAnchor(project, concept, anchor => ({...anchor, rates: checkedRates(anchor, rates)})),
  setAnchors: (project, {anchors}) => replaceAnchors(project, checkedAnchors(anchors)),
  setLabels: (project, {labels}) => ({...project, labels}),
  setReading(project, {reading, documents}) {
    readOptionsOf(reading)
    return {...project, reading, documents}
  },
  setFit: (project, {fit}) => ({...project, fit}),
  setName(project, {name}) {
    if (name.trim() === '') throw new AdfaError('bad-option', 'a project needs a name; type one')
    return {...project, name}
  },
  setRule: ruled,
  takeSnapshot: (project, {name, model}) => withSnapshot(project, name, model),
  renameSnapshot: (project, {snapshot, to}) => withSnapshotName(project, snapshot, to),
  deleteSnapshot: (project, {snapshot}) => withoutSnapshot(project, snapshot)
}

function refusal(message: string, details: Readonly<Record<string, unknown>> = {}): AdfaError {
  return new AdfaError('bad-anchors', message, {details})
}

function withAnchors(project: Project, anchors: Anchors): Project {
  return {...project, anchors: settledAnchors(anchors)}
}

/** Other anchors, without the labels and rules of concepts that are gone. Labels of names that were no concepts stay. */
function replaceAnchors(project: Project, anchors: Anchors): Project {
  const gone = new Set(project.anchors.map(({concept}) => concept))
  for (const {concept} of anchors) gone.delete(concept)
  return withAnchors(withoutConcepts(project, gone), anchors)
}

function ruled(project: Project, {a, b, rule}: EditKinds['setRule']): Project {
  if (rule === 'free') return withRule(project, [a, b], undefined)
  const [first, second] = [a, b].map(concept => anchorOf(project.anchors, concept))
  if (a === b) throw refusal(`a link joins two concepts; choose another one beside ${quoted(a)}`)
  const group = first.exclusive?.group
  if (rule === 'require' && group !== undefined && group === second.exclusive?.group)
    throw refusal(`${quoted(a)} and ${quoted(b)} exclude each other; take one out of the group before you link them`)
  return withRule(project, [a, b], rule)
}

function withAnchor(project: Project, concept: string, change: (anchor: Anchor) => Anchor): Project {
  const changed = change(anchorOf(project.anchors, concept))
  return withAnchors(
    project,
    project.anchors.map(anchor => (anchor.concept === concept ? changed : anchor))
  )
}

function anchorOf(anchors: Anchors, concept: string): Anchor {
  const anchor = anchors.find(each => each.concept === concept)
  if (anchor === undefined) throw refusal(`there is no concept ${quoted(concept)}; add it first`)
  return anchor
}

/** The anchor of a new concept, which has no member yet. */
function newAnchor(anchors: Anchors, concept: string): Anchor {
  if (concept.trim() === '') throw refusal('a concept needs a name; type one')
  if (concept !== concept.trim())
    throw refusal(`concept ${quoted(concept)}: a name must not begin or end with a space; remove it`)
  if (anchors.some(each => each.concept === concept))
    throw refusal(`there is a concept ${quoted(concept)} already; choose another name`)
  return namedAnchor(concept, [])
}

/** An anchor as files may hold it; they keep names that begin with "$" for other things. */
function namedAnchor(concept: string, entry: Parameters<typeof parseAnchorEntry>[1]): Anchor {
  if (concept.startsWith('$'))
    throw refusal(`concept ${quoted(concept)}: names that begin with "$" are reserved; choose another name`)
  return parseAnchorEntry(concept, entry)
}

function renamed(project: Project, concept: string, to: string): Project {
  const {anchors, labels} = project
  anchorOf(anchors, concept)
  if (concept === to) throw refusal(`${quoted(concept)} has this name already; type another one`)
  newAnchor(anchors, to)
  if (labels.some(row => namesConcept(row, to)))
    throw refusal(`the labels name a concept ${quoted(to)} already; choose another name`)
  const named = anchors.map(anchor => (anchor.concept === concept ? {...anchor, concept: to} : anchor))
  return withAnchors(withNewName(project, concept, to), named)
}

function addedMember(project: Project, anchor: Anchor, feature: string): Anchor {
  checkFeature(anchor, feature)
  const taken = sharer(project, anchor.concept, feature)
  if (taken !== undefined)
    throw refusal(
      `${quoted(feature)} belongs to ${quoted(taken.concept)} already, and a member belongs to one concept alone; ` +
        `move it to ${quoted(anchor.concept)}, or leave it in ${quoted(taken.concept)}`,
      {takenBy: taken.concept, feature: taken.feature}
    )
  return {...anchor, any: [...anchor.any, feature]}
}

function addedVeto(anchor: Anchor, feature: string): Anchor {
  checkFeature(anchor, feature)
  return {...anchor, not: [...anchor.not, feature]}
}

/** Refuses a feature without a name, one that is there already, and faults of expressions. */
function checkFeature({concept, any, not}: Anchor, feature: string): void {
  if (feature.trim() === '')
    throw refusal(`concept ${quoted(concept)}: a feature is a word, a phrase or an /expression/; type one`)
  if (any.includes(feature)) throw refusal(`${quoted(feature)} is a member of ${quoted(concept)} already`)
  if (not.includes(feature))
    throw refusal(`${quoted(feature)} is a veto of ${quoted(concept)} already; remove it there to use it as a member`)
  parseAnchorEntry(concept, feature)
}

/** Another concept that has the feature as a member, perhaps in another spelling: `ETOH`, `text:etoh`. */
function sharer(
  {anchors, reading}: Project,
  concept: string,
  feature: string
): {concept: string; feature: string} | undefined {
  const others = anchors.filter(each => each.concept !== concept)
  const tried = [...others, parseAnchorEntry(concept, feature)].map(each => ({...each, not: []}))
  const index = indexAnchors(tried, [], readOptionsOf(reading))
  const last = index.memberConcepts.length - 1
  const [other] = sharedMembers(index).find(members => members.includes(last)) ?? []
  if (other === undefined) return undefined
  const owner = others[index.memberConcepts[other]]
  return {concept: owner.concept, feature: tried.flatMap(({any}) => any)[other]}
}

function moved(project: Project, {feature, from, to}: EditKinds['moveMember']): Project {
  if (from === to) throw refusal(`${quoted(feature)} is in ${quoted(to)} already; choose another concept`)
  const left = withAnchor(project, from, anchor => ({...anchor, any: without(anchor, 'any', feature)}))
  // Where both have it, moving it leaves it in one.
  if (anchorOf(left.anchors, to).any.includes(feature)) return left
  return withAnchor(left, to, anchor => addedMember(left, anchor, feature))
}

function without(anchor: Anchor, list: 'any' | 'not', feature: string): readonly string[] {
  if (!anchor[list].includes(feature))
    throw refusal(`${quoted(feature)} is no ${list === 'any' ? 'member' : 'veto'} of ${quoted(anchor.concept)}`)
  return anchor[list].filter(name => name !== feature)
}

function checkedRates({concept, any, not}: Anchor, rates: AnchorRates | undefined): AnchorRates | undefined {
  const {kind: _, ...numbers} = rates ?? {kind: undefined}
  return parseAnchorEntry(concept, {any, not, ...numbers}).rates
}

function checkedAnchors(anchors: Anchors): Anchors {
  const names = anchors.map(({concept}) => concept)
  const twice = names.find((name, at) => names.indexOf(name) < at)
  if (twice !== undefined)
    throw refusal(`concept ${quoted(twice)} is named twice; merge its anchors, or rename one of the two`)
  for (const anchor of anchors) {
    namedAnchor(anchor.concept, {any: anchor.any, not: anchor.not})
    checkedRates(anchor, anchor.rates)
  }
  return anchors
}

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
