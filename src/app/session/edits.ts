import {AdfaError, unreachable} from '../../base/checks/index.ts'
import {printableLine} from '../../base/text/index.ts'
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
  withConceptName,
  withoutConcept,
  withoutSnapshot,
  withRenamed,
  withRenamedRules,
  withRule,
  withRulesOf,
  withSnapshot,
  withSnapshotName
} from '../project/index.ts'

/** One change of a project. */
export type Edit =
  | {readonly kind: 'addConcept'; readonly concept: string}
  /** Its labels and its rules go with it. */
  | {readonly kind: 'removeConcept'; readonly concept: string}
  /** Its labels and its rules are renamed with it. */
  | {readonly kind: 'renameConcept'; readonly concept: string; readonly to: string}
  | {readonly kind: 'addMember'; readonly concept: string; readonly feature: string}
  | {readonly kind: 'removeMember'; readonly concept: string; readonly feature: string}
  | {readonly kind: 'moveMember'; readonly feature: string; readonly from: string; readonly to: string}
  | {readonly kind: 'addVeto'; readonly concept: string; readonly feature: string}
  | {readonly kind: 'removeVeto'; readonly concept: string; readonly feature: string}
  | {readonly kind: 'setRates'; readonly concept: string; readonly rates: AnchorRates | undefined}
  /** Concepts from a file, from tags or from a pasted list; `words` say which: "take 23 concepts from anchors.json". */
  | {readonly kind: 'setAnchors'; readonly anchors: Anchors; readonly words: string}
  | {readonly kind: 'setLabels'; readonly labels: readonly LabelRow[]; readonly words: string}
  | {readonly kind: 'setReading'; readonly reading: Reading; readonly documents: DocumentsMark | undefined}
  | {readonly kind: 'setFit'; readonly fit: FitSettings}
  | {readonly kind: 'setName'; readonly name: string}
  /** A link between two concepts is always there, never, or as the documents say; it replaces the rule that the pair had. */
  | {readonly kind: 'setRule'; readonly a: string; readonly b: string; readonly rule: 'require' | 'forbid' | 'free'}
  /** `model`: the text of the model file, where that is ready. */
  | {readonly kind: 'takeSnapshot'; readonly name: string; readonly model: string | undefined}
  | {readonly kind: 'renameSnapshot'; readonly snapshot: string; readonly to: string}
  | {readonly kind: 'deleteSnapshot'; readonly snapshot: string}

/**
 * The project with one change; the project itself stays as it is. Refuses what cannot be done, with the way out. Options of the
 * fit are checked where they are used (`learnOptionsOf`).
 */
export function applyEdit(project: Project, edit: Edit): Project {
  const {anchors} = project
  switch (edit.kind) {
    case 'addConcept':
      return withAnchors(project, [...anchors, newAnchor(anchors, edit.concept)])
    case 'removeConcept':
      anchorOf(anchors, edit.concept)
      return replaceAnchors(
        project,
        anchors.filter(({concept}) => concept !== edit.concept)
      )
    case 'renameConcept':
      return renamed(project, edit.concept, edit.to)
    case 'addMember':
      return withAnchor(project, edit.concept, anchor => addedMember(project, anchor, edit.feature))
    case 'removeMember':
      return withAnchor(project, edit.concept, anchor => ({...anchor, any: without(anchor, 'any', edit.feature)}))
    case 'moveMember':
      return moved(project, edit)
    case 'addVeto':
      return withAnchor(project, edit.concept, anchor => addedVeto(anchor, edit.feature))
    case 'removeVeto':
      return withAnchor(project, edit.concept, anchor => ({...anchor, not: without(anchor, 'not', edit.feature)}))
    case 'setRates':
      return withAnchor(project, edit.concept, anchor => ({...anchor, rates: checkedRates(anchor, edit.rates)}))
    case 'setAnchors':
      return replaceAnchors(project, checkedAnchors(edit.anchors))
    case 'setLabels':
      return {...project, labels: edit.labels}
    case 'setReading':
      readOptionsOf(edit.reading)
      return {...project, reading: edit.reading, documents: edit.documents}
    case 'setFit':
      return {...project, fit: edit.fit}
    case 'setName':
      if (edit.name.trim() === '') throw new AdfaError('bad-option', 'a project needs a name; type one')
      return {...project, name: edit.name}
    case 'setRule':
      return ruled(project, edit)
    case 'takeSnapshot':
      return withSnapshot(project, edit.name, edit.model)
    case 'renameSnapshot':
      return withSnapshotName(project, edit.snapshot, edit.to)
    case 'deleteSnapshot':
      return withoutSnapshot(project, edit.snapshot)
    default:
      return unreachable(edit)
  }
}

/** The edit in words, for undo and redo. */
export function editWords(edit: Edit): string {
  switch (edit.kind) {
    case 'addConcept':
      return `add the concept ${shown(edit.concept)}`
    case 'removeConcept':
      return `remove the concept ${shown(edit.concept)}`
    case 'renameConcept':
      return `rename ${shown(edit.concept)} to ${shown(edit.to)}`
    case 'addMember':
      return `add ${shown(edit.feature)} to ${shown(edit.concept)}`
    case 'removeMember':
      return `remove ${shown(edit.feature)} from ${shown(edit.concept)}`
    case 'moveMember':
      return `move ${shown(edit.feature)} from ${shown(edit.from)} to ${shown(edit.to)}`
    case 'addVeto':
      return `add the veto ${shown(edit.feature)} to ${shown(edit.concept)}`
    case 'removeVeto':
      return `remove the veto ${shown(edit.feature)} from ${shown(edit.concept)}`
    case 'setRates':
      return `${edit.rates === undefined ? 'estimate' : 'give'} the rates of ${shown(edit.concept)}`
    case 'setAnchors':
    case 'setLabels':
      return edit.words
    case 'setReading':
      return 'change how documents are read'
    case 'setFit':
      return 'change how the model is learned'
    case 'setName':
      return `name the project ${shown(edit.name)}`
    case 'setRule':
      return `${edit.rule} the link of ${shown(edit.a)} and ${shown(edit.b)}`
    case 'takeSnapshot':
      return `take the snapshot ${shown(edit.name)}`
    case 'renameSnapshot':
      return `rename the snapshot ${shown(edit.snapshot)} to ${shown(edit.to)}`
    case 'deleteSnapshot':
      return `delete the snapshot ${shown(edit.snapshot)}`
    default:
      return unreachable(edit)
  }
}

function shown(name: string): string {
  return printableLine(name)
}

function refusal(message: string, details: Readonly<Record<string, unknown>> = {}): AdfaError {
  return new AdfaError('bad-anchors', message, {details})
}

function withAnchors(project: Project, anchors: Anchors): Project {
  return {...project, anchors: settledAnchors(anchors)}
}

/** Other anchors, without the labels and rules of concepts that are gone. Labels of names that were no concepts stay. */
function replaceAnchors(project: Project, anchors: Anchors): Project {
  const names = new Set(anchors.map(({concept}) => concept))
  const gone = project.anchors.filter(({concept}) => !names.has(concept))
  const labels = gone.reduce((rows, {concept}) => withoutConcept(rows, concept), project.labels)
  return withAnchors(withRulesOf({...project, labels}, names), anchors)
}

function ruled(project: Project, {a, b, rule}: Extract<Edit, {kind: 'setRule'}>): Project {
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
  checkName(concept)
  if (anchors.some(each => each.concept === concept))
    throw refusal(`there is a concept ${quoted(concept)} already; choose another name`)
  return parseAnchorEntry(concept, [])
}

/** Files of anchors keep such names for other things. */
function checkName(concept: string): void {
  if (concept.startsWith('$'))
    throw refusal(`concept ${quoted(concept)}: names that begin with "$" are reserved; choose another name`)
}

function renamed(project: Project, concept: string, to: string): Project {
  const {anchors, labels} = project
  anchorOf(anchors, concept)
  if (concept === to) throw refusal(`${quoted(concept)} has this name already; type another one`)
  newAnchor(anchors, to)
  if (labels.some(row => namesConcept(row, to)))
    throw refusal(`the labels name a concept ${quoted(to)} already; choose another name`)
  const named = anchors.map(anchor => (anchor.concept === concept ? {...anchor, concept: to} : anchor))
  const moved = withRenamedRules({...project, labels: withRenamed(labels, concept, to)}, concept, to)
  return withAnchors(withConceptName(moved, concept, to), named)
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

function moved(project: Project, {feature, from, to}: Extract<Edit, {kind: 'moveMember'}>): Project {
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
    checkName(anchor.concept)
    parseAnchorEntry(anchor.concept, {any: anchor.any, not: anchor.not})
    checkedRates(anchor, anchor.rates)
  }
  return anchors
}
