import {stat} from 'node:fs/promises'
import {AdfaError} from '../../base/checks/index.ts'
import {readBinaryFile, readTextFile} from '../files/index.ts'

/** Who asks; never taken from an address or a command line, which others can read. */
export interface ClickHouseCredentials {
  readonly user?: string
  readonly password?: string
  /** The certificate (PEM) that the server's own must be signed with; the usual authorities unless given. */
  readonly certificate?: Uint8Array
}

/**
 * The credentials of a JSON file, `{"user": "...", "password": "...", "ca": "certificate file"}`, which only its owner may
 * be able to read; without one, of ADFA_CLICKHOUSE_USER, ADFA_CLICKHOUSE_PASSWORD and ADFA_CLICKHOUSE_CA.
 */
export async function readClickHouseCredentials(
  file: string | undefined,
  environment: Readonly<Record<string, string | undefined>> = process.env
): Promise<ClickHouseCredentials> {
  const {user, password, ca} =
    file === undefined
      ? {
          user: environment.ADFA_CLICKHOUSE_USER,
          password: environment.ADFA_CLICKHOUSE_PASSWORD,
          ca: environment.ADFA_CLICKHOUSE_CA
        }
      : await readFile(file)
  return {
    ...(user ? {user} : {}),
    ...(password ? {password} : {}),
    ...(ca ? {certificate: await readBinaryFile(ca)} : {})
  }
}

async function readFile(file: string): Promise<{user?: string; password?: string; ca?: string}> {
  const text = await readTextFile(file)
  // Windows keeps other rights than these three digits.
  const rights = process.platform === 'win32' ? 0 : (await stat(file)).mode & 0o077
  if (rights !== 0)
    throw new AdfaError(
      'bad-file',
      `${file}: other users of this computer can read or change this file of credentials; keep it to yourself: chmod 600 ${file}`
    )
  const refuse = (fault: string) =>
    new AdfaError('bad-file', `${file}: ${fault}; it is one JSON object, {"user": "...", "password": "..."}`)
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    // The reason that JSON.parse gives may quote the password.
    throw refuse('not valid JSON')
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) throw refuse('not a JSON object')
  const known = ['user', 'password', 'ca']
  for (const [key, entry] of Object.entries(value)) {
    if (!known.includes(key)) throw refuse(`unknown key "${key}"; it has ${known.join(', ')}`)
    if (typeof entry !== 'string') throw refuse(`"${key}" is text`)
  }
  return value
}
