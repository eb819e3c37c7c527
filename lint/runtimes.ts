/**
 * Tests the built command line on other runtimes: `npm run runtimes [--tests]`. Fits and predicts generated documents with the
 * long-term Node, Deno and Bun, and compares the files byte for byte with those of this Node; with `--tests` the tests that
 * need neither a browser nor a server also run on the long-term Node. Binaries come from the npm registry.
 */
import {execFileSync, spawnSync} from 'node:child_process'
import {existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync} from 'node:fs'
import {tmpdir} from 'node:os'
import {join} from 'node:path'
import {root} from './read-sources.ts'

const LONG_TERM = 26
const kind = `${process.platform}-${process.arch}`
const packages = {
  [`Node ${LONG_TERM}`]: {name: `node-${kind}`, version: String(LONG_TERM), command: ['bin/node']},
  Deno: {name: `@deno/${kind}-glibc`, version: '2', command: ['deno', 'run', '--allow-all']},
  Bun: {name: `@oven/bun-${kind}`, version: '1', command: ['bin/bun']}
}

const adfa = join(root, 'dist/adfa.js')
const folder = join(root, 'node_modules/.cache/adfa-runtimes')
if (kind !== 'linux-x64') fail(`binaries are known for linux-x64, not ${kind}`)
else if (!existsSync(adfa)) fail('the built command line is missing; run `npm run build` first')
else compareRuntimes(installRuntimes())

function installRuntimes(): Map<string, readonly [program: string, ...args: string[]]> {
  mkdirSync(folder, {recursive: true})
  writeFileSync(join(folder, 'package.json'), '{"private": true}\n')
  const wanted = Object.values(packages).map(({name, version}) => `${name}@${version}`)
  execFileSync('npm', ['install', '--no-audit', '--no-fund', '--silent', ...wanted], {cwd: folder, stdio: 'inherit'})
  return new Map(
    Object.entries(packages).map(
      ([
        label,
        {
          name,
          command: [program, ...args]
        }
      ]) => [label, [join(folder, 'node_modules', name, program), ...args]]
    )
  )
}

function compareRuntimes(runtimes: ReturnType<typeof installRuntimes>): void {
  const work = mkdtempSync(join(tmpdir(), 'adfa-runtimes-'))
  try {
    const here = [process.execPath] as const
    runAdfa(here, work, 'generate random --concepts 8 --words 60 --documents 2000 --seed 4 -o d.jsonl --anchors a.json')
    const expected = learnedFiles(here, work)
    for (const [label, runtime] of runtimes) {
      const found = learnedFiles(runtime, work)
      const same = found.every((bytes, at) => bytes.equals(expected[at]))
      if (same) console.log(`${label}: the same model and predictions as Node ${process.version}, byte for byte`)
      else fail(`${label}: another model or other predictions than Node ${process.version}`)
    }
  } finally {
    rmSync(work, {recursive: true, force: true})
  }
  if (process.argv.includes('--tests')) runTests(runtimes.get(`Node ${LONG_TERM}`)?.[0] ?? '')
}

type Runtime = readonly [program: string, ...args: string[]]

function learnedFiles(runtime: Runtime, work: string): Buffer[] {
  runAdfa(runtime, work, 'fit d.jsonl --anchors a.json --structure indegree:2 --intervals 5 -o m.json')
  runAdfa(runtime, work, 'predict m.json d.jsonl -o p.jsonl')
  return ['m.json', 'p.jsonl'].map(name => readFileSync(join(work, name)))
}

function runAdfa([program, ...args]: Runtime, cwd: string, line: string): void {
  execFileSync(program, [...args, adfa, ...line.split(' '), '--quiet'], {cwd, stdio: ['ignore', 'ignore', 'inherit']})
}

function runTests(node: string): void {
  const vitest = join(root, 'node_modules/vitest/vitest.mjs')
  const env = {...process.env, ADFA_TESTS: 'portable'}
  const {status} = spawnSync(node, [vitest, 'run', '--reporter=dot'], {cwd: root, stdio: 'inherit', env})
  if (status !== 0) fail(`the tests fail on Node ${LONG_TERM}`)
}

function fail(message: string): void {
  console.error(message)
  process.exitCode = 1
}
