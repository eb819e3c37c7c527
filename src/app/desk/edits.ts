import type {AnchorRates, Anchors} from '../../read/data/index.ts'
import type {LabelRow} from '../../use/labelling/index.ts'
import type {DocumentsMark, FitSettings, Reading} from './project.ts'

/** One change of a project. */
export type Edit =
  | {readonly kind: 'addConcept'; readonly concept: string}
  | {readonly kind: 'removeConcept'; readonly concept: string}
  /** Its labels are renamed with it. */
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
