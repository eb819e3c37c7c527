// Runs every program of examples/ against the built package, each in a new empty directory: `npm run examples`.
import {spawnSync} from 'node:child_process'
import {existsSync, mkdtempSync, readdirSync, rmSync} from 'node:fs'
import {tmpdir} from 'node:os'
import {join} from 'node:path'
import {root} from './read-sources.ts'

const MINUTES = 5
// By URL, since a name would be resolved from the program's empty directory.
const loader = import.meta.resolve('tsx')

const names = readdirSync(join(root, 'examples'))
  .filter(name => name.endsWith('.ts'))
  .sort()
if (names.length === 0) fail('examples/ has no program')
else if (!existsSync(join(root, 'dist/index.js'))) fail('examples use the built package; run `npm run build` first')
else for (const name of names) run(name)

function run(name: string): void {
  const directory = mkdtempSync(join(tmpdir(), 'adfa-example-'))
  const start = performance.now()
  try {
    const {status, signal, error, stdout, stderr} = spawnSync(
      process.execPath,
      ['--import', loader, join(root, 'examples', name)],
      {cwd: directory, encoding: 'utf8', timeout: MINUTES * 60_000, maxBuffer: 2 ** 28}
    )
    const seconds = ((performance.now() - start) / 1000).toFixed(1)
    if (status === 0) console.log(`examples/${name}: ${seconds} s`)
    else fail(`examples/${name} failed (${error?.message ?? signal ?? `exit code ${status}`})\n${stdout}${stderr}`)
  } finally {
    rmSync(directory, {recursive: true, force: true})
  }
}

function fail(message: string): void {
  console.error(message)
  process.exitCode = 1
}
