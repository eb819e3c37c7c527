import {createHash} from 'node:crypto'
import {readFile} from 'node:fs/promises'
import {join} from 'node:path'
import {fileURLToPath} from 'node:url'
import {build} from 'tsdown'
import {type PolicySources, servedSources, studioPolicy} from './src/app/cli/studio/policy.ts'
import {tokens} from './src/use/report/tokens.ts'

const rooms = fileURLToPath(new URL('./src/app/studio/', import.meta.url))

/**
 * The files of the studio, name below `dist/` to text: a folder to serve, and the same page as one file to open from disk.
 * Scripts are classic and each one text, since a page from disk can load neither modules nor a second file.
 */
export async function buildStudio(): Promise<ReadonlyMap<string, string>> {
  const [script, desk, draw, rules] = await Promise.all([
    bundle('main.tsx'),
    bundle('desk-worker.ts'),
    bundle('draw-worker.ts'),
    readFile(join(rooms, 'studio.css'), 'utf8')
  ])
  const css = `${tokens}${rules}`
  return new Map([
    [
      'studio/index.html',
      page(servedSources, '<link rel="stylesheet" href="studio.css">', '<script src="studio.js"></script>')
    ],
    ['studio/studio.js', script],
    ['studio/studio.css', css],
    ['studio/desk.js', desk],
    ['studio/draw.js', draw],
    ['studio.html', singleFile(script, {desk, draw}, css)]
  ])
}

/** HiGHS, and what is loaded only after it and so never in the studio: methods and searches that need it. */
const HIGHS = /[\\/](?:highs-program|methods-on-demand|searches-on-demand)\.ts$/

const withoutHighs = {
  name: 'without-highs',
  resolveId: (source: string) => (HIGHS.test(source) ? join(rooms, 'no-highs.ts') : null)
}

async function bundle(entry: string): Promise<string> {
  const bundles = await build({
    config: false,
    entry: [join(rooms, entry)],
    format: 'iife',
    platform: 'browser',
    target: 'es2023',
    minify: true,
    plugins: [withoutHighs],
    deps: {alwaysBundle: /^[^.]/, onlyBundle: false},
    dts: false,
    write: false,
    clean: false,
    report: false,
    logLevel: 'error',
    tsconfig: fileURLToPath(new URL('./tsconfig.studio.json', import.meta.url)),
    outputOptions: {codeSplitting: false, comments: false}
  })
  const chunks = bundles.flatMap(({chunks}) => chunks).filter(chunk => chunk.type === 'chunk')
  if (chunks.length !== 1) throw new Error(`${entry} became ${chunks.length} files; a script of the studio is one text`)
  return `${chunks[0].code.trim()}\n`
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
