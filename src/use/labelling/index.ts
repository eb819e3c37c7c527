/**
 * adfa/labelling: which documents to label, a session that asks, and labels files.
 *
 *     import {parseLabels} from 'adfa/labelling'
 *
 *     await learn(documents, anchors, {labels: parseLabels(text, 'labels.jsonl')})
 */
export {checkLabels, type LabelMatch} from './check-labels.ts'
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
  type Drawing,
  type LabelRow,
  labelLines,
  labelRowsToText,
  labelsByKey,
  parseLabelRows,
  parseLabels
} from './label-rows.ts'
export {LabelSession, type LabelTask, type Question} from './label-session.ts'
export {escapeTyped, labelSheet, sheetCells} from './label-sheet.ts'
export {enoughWords, knownWords, widthText} from './progress-words.ts'
export {anchorRanking, learnRanking, type Ranking, rankBy} from './ranking.ts'
export {
  finishedLines,
  type MergedAnswers,
  mergeAnswers,
  rowsFromSheet,
  type SheetAnswers,
  type SheetRecord
} from './rows-from-sheet.ts'
