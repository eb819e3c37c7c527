import {execFileSync} from 'node:child_process'
import {mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync} from 'node:fs'
import {tmpdir} from 'node:os'
import {join} from 'node:path'
import {fileURLToPath} from 'node:url'
import {build as esbuild} from 'esbuild'
import {build as vite} from 'vite'
import {afterAll, beforeAll, describe, expect, test} from 'vitest'
import {bundleSizes} from '../research/bundle-sizes.ts'

const root = fileURLToPath(new URL('..', import.meta.url))
const folder = mkdtempSync(join(tmpdir(), 'adfa-package-'))
const minutes = 60_000
let tarball = ''

beforeAll(() => {
  const [{filename}] = JSON.parse(npm(root, 'pack', '--json', '--ignore-scripts', '--pack-destination', folder))
  tarball = join(folder, filename)
}, 2 * minutes)
afterAll(() => rmSync(folder, {recursive: true, force: true}))

describe('the packed package, in an empty folder', () => {
  test(
    'npm install takes less than 30 MB, and the command line learns',
    () => {
      const place = install('commands')
      expect(megabytes(join(place, 'node_modules'))).toBeLessThan(30)
      const adfa = (...line: string[]) =>
        execFileSync(process.execPath, [join(place, 'node_modules/adfa/dist/adfa.js'), ...line, '--quiet'], {
          cwd: place
        })
      adfa('generate', 'emergency', '--documents', '300', '-o', 'd.jsonl', '--anchors', 'a.json')
      adfa('fit', 'd.jsonl', '--anchors', 'a.json', '--structure', 'indegree:2', '-o', 'm.json')
      adfa('report', 'm.json', '-o', 'r.html')
      expect(readFileSync(join(place, 'm.json'), 'utf8')).toContain('"format": "adfa-model"')
    },
    5 * minutes
  )

  test(
    'the types of every entry are sound, also without skipLibCheck',
    () => {
      const place = install('types')
      const {exports} = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
      const entries = Object.keys(exports).filter(name => !name.endsWith('.json') && name !== './node')
      const imports = entries.map((name, at) => `export * as e${at} from '${name.replace('.', 'adfa')}'\n`)
      writeFileSync(join(place, 'all.ts'), imports.join(''))
      const flags = ['--noEmit', '--strict', '--target', 'es2023', '--module', 'nodenext', 'all.ts']
      execFileSync(process.execPath, [join(root, 'node_modules/typescript/bin/tsc'), ...flags], {cwd: place})
      expect(entries).toHaveLength(12)
    },
    3 * minutes
  )

  test(
    'adfa and adfa/predict are bundled by esbuild and Vite with plain settings, and predict leaves solvers and Node out',
    async () => {
      const place = install('bundles')
      writeFileSync(join(place, 'predict.js'), `import * as predict from 'adfa/predict'\nglobalThis.adfa = predict\n`)
      writeFileSync(join(place, 'whole.js'), `import * as adfa from 'adfa'\nglobalThis.adfa = adfa\n`)
      for (const name of ['predict', 'whole']) {
        const {outputFiles} = await esbuild({
          entryPoints: [join(place, `${name}.js`)],
          bundle: true,
          format: 'esm',
          write: false,
          outdir: place
        })
        expect(outputFiles).toHaveLength(1)
        const code = outputFiles[0].text
        if (name === 'predict') expect(code.match(/highs|graphviz|observablehq|['"]node:/gi)).toBeNull()
      }
      writeFileSync(join(place, 'index.html'), '<script type="module" src="./predict.js"></script>')
      await vite({root: place, logLevel: 'error', configFile: false})
      const files = readdirSync(join(place, 'dist/assets'))
      expect(files).toHaveLength(1)
      const page = readFileSync(join(place, 'dist/assets', files[0]), 'utf8')
      expect(page).toContain('adfa-model')
      expect(page.match(/highs|graphviz|['"]node:/gi)).toBeNull()
    },
    5 * minutes
  )
})

test(
  'bundleSizes() stays below what the README states: 43 kB for adfa/predict and 124 kB for adfa, rounded, without what `loadSolvers` loads',
  async () => {
    const sizes = await bundleSizes()
    expect(sizes['adfa/predict']).toBeLessThan(43_500)
    expect(sizes.adfa).toBeLessThan(124_500)
  },
  minutes
)

function install(name: string): string {
  const place = join(folder, name)
  mkdirSync(place)
  writeFileSync(join(place, 'package.json'), '{"private": true}\n')
  npm(place, 'install', '--no-audit', '--no-fund', tarball)
  return place
}

function npm(cwd: string, ...args: string[]): string {
  return execFileSync('npm', args, {cwd, encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe']})
}

function megabytes(path: string): number {
  const files = readdirSync(path, {recursive: true, withFileTypes: true}).filter(entry => entry.isFile())
  return files.reduce((sum, entry) => sum + statSync(join(entry.parentPath, entry.name)).size, 0) / 2 ** 20
}
