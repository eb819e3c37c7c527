export {
  type AnchorSource,
  type CountingControl,
  type CountingOptions,
  type CountingStage,
  countDocuments,
  countingDefaults,
  type RowSource
} from './count-documents.ts'
