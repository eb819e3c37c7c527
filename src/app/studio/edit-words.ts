import {printableLine} from '../../base/text/index.ts'
import type {Edit} from '../session/index.ts'

const WORDS: {readonly [Kind in Edit['kind']]: (edit: Extract<Edit, {kind: Kind}>) => string} = {
  addConcept: ({concept}) => `add the concept ${concept}`,
  removeConcept: ({concept}) => `remove the concept ${concept}`,
  renameConcept: ({concept, to}) => `rename ${concept} to ${to}`,
  addMember: ({concept, feature}) => `add ${feature} to ${concept}`,
  removeMember: ({concept, feature}) => `remove ${feature} from ${concept}`,
  moveMember: ({feature, from, to}) => `move ${feature} from ${from} to ${to}`,
  addVeto: ({concept, feature}) => `add the veto ${feature} to ${concept}`,
  removeVeto: ({concept, feature}) => `remove the veto ${feature} from ${concept}`,
  setRates: ({concept, rates}) => `${rates === undefined ? 'estimate' : 'give'} the rates of ${concept}`,
  setAnchors: ({words}) => words,
  setLabels: ({words}) => words,
  setReading: () => 'change how documents are read',
  setFit: () => 'change how the model is learned',
  setName: ({name}) => `name the project ${name}`,
  setRule: ({a, b, rule}) => `${rule} the link of ${a} and ${b}`,
  takeSnapshot: ({name}) => `take the snapshot ${name}`,
  renameSnapshot: ({snapshot, to}) => `rename the snapshot ${snapshot} to ${to}`,
  deleteSnapshot: ({snapshot}) => `delete the snapshot ${snapshot}`
}

/** The edit in words, for undo and redo. */
export function editWords(edit: Edit): string {
  return printableLine((WORDS[edit.kind] as (edit: Edit) => string)(edit))
}
