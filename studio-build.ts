import {createHash} from 'node:crypto'
import {readFile} from 'node:fs/promises'
import {join} from 'node:path'
import {fileURLToPath} from 'node:url'
import {build} from 'tsdown'
import {type PolicySources, servedSources, studioPolicy} from './src/app/cli/studio/serve.ts'
import {commonStyle} from './src/app/present/style.ts'

const {version} = JSON.parse(await readFile(new URL('./package.json', import.meta.url), 'utf8')) as {version: string}
const rooms = fileURLToPath(new URL('./src/app/studio/', import.meta.url))

/**
 * The files of the studio, name below `dist/` to text: a folder to serve, and the same page as one file to open from disk.
 * A page from disk can load neither modules nor a second file: there, and in workers, each script is classic and one text.
 */
export async function buildStudio(): Promise<ReadonlyMap<string, string>> {
  const [modules, script, session, solver, draw, rules] = await Promise.all([
    pageModules(),
    oneText('main.tsx'),
    oneText('workers/session-worker.ts'),
    oneText('workers/solver-worker.ts'),
    oneText('workers/draw-worker.ts'),
    readFile(join(rooms, 'studio.css'), 'utf8')
  ])
  const css = `${commonStyle}${rules}`
  const linked = '<link rel="stylesheet" href="studio.css">'
  return new Map([
    ['studio/index.html', page(servedSources, linked, '<script type="module" src="studio.js"></script>')],
    ...modules,
    ['studio/studio.css', css],
    ['studio/session.js', session],
    ['studio/solver.js', solver],
    ['studio/draw.js', draw],
    ['studio.html', singleFile(script, {session, solver, draw}, css)]
  ])
}

/** The script of the page, and that of the pages which are loaded later. */
async function pageModules(): Promise<[name: string, text: string][]> {
  const chunks = await bundle({studio: join(rooms, 'main.tsx')}, 'esm', true)
  const names = chunks.map(({fileName}) => fileName).sort()
  if (names.join() !== 'analysis-pages.js,studio.js')
    throw new Error(`the page became ${names.join(', ')}, not the two scripts that the server knows`)
  return chunks.map(({fileName, code}) => [`studio/${fileName}`, `${code.trim()}\n`])
}

async function oneText(entry: string): Promise<string> {
  const chunks = await bundle({[entry]: join(rooms, entry)}, 'iife', false)
  if (chunks.length !== 1)
    throw new Error(`${entry} became ${chunks.length} files; this script of the studio is one text`)
  return `${chunks[0].code.trim()}\n`
}

/** HiGHS is never in the studio. */
const HIGHS = /[\\/]highs-program\.ts$/

const withoutHighs = {
  name: 'without-highs',
  resolveId: (source: string) => (HIGHS.test(source) ? join(rooms, 'workers/no-highs.ts') : null)
}

async function bundle(entry: Record<string, string>, format: 'esm' | 'iife', codeSplitting: boolean) {
  const bundles = await build({
    config: false,
    entry,
    format,
    platform: 'browser',
    target: 'es2023',
    minify: true,
    define: {ADFA_VERSION: JSON.stringify(version)},
    alias: {'hyparquet-compressors': join(rooms, 'workers/few-compressors.ts')},
    plugins: [withoutHighs],
    deps: {alwaysBundle: /^[^.]/, onlyBundle: false},
    dts: false,
    write: false,
    clean: false,
    report: false,
    logLevel: 'error',
    tsconfig: fileURLToPath(new URL('./tsconfig.studio.json', import.meta.url)),
    outputOptions: {codeSplitting, comments: false, entryFileNames: '[name].js', chunkFileNames: '[name].js'}
  })
  return bundles.flatMap(({chunks}) => chunks).filter(chunk => chunk.type === 'chunk')
}

function singleFile(script: string, workers: Readonly<Record<string, string>>, css: string): string {
  const shown = inline(script)
  const sources = {script: hashOf(shown), style: hashOf(css), connect: "'none'"}
  const held = Object.entries(workers).map(
    ([name, text]) => `<script type="text/plain" id="${name}">${inline(text)}</script>\n`
  )
  const body = `${held.join('')}<script>${shown}</script>`
  return page(sources, `<style>${css}</style>`, body)
}

/** A script that can stand between tags: what would end or hide it there is written in another way. */
function inline(script: string): string {
  return script.replaceAll(/<(?=\/script|!--)/gi, '\\x3c')
}

function hashOf(text: string): string {
  return `'sha256-${createHash('sha256').update(text).digest('base64')}'`
}

function page(sources: PolicySources, style: string, body: string): string {
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${studioPolicy(sources)}">
<meta name="generator" content="adfa studio">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="referrer" content="no-referrer">
<title>adfa studio</title>
<link rel="icon" href="data:,">
${style}
</head>
<body>
<noscript>adfa studio needs JavaScript, which this browser has switched off.</noscript>
<div id="studio"></div>
${body}
</body>
</html>
`
}
