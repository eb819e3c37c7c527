import type {Command} from 'commander'
import {AdfaError} from '../../../base/checks/index.ts'
import {
  type ClickHouseLayout,
  type ClickHouseOptions,
  clickHouseDefaults,
  readClickHouseCredentials
} from '../../../read/engines/index.ts'
import {positiveNumber} from '../common-options.ts'

/** How tables of ClickHouse are read; the user and password come from the environment or a file. */
export interface ClickHouseCliOptions {
  readonly tokensColumn?: string
  readonly tagsColumn?: string
  readonly taggedColumn?: string
  readonly idColumn?: string
  readonly documentColumn?: string
  readonly wordColumn?: string
  readonly credentials?: string
  readonly timeLimit?: number
}

/** The memory limit is an option of every engine that has one, and added there. */
export function addClickHouseOptions(command: Command): Command {
  return command
    .option(
      '--tokens-column <name>',
      `ClickHouse: the column with the list of a document's words (default: "${defaultTokens()}")`
    )
    .option('--tags-column <name>', "ClickHouse: the column with the list of a document's tags")
    .option('--tagged-column <name>', 'ClickHouse: a column that is 0 where the tags of a document are not known')
    .option('--id-column <name>', 'ClickHouse: the column with the id that --labels knows a document by')
    .option('--document-column <name>', 'ClickHouse, one word a row: the column that says of which document')
    .option('--word-column <name>', 'ClickHouse, one word a row: the column with the word')
    .option('--credentials <file>', 'ClickHouse: JSON with user and password, readable by you alone')
    .option('--time-limit <seconds>', 'ClickHouse: how long the server may work on one query', positiveNumber)
}

/** The options of {@link openClickHouse}; `memory` in bytes. */
export async function clickHouseOptions(
  options: ClickHouseCliOptions,
  memory: number | undefined,
  onNote: (note: string) => void
): Promise<ClickHouseOptions> {
  return {
    layout: layoutOf(options),
    credentials: await readClickHouseCredentials(options.credentials),
    timeLimit: options.timeLimit ?? clickHouseDefaults.timeLimit,
    memory: memory ?? clickHouseDefaults.memory,
    onNote
  }
}

function layoutOf(options: ClickHouseCliOptions): ClickHouseLayout {
  const {tokensColumn, tagsColumn, taggedColumn, idColumn, documentColumn, wordColumn} = options
  const isLong = documentColumn !== undefined || wordColumn !== undefined
  if (!isLong) {
    if (taggedColumn !== undefined && tagsColumn === undefined)
      throw new AdfaError('bad-option', '--tagged-column says whose tags are known; name the tags with --tags-column')
    return {
      kind: 'tokens',
      tokens: tokensColumn ?? defaultTokens(),
      tags: tagsColumn,
      tagged: taggedColumn,
      id: idColumn
    }
  }
  if (documentColumn === undefined || wordColumn === undefined)
    throw new AdfaError(
      'bad-option',
      'a table with one word a row is read with both --document-column and --word-column; got one of them'
    )
  if ([tokensColumn, tagsColumn, taggedColumn, idColumn].some(column => column !== undefined))
    throw new AdfaError(
      'bad-option',
      '--tokens-column, --tags-column, --tagged-column and --id-column are for tables with one document a row, ' +
        '--document-column and --word-column for those with one word a row; give those of one kind'
    )
  return {kind: 'long', document: documentColumn, word: wordColumn}
}

function defaultTokens(): string {
  const {layout} = clickHouseDefaults
  return layout.kind === 'tokens' ? layout.tokens : ''
}
