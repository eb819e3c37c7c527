/**
 * Shows that a refactoring changes no number: records what every command prints and writes, compares two recordings.
 *
 *   npx tsx research/record-outputs.ts record --cli PATH/dist/adfa.js --out FOLDER [--only NAME]
 *   npx tsx research/record-outputs.ts compare BEFORE AFTER
 *
 * `--only` runs the steps whose names contain NAME, and those they need. Times never differ, not even those that
 * `experiment timing` writes, because clocks are frozen in every command. Not recorded: help texts, ClickHouse,
 * labelling in a terminal.
 */
import {spawn} from 'node:child_process'
import * as fs from 'node:fs'
import {basename, dirname, join, resolve} from 'node:path'
import {text} from 'node:stream/consumers'
import {fileURLToPath} from 'node:url'
import {parseArgs} from 'node:util'
import {gunzipSync} from 'node:zlib'

/** Check sums of text that holds names: a new name changes them. */
const SUMS = new Set(['checksum', 'crc32', 'fingerprint', 'sha256', 'job'])
/** Keys with sentences below them: words may change there, numbers may not. */
const PROSE = new Set(['reason', 'message', 'remedy', 'refused', 'warnings'])

const COOKING = '--anchors-from-tags title --top-tags 20 --vocabulary 300 --skip-bad-anchors'
const CHEST_READING = '--anchors inputs/chest.anchors.json --negation --vocabulary 300'
const CHEST = `${CHEST_READING} --skip-bad-anchors`
const NPM = '--anchors-from-tags title,text --top-tags 25 --min-tags 2 --vocabulary 400 --skip-bad-anchors'
const FROM_COUNTS = 'fit count-cooking/all.counts --skip-bad-anchors -o {}/model.json'
const SITE = 'count --like count-cooking/all.counts -o {}/site.tables'
const LABEL = `label inputs/chest.jsonl ${CHEST} --documents 120`

/**
 * A line is `name: command | variant | variant`: the command with each variant at its end, and again with --json; an
 * empty variant is the command itself, `name= variant` gives it a name of its own. A `!` in front leaves --json out.
 * `{}` is the folder of the step, `step/file` what an earlier step wrote, `step/file=>{}/file` a copy of it, `< file`
 * standard input. Steps that begin with `error` are meant to fail.
 */
const STEPS = `
demo: demo -o {}/demo | npm | emergency | emergency --seed 3
generate: generate random --concepts 6 --words 60 --documents 500 -o {}/docs.jsonl --anchors {}/anchors.json
  --truth {}/truth.json || --structure indegree:2 | --structure independent --words-per-document 9 | --seed 5
generate-emergency: generate emergency --documents 1500 -o {}/docs.jsonl.gz --anchors {}/anchors.json
  --truth {}/truth.json

format: count --anchors inputs/notes.anchors.json --skip-bad-anchors -o {}/all.counts | inputs/notes.csv
  | inputs/notes.tsv | inputs/notes.jsonl | inputs/notes.jsonl.gz | inputs/notes.jsonl.zst | inputs/frames.jsonl.zst
  | inputs/notes.parquet | inputs/notes.svm | - --format csv < inputs/notes.csv
  | inputs/types.parquet --number age:10 --category sex --list dispensed | inputs/blocks.jsonl.zst
count-cooking: count inputs/cooking.jsonl ${COOKING} --label-share 1 -o {}/all.counts || --workers 0 | --workers 2
  | --keep-case | --max-share 0.2 | --min-tags 2 --of-top 60
  | --label-share 0.2 --seed 4 | --text title
count-chest: count inputs/chest.jsonl ${CHEST} --label-share 1 -o {}/all.counts || --workers 2 | --list mesh
count-npm: count inputs/npm.jsonl ${NPM} --label-share 0.5 -o {}/all.counts || --workers 2 | --category license
count-new: count inputs/cooking-new.jsonl --like count-cooking/all.counts -o {}/new.counts
shard: count inputs/cooking.jsonl --like count-cooking/all.counts -o {}/part.counts
  | 1= --shard 1/3 | 2= --shard 2/3 --workers 2 | 3= --shard 3/3
merge: merge -o {}/all.counts | two= count-cooking/all.counts count-new/new.counts
  | shards= shard-1/part.counts shard-2/part.counts shard-3/part.counts | some= shard-1/part.counts shard-3/part.counts
site: ${SITE} --max-order 2 --min-cell 10 | north= inputs/cooking.jsonl --site North | inputs/cooking-new.jsonl
  | south= inputs/cooking-new.jsonl --site South | inputs/cooking.jsonl --max-order 1 --site East
  | inputs/cooking.jsonl --max-order 3 --min-cell 5 | inputs/cooking.jsonl --dry-run
merge-sites: merge -o {}/all.tables | both= site-north/site.tables site-south/site.tables
  | count-cooking/all.counts count-new/new.counts --max-order 2 --min-cell 5 --site West
protocol: protocol -o {}/protocol.json --name trial | inputs/cooking.jsonl ${COOKING} --max-order 2 --min-cell 10
  | --like count-cooking/all.counts --max-order 2 | inputs/chest.jsonl ${CHEST}
  | words= --anchors inputs/cooking.anchors.json --words inputs/words.txt
count-agreed: count inputs/cooking-new.jsonl --protocol protocol-words/protocol.json -o {}/agreed.counts
import: count inputs/groups.csv inputs/group-words.csv --anchors inputs/groups.anchors.json -o {}/all.counts
  || --vocabulary 5 | --max-share 0.3

label-sheet: ${LABEL} --sheet {}/sheet.csv || --anchored 0 --seed 3
label-half: ${LABEL} --from-sheet label-sheet/half.csv -o {}/labels.jsonl
label-resumed: ${LABEL} --from-sheet label-sheet/full.csv -o label-half/labels.jsonl=>{}/labels.jsonl
label-rest: ${LABEL} --sheet {}/rest.csv -o label-half/labels.jsonl=>{}/labels.jsonl
noise-cooking: doctor inputs/cooking.jsonl ${COOKING} -o {}/anchors.json || rated= --label-share 1 | --label-share 0.1
noise-chest: doctor inputs/chest.jsonl ${CHEST} | --labels label-resumed/labels.jsonl | --label-share 0.3
noise-counts: doctor | count-cooking/all.counts | count-chest/all.counts | merge-sites-both/all.tables
doctor: doctor | inputs/cooking.jsonl ${COOKING} | inputs/chest.jsonl ${CHEST} --labels label-resumed/labels.jsonl
  | inputs/npm.jsonl ${NPM} --label-share 1 --noise labels | count-chest/all.counts | count-npm/all.counts --noise auto
suggest: suggest | inputs/cooking.jsonl ${COOKING} --top 4 | inputs/chest.jsonl ${CHEST} --label-share 1
  | count-cooking/all.counts --for bread,chicken --no-names | count-npm/all.counts

fit-counts: ${FROM_COUNTS} || paper= --preset paper --noise labels | --noise labels | --preset robust --noise auto
  | --structure tree --polytope simplex | --structure tree --polytope cycle
  | --structure tree --polytope marginal --time-limit 60 | --structure tree --polytope simplex --divergence l2
  | --structure tree --solver conditional-gradient --gap 0.02
  | --structure tree --solver conditional-gradient --polytope cycle --gap 0.05
  | --structure tree --solver conditional-gradient --polytope marginal --gap 0.05
  | --structure tree --solver exponentiated-gradient --polytope simplex
  | --structure independent | --structure tree | two= --structure indegree:2 | --structure indegree:2 --search greedy
  | tests= --structure degree:2 | --structure indegree:2 --edges inputs/edges.json | --edges inputs/edges.json
  | --structure tree --shrinkage 0.05 | --structure tree --shrinkage 50/N | --word-shrinkage 0.1
  | --words noisy-or | --words weights | intervals= --intervals 12 | --seed 2
  | --preset paper --noise labels --structure indegree:2
  | --preset paper --noise labels --polytope marginal --intervals 5
fit-docs: fit inputs/cooking.jsonl ${COOKING} -o {}/model.json | tags= --label-share 1 | --noise positive-only
  | --noise irreducible | --noise auto | --label-share 1
fit-given: fit inputs/cooking.jsonl --anchors noise-cooking-rated/anchors.json --vocabulary 300 --skip-bad-anchors
  -o {}/model.json | --noise given | --preset paper
!fit-chest: fit inputs/chest.jsonl ${CHEST} -o {}/model.json | labels= --labels label-resumed/labels.jsonl
  | --noise pair | intervals= --label-share 1 --intervals 10
  | --preset paper --label-share 1 --noise labels
  | --label-share 1 --structure indegree:2 --search greedy --words noisy-or
fit-npm: fit inputs/npm.jsonl ${NPM} --label-share 1 -o {}/model.json || two= --structure indegree:2
  | --words noisy-or
fit-other: fit --skip-bad-anchors -o {}/model.json | count-npm/all.counts | import/all.counts --noise given
  | merge-sites-both/all.tables | site-north/site.tables --structure tree
  | inputs/blocks.jsonl.zst --anchors inputs/notes.anchors.json
  | generate-emergency/docs.jsonl.gz --anchors generate-emergency/anchors.json --text ''

predict: predict fit-docs-tags/model.json inputs/cooking-new.jsonl -o {}/predictions.jsonl || --hide-anchors
  | --known bread | --known tags | --top 3 | --threshold best | --threshold 0.2 --top 1 | --words noisy-or
  | --words noisy-or --method message-passing | --words noisy-or --method exact
!predict-stdin: predict fit-chest-labels/model.json - < inputs/chest-new.jsonl
predict-other: predict -o {}/predictions.jsonl | fit-npm-two/model.json inputs/npm-new.jsonl | fit-counts-paper/model.json inputs/cooking-new.jsonl
  | fit-counts-tests/model.json inputs/cooking-new.jsonl --known bread | fit-chest-labels/model.json inputs/notes.csv
  | fit-chest-labels/model.json inputs/notes.parquet --words noisy-or --method message-passing
explain: explain fit-docs-tags/model.json inputs/cooking-new.jsonl --id cooking-70807 --svg {}/why.svg
  || --concept bread | --hide-anchors | --words noisy-or
  | --words noisy-or --method message-passing --concept bread --known chicken
explain-chest: explain fit-chest-intervals/model.json inputs/chest-new.jsonl --id openi-3536 --svg {}/why.svg
  || --concept 'Pleural Effusion' --words noisy-or | --known tags
evaluate: evaluate | fit-docs-tags/model.json inputs/cooking-new.jsonl --train inputs/cooking.jsonl --baselines
  | fit-chest-intervals/model.json inputs/chest-new.jsonl --train inputs/chest.jsonl --reliability
  | fit-npm/model.json inputs/npm-new.jsonl --reliability | fit-npm/model.json inputs/npm-new.jsonl --words noisy-or
  | fit-counts-paper/model.json inputs/cooking-new.jsonl
report: report -o {}/report.html | fit-docs-tags/model.json --counts count-cooking/all.counts --title Cooking
  | fit-chest-intervals/model.json --data inputs/chest-new.jsonl --date today
  | fit-npm/model.json --data inputs/npm-new.jsonl --train inputs/npm.jsonl --baselines
  | fit-counts-tests/model.json | fit-counts-intervals/model.json --counts count-cooking/all.counts
export: export fit-counts-two/model.json | bif= --to bif -o {}/net.bif | --to dot -o {}/net.dot | --to uai -o {}/net.uai
  | --to csv -o {}/net.csv | --to svg -o {}/net.svg
!export-chest: export fit-chest-intervals/model.json --to | bif | dot | uai | csv | svg

error-no-file: count inputs/none.jsonl --anchors inputs/notes.anchors.json -o {}/x.counts
error-no-option: fit inputs/notes.jsonl --anchors inputs/notes.anchors.json --frobnicate -o {}/x.json
error-no-command: frobnicate
error-bad-choice: ${FROM_COUNTS} --structure tree --polytope cube
error-graph-option: ${FROM_COUNTS} --polytope cycle
error-bad-number: ${FROM_COUNTS} --shrinkage minus
error-bad-structure: ${FROM_COUNTS} --structure bush
error-no-output: count inputs/notes.jsonl --anchors inputs/notes.anchors.json
error-bad-anchors: count inputs/notes.jsonl --anchors inputs/bad.anchors.json -o {}/x.counts
error-broken-json: count inputs/notes.jsonl --anchors inputs/broken.json -o {}/x.counts
error-silent-anchor: count inputs/notes.jsonl --anchors inputs/cooking.anchors.json -o {}/x.counts
error-locked: count --anchors inputs/notes.anchors.json -o {}/x.counts | inputs/long-window.jsonl.zst
error-no-rates: ${FROM_COUNTS} --preset paper
error-not-a-model: predict inputs/notes.anchors.json inputs/notes.jsonl -o {}/x.jsonl
error-not-counts: merge inputs/notes.jsonl count-new/new.counts -o {}/x.counts
error-other-counts: merge count-cooking/all.counts count-chest/all.counts -o {}/x.counts
error-partial-counts: fit merge-some/all.counts -o {}/x.json
error-no-terminal: label inputs/notes.jsonl --anchors inputs/notes.anchors.json -o {}/x.jsonl
error-no-document: explain fit-counts/model.json inputs/cooking-new.jsonl --id nobody
error-no-folder: export fit-counts/model.json --to bif -o {}/none/x.bif
`

/** Inputs that come from no corpus. The groups are like those of a database: 1,000 documents by their anchors. */
const INPUTS: Readonly<Record<string, string>> = {
  'notes.anchors.json': `{"cardiac": ["code:410", "1", "sharp", "7", "8", "9"],
    "alcohol": ["etoh", "3", "13", "17", "96"]}`,
  'cooking.anchors.json': `{"bread": ["bread", "dough"], "chicken": {"any": ["chicken", "/hens?/"], "not": ["soup"]},
    "eggs": {"any": ["title:egg", "title:eggs"], "truePositive": 0.5, "falsePositive": 0.01}, "rice": "rice"}`,
  'groups.anchors.json': `{"a": {"any": "x", "prevalence": 0.2, "precision": 0.9},
    "b": {"any": ["y"], "prevalence": 0.1, "precision": 0.8}}`,
  'groups.csv': 'mask,documents\n[],700\n"[""x""]",180\n"[""y""]",90\n"[""x"",""y""]",30\n',
  'group-words.csv': `mask,word,documents\n[],oak,350\n[],elm,20\n[],ash,70\n[],fir,5\n"[""x""]",oak,20
"[""x""]",elm,90\n"[""x""]",ash,60\n"[""y""]",oak,40\n"[""y""]",fir,50
"[""x"",""y""]",elm,15\n"[""x"",""y""]",fir,12\n`,
  'bad.anchors.json': '{"cardiac": {"any": [], "truePositive": 2}}',
  'broken.json': '{"cardiac": ',
  'edges.json': '{"require": [["bread", "baking"]], "forbid": [["chicken", "eggs"]]}',
  'words.txt': 'text:oven\ntext:flour\ntext:water\ntext:pan\ntitle:how\n'
}

const {positionals, values: flags} = parseArgs({
  allowPositionals: true,
  options: {cli: {type: 'string'}, out: {type: 'string'}, only: {type: 'string', default: ''}}
})
const [verb, before, after] = positionals
if (verb === 'record' && flags.cli && flags.out) await record(resolve(flags.cli), resolve(flags.out), flags.only)
else if (verb === 'compare' && before && after) process.exitCode = compareRecordings(before, after) ? 0 : 1
else throw new Error('record --cli PATH/dist/adfa.js --out FOLDER [--only NAME], or compare BEFORE AFTER')

interface Step {
  readonly name: string
  readonly args: readonly string[]
  readonly stdin: string | undefined
  readonly needs: readonly string[]
}

function parseSteps(): Step[] {
  const families = STEPS.replace(/\n {2}/g, ' ').matchAll(/^(!?)([\w-]+): (.*)$/gm)
  const steps = [...families].flatMap(([, once, family, line]) => {
    const [command, ...variants] = line.split('|').map(part => part.trim())
    return (variants.length === 0 ? [''] : variants).flatMap(variant => {
      const [, own, options] = /^(?:([\w-]+)= )?(.*)$/.exec(variant) ?? []
      const slug = (own ?? options.replace(/inputs\//g, '')).replace(/[^\w.]+/g, '-').replace(/^-|-$/g, '')
      const name = slug === '' ? family : `${family}-${slug.slice(0, 70)}`
      const run = {name, line: `${command} ${options}`}
      return once === '!' ? [run] : [run, {name: `${name}-json`, line: `${command} --json ${options}`}]
    })
  })
  const names = new Set(steps.map(({name}) => name))
  if (names.size < steps.length) throw new Error('two steps have the same name')
  return steps.map(({name, line}) => {
    const [command, stdin] = line.replaceAll('{}', name).split(' < ')
    const args = [...command.matchAll(/'([^']*)'|\S+/g)].map(([word, quoted]) => quoted ?? word)
    const needs = args.map(word => word.split('/')[0]).filter(word => names.has(word) && word !== name)
    return {name, args, stdin: stdin?.trim(), needs}
  })
}

async function record(cli: string, out: string, only: string): Promise<void> {
  const started = performance.now()
  const steps = parseSteps()
  if (fs.existsSync(out) && !fs.existsSync(join(out, 'inputs'))) throw new Error(`${out} is no recording to replace`)
  fs.rmSync(out, {recursive: true, force: true})
  writeInputs(join(out, 'inputs'))
  const wanted = new Set(steps.filter(({name}) => name.includes(only)).map(({name}) => name))
  for (const {name, needs} of steps.toReversed()) if (wanted.has(name)) for (const need of needs) wanted.add(need)
  const queue = steps.filter(({name}) => wanted.has(name))
  const done = new Map<string, Promise<void>>()
  const work = async () => {
    for (let step = queue.shift(); step !== undefined; step = queue.shift()) {
      const ready = Promise.all(step.needs.map(need => done.get(need)))
      const [{name}, current] = [step, step]
      done.set(
        name,
        ready.then(() => runStep(cli, out, current))
      )
      await done.get(name)
    }
  }
  await Promise.all([work(), work()])
  console.log(`${done.size} steps in ${Math.round((performance.now() - started) / 1000)} s`)
}

async function runStep(cli: string, out: string, {name, args, stdin}: Step): Promise<void> {
  const folder = join(out, name)
  fs.mkdirSync(folder)
  const plain = args.map(word => {
    const [from, to] = word.split('=>')
    if (to !== undefined) fs.copyFileSync(join(out, from), join(out, to))
    return to ?? from
  })
  const clocks = 'performance.now=()=>0;process.cpuUsage=()=>({user:0,system:0})'
  const child = spawn('node', [cli, ...plain], {
    cwd: out,
    env: {...process.env, NODE_OPTIONS: `--import=data:text/javascript,${clocks}`, NO_COLOR: '1', TZ: 'UTC'}
  })
  // A command that fails at once leaves its input unread.
  child.stdin.on('error', () => {}).end(stdin === undefined ? '' : fs.readFileSync(join(out, stdin)))
  const ended = new Promise<number | null>(resolve => child.on('close', resolve))
  const [code, ...printed] = await Promise.all([ended, text(child.stdout), text(child.stderr)])
  const [stdout, stderr] = printed.map(words => words.replaceAll(out, 'OUT').replaceAll(dirname(dirname(cli)), 'CLI'))
  const files = {exit: `${code}\n`, stdout, stderr, command: `adfa ${args.join(' ')}\n`}
  for (const [file, content] of Object.entries(files)) fs.writeFileSync(join(folder, file), content)
  if ((code !== 0) !== name.startsWith('error')) console.log(`${name}: exit code ${code}: ${stderr.slice(0, 300)}`)
  if (name === 'label-sheet') fillSheets(out)
}

/** All fixtures, the beginnings of the corpora to learn from and their ends to predict. */
function writeInputs(folder: string): void {
  const root = resolve(dirname(fileURLToPath(import.meta.url)), '..')
  const data = resolve(root, '../shared/data')
  fs.cpSync(join(root, 'fixtures/documents'), folder, {recursive: true})
  fs.copyFileSync(join(data, 'chest-xray.anchors.json'), join(folder, 'chest.anchors.json'))
  for (const [file, content] of Object.entries(INPUTS)) fs.writeFileSync(join(folder, file), content)
  for (const [name, corpus] of Object.entries({cooking: 'cooking', chest: 'chest-xray', npm: 'npm-packages'})) {
    const lines = String(gunzipSync(fs.readFileSync(join(data, `${corpus}.jsonl.gz`)))).split(/(?<=\n)/)
    fs.writeFileSync(join(folder, `${name}.jsonl`), lines.slice(0, 2500).join(''))
    fs.writeFileSync(join(folder, `${name}-new.jsonl`), lines.slice(-400).join(''))
  }
}

/** Answer the first half of the questions, and all of them, according to the tags of the documents. */
function fillSheets(out: string): void {
  const tags = new Map(readRows(join(out, 'inputs/chest.jsonl')).map(row => [row.id, row.tags]))
  const [header, ...rows] = parseCsv(fs.readFileSync(join(out, 'label-sheet/sheet.csv'), 'utf8'))
  const isTicked = (row: readonly string[], at: number) =>
    header[at] === 'done' || (row[at] === '' && tags.get(row[0])?.includes(header[at]))
  const answered = rows.map(row => row.map((cell, at) => (isTicked(row, at) ? 'x' : cell)))
  const half = rows.map((row, at) => (at < rows.length / 2 ? answered[at] : row))
  fs.writeFileSync(join(out, 'label-sheet/half.csv'), csvText([header, ...half]))
  fs.writeFileSync(join(out, 'label-sheet/full.csv'), csvText([header, ...answered]))
}

function readRows(path: string): {id: string; title: string; text: string; tags: string[]}[] {
  return JSON.parse(`[${fs.readFileSync(path, 'utf8').trim().replaceAll('\n', ',')}]`)
}

function csvText(rows: readonly (readonly string[])[]): string {
  return rows.map(row => `${row.map(cell => `"${cell.replaceAll('"', '""')}"`).join(',')}\n`).join('')
}

function parseCsv(csv: string): string[][] {
  const rows: string[][] = [[]]
  const cells = csv.replace(/^\ufeff/, '').matchAll(/(?:"((?:[^"]|"")*)"|([^",\r\n]*))(,|\r?\n|$)/g)
  for (const [, quoted, plain, end] of cells) {
    rows.at(-1)?.push(quoted?.replaceAll('""', '"') ?? plain)
    if (end !== ',') rows.push([])
  }
  return rows.filter(row => row.length > 1 || row[0])
}

/** Level 1: only words differ; 2: a number, a name or the shape differs. */
interface Difference {
  readonly level: 1 | 2
  readonly what: string
}

function compareRecordings(before: string, after: string): boolean {
  const steps = new Set([before, after].flatMap(folder => fs.readdirSync(folder)))
  steps.delete('inputs')
  const totals = [0, 0, 0]
  for (const step of [...steps].toSorted()) {
    const found = compareSteps(join(before, step), join(after, step))
    const level = Math.max(0, ...found.map(difference => difference.level))
    totals[level]++
    console.log(`${['same', 'numbers same, words differ', 'DIFFERENT'][level].padEnd(27)} ${step}`)
    const worst = found.filter(difference => difference.level === level)
    for (const {what} of worst.slice(0, level === 2 ? 6 : 1)) console.log(`    ${what}`)
    if (level === 2 && worst.length > 6) console.log(`    and ${worst.length - 6} more`)
  }
  const [same, words, different] = totals
  console.log(`${steps.size} steps: ${same} same, ${words} numbers same, words differ, ${different} DIFFERENT`)
  return different === 0
}

function compareSteps(before: string, after: string): Difference[] {
  const now = new Set(filesOf(after))
  const hasFailed = (folder: string) => /^(?!0\n)/.test(fs.readFileSync(join(folder, 'exit'), 'utf8'))
  // The text of an error may change, including numbers, but an error must remain an error.
  const isError = fs.existsSync(before) && fs.existsSync(after) && hasFailed(before) && hasFailed(after)
  const found = filesOf(before).flatMap((file): Difference[] => {
    if (!now.delete(file)) return [{level: 2, what: `${file}: gone`}]
    if (file === 'command') return []
    const differences = compareFiles(file, fs.readFileSync(join(before, file)), fs.readFileSync(join(after, file)))
    const softened = isError && file !== 'exit'
    return differences.map(({level, what}) => ({level: softened ? 1 : level, what: `${file}: ${what}`}))
  })
  return [...found, ...[...now].map((file): Difference => ({level: 2, what: `${file}: new`}))]
}

function filesOf(folder: string): string[] {
  const all = fs.existsSync(folder) ? fs.readdirSync(folder, {recursive: true, encoding: 'utf8'}) : []
  return all.filter(file => fs.statSync(join(folder, file)).isFile())
}

function compareFiles(file: string, before: Buffer, after: Buffer): Difference[] {
  if (before.equals(after)) return []
  if (file.endsWith('.gz')) return compareFiles(basename(file, '.gz'), gunzipSync(before), gunzipSync(after))
  if (file.endsWith('.counts')) {
    const [a, b] = [splitCounts(before), splitCounts(after)]
    const body: Difference[] = a.body.equals(b.body) ? [] : [{level: 2, what: 'the bytes after the header'}]
    return [...compareValues(a.header, b.header, ['header']), ...body]
  }
  const texts = [String(before), String(after)] as const
  const [a, b] = texts.map(content => (file.endsWith('.csv') ? csvRecords(content) : parseJson(content)))
  return a === undefined || b === undefined ? compareTexts(...texts) : compareValues(a, b, [])
}

/** A counts file: 8 bytes, version and length in integers of 7 bits per byte, header, counts, 4 bytes of check sum. */
function splitCounts(bytes: Buffer): {header: unknown; body: Buffer} {
  let at = 8
  const integer = (scale = 1): number => {
    const byte = bytes[at++]
    return (byte & 127) * scale + (byte < 128 ? 0 : integer(128 * scale))
  }
  const version = integer()
  const end = integer() + at
  return {header: {version, ...JSON.parse(String(bytes.subarray(at, end)))}, body: bytes.subarray(end, -4)}
}

function csvRecords(content: string): unknown {
  const [header, ...rows] = parseCsv(content)
  return rows.map(row => Object.fromEntries(header.map((name, at) => [name, row[at]])))
}

/** JSON, or JSON Lines as a list; undefined for anything else. */
function parseJson(content: string): unknown {
  for (const source of [content, `[${content.trim().replaceAll('\n', ',')}]`])
    try {
      return JSON.parse(source)
    } catch {}
  return undefined
}

function compareValues(before: unknown, after: unknown, path: readonly string[]): Difference[] {
  if (before === after) return []
  const differ = (level: 1 | 2, what: string): Difference[] => [{level, what: `${path.join('.')}: ${what}`}]
  if (Array.isArray(before) && Array.isArray(after) && before.length === after.length)
    return before.flatMap((item, at) => compareValues(item, after[at], [...path, String(at)]))
  if (isRecord(before) && isRecord(after)) {
    const [from, to] = [Object.keys(before), Object.keys(after)]
    const isSorted = from.filter(key => key in after).join() === to.filter(key => key in before).join()
    return [
      ...from.flatMap(key =>
        key in after ? compareValues(before[key], after[key], [...path, key]) : differ(2, `key "${key}" is gone`)
      ),
      ...to.filter(key => !(key in before)).flatMap(key => differ(2, `key "${key}" is new`)),
      ...(isSorted ? [] : differ(1, 'the keys are in another order'))
    ]
  }
  const key = path.findLast(part => !/^\d+$/.test(part)) ?? ''
  const what = `${short(before)} -> ${short(after)}`
  if (SUMS.has(key)) return differ(1, what)
  const isProse = typeof before === 'string' && typeof after === 'string' && path.some(part => PROSE.has(part))
  return isProse ? compareTexts(before, after).flatMap(({level}) => differ(level, what)) : differ(2, what)
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function short(value: unknown): string {
  const json = JSON.stringify(value) ?? 'nothing'
  return Array.isArray(value) ? `a list of ${value.length}` : json.length > 160 ? `${json.slice(0, 160)}...` : json
}

/** The numbers one by one; of the words, the first line that differs. */
function compareTexts(before: string, after: string): Difference[] {
  const [a, b] = [before, after].map(words => words.replace(/fingerprint [\da-f-]+/g, 'fingerprint'))
  const number = /(?:(?<![\w.)])[-\u2212+])?\d+(?:[.,]\d+)*(?:e[-+]?\d+)?/gi
  const [from, to] = [a, b].map(words => [...words.matchAll(number)])
  const at = (from.length > to.length ? from : to).findIndex((_, n) => from[n]?.[0] !== to[n]?.[0])
  const around = (words: string, match: RegExpExecArray | undefined) =>
    match === undefined ? 'the end' : short(words.slice(Math.max(0, match.index - 50), match.index + 50))
  if (at >= 0) return [{level: 2, what: `number ${at + 1}: ${around(a, from[at])} -> ${around(b, to[at])}`}]
  const [linesBefore, linesAfter] = [a.split('\n'), b.split('\n')]
  const line = linesBefore.findIndex((words, n) => words !== linesAfter[n])
  return [{level: 1, what: `line ${line + 1}: ${short(linesBefore[line])} -> ${short(linesAfter[line])}`}]
}
