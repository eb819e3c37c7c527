import {AdfaError} from '../../base/checks/index.ts'

/** The formats documents may come in. */
export type DocumentFormat =
  | 'jsonl'
  | 'csv'
  | 'tsv'
  | 'svmlight'
  | 'mtx'
  | 'arff'
  | 'parquet'
  | 'stackexchange'
  | 'kaggle'

/** Every format with the extensions that stand for it. */
export const documentFormats: Readonly<Record<DocumentFormat, readonly string[]>> = {
  jsonl: ['.jsonl', '.ndjson', '.json'],
  csv: ['.csv'],
  tsv: ['.tsv'],
  svmlight: ['.svm', '.svmlight', '.libsvm'],
  mtx: ['.mtx'],
  arff: ['.arff'],
  parquet: ['.parquet', '.pq'],
  stackexchange: ['.xml'],
  kaggle: []
}

const formatNames: readonly DocumentFormat[] = [
  'jsonl',
  'csv',
  'tsv',
  'svmlight',
  'mtx',
  'arff',
  'parquet',
  'stackexchange',
  'kaggle'
]

/** The format called `name`, as given to `--format`. */
export function parseFormat(name: string): DocumentFormat {
  const format = formatNames.find(candidate => candidate === name)
  if (format !== undefined) return format
  throw new AdfaError('bad-option', `there is no format "${name}"; --format takes one of ${formatNames.join(', ')}`)
}

/**
 * The format that a file's name stands for, once `.gz`, `.zst` or `.7z` is taken off. `-`, standard input, is JSON Lines; a `.7z`
 * whose name says no more is a Stack Exchange dump: they are called `android.stackexchange.com.7z`.
 */
export function formatOfPath(path: string): DocumentFormat {
  if (path === '-') return 'jsonl'
  const name = path.toLowerCase().replace(/\.(gz|zst|7z)$/, '')
  const format = formatNames.find(candidate => documentFormats[candidate].some(extension => name.endsWith(extension)))
  if (format !== undefined) return format
  if (/\.7z$/i.test(path)) return 'stackexchange'
  const known = formatNames
    .filter(candidate => documentFormats[candidate].length > 0)
    .map(candidate => `${candidate} (${documentFormats[candidate].join(', ')})`)
    .join('; ')
  throw new AdfaError(
    'bad-file',
    `${path}: the name does not tell the format; known are ${known}; each may end in .gz, .zst or .7z; ` +
      'rename the file or give --format'
  )
}
