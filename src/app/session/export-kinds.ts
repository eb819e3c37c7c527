/** What the studio saves. */
export type ExportKind =
  | 'project'
  | 'anchors'
  | 'labels'
  | 'model'
  | 'counts'
  | 'predictions.jsonl'
  | 'predictions.csv'
  | 'documents.csv'
  | 'report'
  | NetworkExport
  /** The project file with the model inside. */
  | 'project-with-model'

/** The network, as `adfa export` writes it. */
type NetworkExport = 'bif' | 'dot' | 'uai' | 'edges-csv'

/** What follows from a model without its documents. */
export type ReadOnlyExport = 'report' | 'model' | NetworkExport

const READ_ONLY: readonly string[] = ['report', 'model', 'bif', 'dot', 'uai', 'edges-csv'] satisfies ReadOnlyExport[]

export function isReadOnlyExport(what: ExportKind): what is ReadOnlyExport {
  return READ_ONLY.includes(what)
}

export interface ExportedFile {
  readonly name: string
  readonly type: string
  readonly parts: readonly Uint8Array[]
}

/** Names of files that the studio saves and commands read. */
export const MODEL = 'model.json'
export const COUNTS = 'documents.counts'
export const REPORT = 'report.html'
