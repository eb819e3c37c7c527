export {type Anchor, type AnchorRates, type Anchors, anchorsToJson, parseAnchors} from './anchors.ts'
export type {Evidence} from './evidence.ts'
export {type Lexicon, type SkippedAnchor, type TagFilter, type TextOptions, textDefaults} from './lexicon.ts'
export {parseRow, type Row, rowKey} from './row.ts'
