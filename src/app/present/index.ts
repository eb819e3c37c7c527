export {
  type Block,
  type Cell,
  heading,
  type Inline,
  paragraph,
  plainText,
  say,
  type TableBlock
} from './blocks.ts'
export {certificateBlocks, certificateRows, settingsBlocks, statusText} from './certificates.ts'
export {rateCharts} from './charts.ts'
export {comparedText, comparisonBlocks, comparisonChart, comparisonRule} from './comparison.ts'
export {
  anchorBlocks,
  anchoredText,
  cardsLead,
  conceptsTable,
  neighbourBlocks,
  title,
  wordBlocks
} from './concept.ts'
export {
  type ConceptRow,
  conceptTable,
  evaluationBlocks,
  evaluationParts,
  evaluationSection,
  labelBlocks,
  labelFigureBlocks,
  labelsLead,
  labelsUsedText,
  leftOutNotes,
  type MistakeKind,
  reliabilityBlocks,
  reliabilityPicture,
  reliabilityTable,
  untrainedNotes
} from './evaluation.ts'
export {
  explanationBlocks,
  readableExplanation,
  rowLabel,
  signed,
  type Waterfall,
  type WaterfallRow,
  waterfall
} from './explanation.ts'
export {
  describeFinding,
  doctorBlocks,
  findingCounts,
  findingLine,
  findingText,
  occurrenceText,
  type RemedyPlaces,
  remedyText,
  uncoveredText
} from './findings.ts'
export {goalText, knownPrevalences, knownText, labelledText, prevalenceTable} from './labelling.ts'
export {edgeBlocks, linkText, networkCaption, networkLead} from './network.ts'
export {intervalText, type JudgedRates, measuredRates, ratesBlock, sourceBlocks, worthText} from './rates.ts'
export {ruleText} from './rule.ts'
export {Bar, type BlockHost, Blocks, InlineText} from './show.tsx'
export {commonStyle} from './style.ts'
export {formReason, suggestionBlocks, suggestionText, suggestionWarnings} from './suggestions.ts'
export {leadText, summaryBlocks} from './summary.ts'
export {type Column, Table} from './table.tsx'
export {blocksText, textTable} from './text.ts'
