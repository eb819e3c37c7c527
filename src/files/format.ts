import {AdfaError} from '../numeric/index.ts'

/** The formats documents may come in. */
export type DocumentFormat = 'jsonl' | 'csv' | 'tsv' | 'svmlight' | 'mtx'

/** Every format with the extensions that stand for it. */
export const documentFormats: Readonly<Record<DocumentFormat, readonly string[]>> = {
  jsonl: ['.jsonl', '.ndjson', '.json'],
  csv: ['.csv'],
  tsv: ['.tsv'],
  svmlight: ['.svm', '.svmlight', '.libsvm'],
  mtx: ['.mtx']
}

const formatNames: readonly DocumentFormat[] = ['jsonl', 'csv', 'tsv', 'svmlight', 'mtx']

/** The format called `name`, as given to `--format`. */
export function parseFormat(name: string): DocumentFormat {
  const format = formatNames.find(candidate => candidate === name)
  if (format !== undefined) return format
  throw new AdfaError('bad-option', `there is no format "${name}"; --format takes one of ${formatNames.join(', ')}`)
}

/** The format that a file's name stands for, once `.gz` or `.zst` is taken off. `-`, standard input, is JSON Lines. */
export function formatOfPath(path: string): DocumentFormat {
  if (path === '-') return 'jsonl'
  const name = path.toLowerCase().replace(/\.(gz|zst)$/, '')
  const format = formatNames.find(candidate => documentFormats[candidate].some(extension => name.endsWith(extension)))
  if (format !== undefined) return format
  const known = formatNames.map(candidate => `${candidate} (${documentFormats[candidate].join(', ')})`).join('; ')
  throw new AdfaError(
    'bad-file',
    `${path}: the name does not tell the format; known are ${known}; each may end in .gz or .zst; ` +
      'rename the file or give --format'
  )
}
