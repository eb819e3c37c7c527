import {brotliCompressSync, constants, gzipSync} from 'node:zlib'
import type {CompressionCodec, SchemaElement} from 'hyparquet'
import {parquetWriteBuffer} from 'hyparquet-writer'

/** A column to write, by the kind of its values; null anywhere is a value that is missing. */
export type TestColumn =
  | {readonly kind: 'text'; readonly data: readonly (string | null)[]}
  | {readonly kind: 'json'; readonly data: readonly unknown[]}
  | {readonly kind: 'bytes'; readonly data: readonly (Uint8Array | null)[]}
  | {readonly kind: 'whole'; readonly data: readonly (bigint | null)[]}
  | {readonly kind: 'day' | 'time'; readonly data: readonly Date[]}
  | {readonly kind: 'list'; readonly data: readonly (readonly (string | null)[] | null)[]}
  | {
      readonly kind: 'record'
      readonly keys: readonly string[]
      readonly data: readonly (Readonly<Record<string, boolean | null>> | null)[]
    }

export interface TestParquetOptions {
  readonly codec?: CompressionCodec
  readonly rowGroupSize?: number
  readonly pageSize?: number
}

/** A Parquet file as another program may write it. */
export function parquetOf(columns: Readonly<Record<string, TestColumn>>, options: TestParquetOptions = {}): Buffer {
  const entries = Object.entries(columns)
  const buffer = parquetWriteBuffer({
    columnData: entries.map(([name, {data}]) => ({name, data: [...data]})),
    schema: [
      {name: 'root', num_children: entries.length},
      ...entries.flatMap(([name, column]) => elements(name, column))
    ],
    compressors: {
      GZIP: bytes => gzipSync(bytes),
      BROTLI: bytes => brotliCompressSync(bytes, {params: {[constants.BROTLI_PARAM_QUALITY]: 4}}),
      LZO: bytes => bytes.slice()
    },
    ...options
  })
  return Buffer.from(buffer)
}

const SCALARS = {
  text: {type: 'BYTE_ARRAY', converted_type: 'UTF8'},
  json: {type: 'BYTE_ARRAY', converted_type: 'JSON'},
  bytes: {type: 'BYTE_ARRAY'},
  whole: {type: 'INT64'},
  day: {type: 'INT32', converted_type: 'DATE'},
  time: {type: 'INT64', converted_type: 'TIMESTAMP_MILLIS'},
  truth: {type: 'BOOLEAN'}
} as const

function elements(name: string, column: TestColumn): SchemaElement[] {
  const scalar = (name: string, kind: keyof typeof SCALARS): SchemaElement => ({
    name,
    repetition_type: 'OPTIONAL',
    ...SCALARS[kind]
  })
  if (column.kind === 'list')
    return [
      {name, repetition_type: 'OPTIONAL', num_children: 1, converted_type: 'LIST'},
      {name: 'list', repetition_type: 'REPEATED', num_children: 1},
      scalar('element', 'text')
    ]
  if (column.kind !== 'record') return [scalar(name, column.kind)]
  const keys = column.keys.map(key => scalar(key, 'truth'))
  return [{name, repetition_type: 'OPTIONAL', num_children: keys.length}, ...keys]
}
