/**
 * adfa/labelling: which documents to label, a session that asks, and labels files.
 *
 *     import {parseLabels} from 'adfa/labelling'
 *
 *     await learn(documents, anchors, {labels: parseLabels(text, 'labels.jsonl')})
 */
export {DocumentDraw, type Draw, type DrawnDocument, type DrawOptions, drawDefaults} from './draw-documents.ts'
export {
  type AnchorTotals,
  anchorTotals,
  type IntervalSummary,
  type LabelProgress,
  labelledSample
} from './label-progress.ts'
export {
  checkLabelRow,
  checkLabels,
  type Drawing,
  type LabelMatch,
  type LabelRow,
  labelLines,
  labelRowsToText,
  labelsByKey,
  parseLabelRows,
  parseLabels
} from './label-rows.ts'
export {LabelSession, type LabelTask, type Question} from './label-session.ts'
export {
  escapeTyped,
  finishedLines,
  labelSheet,
  type MergedAnswers,
  mergeAnswers,
  rowsFromSheet,
  type SheetAnswers,
  type SheetRecord,
  sheetCells
} from './label-sheet.ts'
