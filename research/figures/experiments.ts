/**
 * Fills the tables of research/EXPERIMENTS.md from folders of `npm run experiments -- all`, one per corpus: keeps the summaries of
 * their experiments in experiments.json, copies some figures into research/experiments, and puts all corpora kept so far side by side.
 *
 * Command: npx tsx research/figures/experiments.ts [CORPUS=FOLDER]... ; the commands that fill the folders are those below.
 */
import {copyFileSync, existsSync} from 'node:fs'
import {pathToFileURL} from 'node:url'
import {type Claim, type ExperimentName, experimentNames, type ShownTable} from '../experiments/experiment.ts'
import {experiments} from '../experiments/experiments.ts'
import {SUMMARY_FILE, type Summary} from '../experiments/present.tsx'
import {fillPage, markdownTable, readKept, thousands, writeKept} from '../page.ts'
import {signed} from '../spread.ts'

/** The commands that fill the folder of each corpus, in the order of the page; `timing` was run on three of them. */
const run = 'npm run experiments -- all --data'
const commands: Readonly<Record<string, string>> = {
  'stackoverflow-titles': `${run} stackoverflow-titles.jsonl.gz -o OUT`,
  'stackoverflow-bodies': `${run} stackoverflow-bodies.jsonl.gz -o OUT`,
  cooking: `${run} cooking.jsonl.gz --splits 4 -o OUT`,
  'debian-packages': `${run} debian-packages.jsonl.gz --splits 4 -o OUT`,
  'chest-xray': `${run} chest-xray.jsonl.gz --anchors chest-xray.anchors.json --negation -o OUT`,
  robotics: `${run} robotics.jsonl.gz --splits 4 -o OUT`,
  'npm-packages': `${run} npm-packages.jsonl.gz --anchors-from-tags title,text --splits 4 -o OUT`,
  emergency: `adfa generate emergency --documents 60000 -o visits.jsonl --anchors a.json; ${run} visits.jsonl --anchors a.json --documents 16268 -o OUT`
}

/** Drawn from a model. */
const generated = 'emergency'

/** The figures of the corpora shown on the page: their names there, and the files in the folders. */
const pictures = {
  tree: 'trees/tree.svg',
  'two-parents': 'trees/two-parents.svg',
  likelihood: 'heldout-likelihood/heldout-likelihood-shrinkage-0.01.svg',
  gain: 'heldout-likelihood/heldout-gain-shrinkage-0.01.svg',
  timing: 'timing/timing.svg',
  factors: 'factors/words-paper.svg',
  'last-tag': 'last-tag/last-tag.svg',
  'em-drift': 'em-drift/em-drift-accuracy.svg'
}

/** Concepts of the paper's tables whose words are shown where a corpus has them. */
const shownConcepts = [
  ...['osx', 'image', 'mysql', 'web-services', 'linux', 'query', 'regex'],
  ...['abdominal pain', 'alcohol', 'asthma-copd', 'stroke', 'hematuria', 'hiv+', 'motor vehicle collision']
]
const SHOWN_WORDS = 8

interface KeptCorpus {
  readonly documents: number
  readonly concepts: number
  readonly words: number
  readonly experiments: Readonly<Partial<Record<ExperimentName, Summary>>>
}

const kept = new URL('experiments.json', import.meta.url)
const known: Record<string, KeptCorpus> = readKept(kept, {})
for (const argument of process.argv.slice(2)) {
  const [corpus, path] = argument.split('=')
  const folder = pathToFileURL(`${path}/`)
  const {documents, concepts, words} = readKept<KeptCorpus>(new URL('experiment.json', folder), known[corpus])
  const found = experimentNames.flatMap(name => {
    const summary = readKept<Summary | undefined>(new URL(`${name}/${SUMMARY_FILE}`, folder), undefined)
    return summary === undefined ? [] : [[name, summary] as const]
  })
  // Of an experiment that is not in the folder, what was known before stays.
  const all = {...known[corpus]?.experiments, ...Object.fromEntries(found)}
  known[corpus] = {documents, concepts, words, experiments: all}
  for (const [name, file] of Object.entries(pictures)) {
    const shown = new URL(`../experiments/${corpus}-${name}.svg`, import.meta.url)
    if (existsSync(shown) && existsSync(new URL(file, folder))) copyFileSync(new URL(file, folder), shown)
  }
}
writeKept(kept, known)

const corpora = Object.keys(commands).flatMap(name => (known[name] === undefined ? [] : [{name, ...known[name]}]))
const claims = [...claimsOf('trees'), ...claimsOf('heldout-likelihood'), ...claimsOf('timing'), labelClaim()]
claims.push(...claimsOf('em-drift'), ...claimsOf('last-tag'))
const rows = claims.map(claimRow)

fillPage('research/EXPERIMENTS.md', {
  'table: summary': summaryText(),
  'table: claims': markdownTable(['', 'the paper says', 'here', ...corpora.map(({name}) => name)], rows),
  'table: rules': claims.map(({claim}, at) => `${at + 1}. ${claim.rule}`).join('\n'),
  'table: corpora': markdownTable(
    ['corpus', 'documents', 'concepts', 'words', 'command'],
    corpora.map(({name, documents, concepts, words}) => [
      ...[name, thousands(documents), concepts, thousands(words), `\`${commands[name]}\``]
    ])
  ),
  'table: networks': joined('trees', 'networks', [0, 1, 4, 6]),
  'table: likelihood': joined('heldout-likelihood', 'likelihood', [0, 1, 3, 4, 5, 6, 8, 9]),
  'table: time': joined('timing', 'time', [0, 1, 2, 3, 4, 5, 6, 7, 8, 9], near),
  'table: words': joined('factors', 'words', [0, 6, 2, 3, 5], ({rows: all}) =>
    all
      .filter(([concept]) => shownConcepts.includes(String(concept)))
      .map(row => row.map(cell => String(cell).split(', ').slice(0, SHOWN_WORDS).join(', ')))
  ),
  'table: last-tag': lastTags(),
  'table: best': `The best methods that read no tags: ${corpora.map(({name}) => `${name}: ${bestText(name)}`).join('; ')}.`,
  'table: em-drift': joined('em-drift', 'em-drift', [0, 1, 2, 7, 8])
})

function tableOf(corpus: string, experiment: ExperimentName, name: string): ShownTable | undefined {
  return known[corpus].experiments[experiment]?.tables.find(table => table.name === name)
}

/** Some columns of a table, one corpus below the other. */
function joined(
  experiment: ExperimentName,
  name: string,
  columns: readonly number[],
  rowsOf: (table: ShownTable) => ShownTable['rows'] = table => table.rows
): string {
  const tables = corpora.flatMap(corpus => {
    const table = tableOf(corpus.name, experiment, name)
    return table === undefined ? [] : [{corpus: corpus.name, table}]
  })
  const [{table: first}] = tables
  return markdownTable(
    ['corpus', ...columns.map(at => first.head[at])],
    tables.flatMap(({corpus, table}) => rowsOf(table).map(row => [corpus, ...columns.map(at => row[at])]))
  )
}

/** The rows of the number of concepts nearest to the 50 of the paper. */
function near({rows: all}: ShownTable): ShownTable['rows'] {
  const distance = (row: ShownTable['rows'][number]) => Math.abs(Number(row[0]) - 50)
  const least = Math.min(...all.map(distance))
  return all.filter(row => distance(row) === least)
}

function lastTags(): string {
  const tables = corpora.map(({name}) => tableOf(name, 'last-tag', 'last-tag')?.rows ?? [])
  return markdownTable(
    ['method', ...corpora.map(({name}) => name)],
    tables[0].map(([method], at) => [method, ...tables.map(table => table[at]?.[2])])
  )
}

function bestText(corpus: string): string {
  const methods = tableOf(corpus, 'last-tag', 'last-tag')?.rows.filter(([, kind]) => kind !== 'oracles') ?? []
  const share = (row: ShownTable['rows'][number]) => Number.parseFloat(String(row[2]))
  const best = methods.reduce((a, b) => (share(b) > share(a) ? b : a))
  return `${best[0]} ${best[2]}`
}

type Judged = Summary['claims'][number]

interface JudgedClaim {
  readonly claim: Pick<Claim, 'where' | 'says' | 'rule' | 'isOfRealData'>
  /** One per corpus. */
  readonly judged: readonly (Judged | undefined)[]
}

function claimsOf(experiment: ExperimentName): JudgedClaim[] {
  return experiments[experiment].claims.map((claim, at) => ({
    claim,
    judged: corpora.map(corpus => corpus.experiments[experiment]?.claims[at])
  }))
}

/** Points of last tag that rates from few labels cost beside exact ones (noise-rates.json). */
function labelClaim(): JudgedClaim {
  const figures: readonly {corpus: string; method: string; labels: number; lastTag: number}[] = readKept(
    new URL('noise-rates.json', import.meta.url),
    []
  )
  const judged = corpora.map(({name}): Judged => {
    // Anchors of `npm-packages` are in title or text there and here.
    const own = name === 'npm-packages' ? 'npm-packages (title or text)' : name
    const find = (method: string, labels: number) =>
      figures.find(each => each.corpus === own && each.method === method && each.labels === labels)?.lastTag
    const exact = find('exact', 0)
    if (exact === undefined) return null
    const lost = (method: string, labels: number) => (find(method, labels) ?? Number.NaN) - exact
    const [alone100, alone400] = [100, 400].map(labels => lost('each concept by itself', labels))
    const pooled100 = lost('pooled', 100)
    const points = (value: number) => signed(100 * value, 1)
    return {
      verdict: alone100 >= -0.02 ? 'holds' : Math.max(alone400, pooled100) >= -0.02 ? 'partly' : 'not',
      shown: `${points(alone100)}, ${points(alone400)} (${points(pooled100)})`
    }
  })
  const claim = {
    where: '3.3',
    says: 'A small number of labelled documents suffices to estimate the rates of an anchor (Chernoff bound).',
    rule: 'Holds: with rates of each concept by itself from 100 labelled documents, the last tag loses at most two points beside exact rates; partly: from 400, or pooled over the concepts from 100. Shown: change with 100, with 400 (pooled, 100). The bound counts documents that have the concept: for an error of at most 0.1 in 95 of 100 cases it asks for 185, which are 185 / prevalence documents drawn at random ([figures](figures/noise-rates.md)).'
  }
  return {claim, judged}
}

function claimRow({claim: {where, says, isOfRealData}, judged}: JudgedClaim, at: number): string[] {
  const signs = {holds: '+', partly: '~', unclear: '?', not: '-'} as const
  const counts = corpora.map(({name}) => !(isOfRealData && name === generated))
  const found = judged.flatMap((each, c) => (each && counts[c] ? [each.verdict] : []))
  const cells = judged.map((each, c) => {
    if (!each) return ''
    return counts[c] ? `${signs[each.verdict]} ${each.shown}` : `\`${each.shown}\``
  })
  const isSeen = found.some(verdict => verdict === 'holds' || verdict === 'partly')
  const all = found.every(verdict => verdict === 'holds') ? 'holds' : isSeen ? 'holds partly' : 'does not hold'
  return [String(at + 1), `${says} (${where})`, found.length === 0 ? 'not run' : `**${all}**`, ...cells]
}

/** How many of the paper's statements hold; the last line is not one of them. */
function summaryText(): string {
  const all = rows.slice(0, -1).map(row => row[2])
  const count = (verdict: string) => all.filter(row => row === verdict).length
  return `Of ${all.length} statements of the paper ${count('**holds**')} hold on every applicable corpus, ${count('**holds partly**')} on some or in part, ${count('**does not hold**')} on none.`
}
