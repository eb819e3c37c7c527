import {AdfaError, type ErrorCode} from '../../base/checks/index.ts'

type Meaning = readonly [numbers: readonly number[], code: ErrorCode, meaning: string]

/** The meaning of the server's error numbers, and the way out. */
const MEANINGS: readonly Meaning[] = [
  [
    [192, 193, 194, 516],
    'bad-option',
    'the server does not know this user and password; check ADFA_CLICKHOUSE_USER and ADFA_CLICKHOUSE_PASSWORD, or the file in `credentials`'
  ],
  [[60, 81], 'bad-option', 'the server has no such table; check the names of the database and the table'],
  [
    [164, 291, 497],
    'bad-option',
    'this user may not do that; ask the administrator for the right to read the table (GRANT SELECT)'
  ],
  [
    [32, 33, 101, 102, 198, 209, 210, 279, 519],
    'bad-file',
    'a server that holds a part of this table is down or went away; nothing was counted; start it again and repeat the command'
  ],
  [
    [159, 160],
    'bad-file',
    'the query took longer than allowed; raise `timeLimit`, or ask the administrator to raise max_execution_time'
  ],
  [
    [241],
    'bad-file',
    'the query needs more memory than allowed; raise `memory`, count fewer words (`vocabulary`), or ask the administrator to raise max_memory_usage'
  ],
  [
    [158, 307, 396],
    'bad-file',
    'the query reads or returns more than the server allows this user; ask the administrator to raise the limit'
  ],
  [[394], 'bad-file', 'someone stopped the query on the server; nothing was counted; repeat the command']
]

const UNKNOWN: Meaning = [[], 'bad-file', 'the server could not answer; nothing was counted']

/** The error of a failed query: what happened, where, and the way out. */
export function clickHouseFailure(error: unknown, table: string): AdfaError {
  if (error instanceof AdfaError) return error
  const text = error instanceof Error ? error.message : String(error)
  const number = serverCode(text)
  if (number === undefined)
    return new AdfaError(
      'bad-file',
      `${table}: the ClickHouse server cannot be reached, or went away; nothing was counted; ` +
        `check that it runs and that the address is right, and repeat the command (${networkReason(error, text)})`,
      {cause: error}
    )
  const [, code, meaning] = MEANINGS.find(([numbers]) => numbers.includes(number)) ?? UNKNOWN
  return new AdfaError(code, `${table}: ${meaning} (the server says: ${serverWords(number, text)})`, {
    cause: error,
    details: {serverCode: number}
  })
}

/** A server that has not answered within the limit. */
export function timeFailure(table: string): AdfaError {
  return new AdfaError(
    'bad-file',
    `${table}: the server did not answer in time; nothing was counted; check that it is well, or raise \`timeLimit\``
  )
}

/** The first number of a report with several: the others are of other servers. */
function serverCode(text: string): number | undefined {
  const found = /Code: (\d+)/.exec(text)
  if (found !== null) return Number(found[1])
  return text.includes('DB::Exception') ? 0 : undefined
}

function serverWords(number: number, text: string): string {
  const words = text.slice(Math.max(0, text.search(/Code: \d|DB::Exception/))).replace(/, e\.what\(\).*$/s, '')
  const short = words
    .replace(/\s+/g, ' ')
    .replace(/Stack trace:.*$/, '')
    .slice(0, 300)
    .trim()
  return /^Code/.test(short) || number === 0 ? short : `Code: ${number}. ${short}`
}

function networkReason(error: unknown, text: string): string {
  const reason = error instanceof AggregateError ? error.errors.map(String).join(', ') : text
  return reason || (error instanceof Error && 'code' in error ? String(error.code) : 'no reason given')
}
