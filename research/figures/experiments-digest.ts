import {existsSync, readFileSync} from 'node:fs'
import {join} from 'node:path'
import {
  compareNetworks,
  type Difference,
  type DriftRun,
  EM_STEPS,
  fallOf,
  flooredOracles,
  groupsOf,
  independentOracles,
  type LastTagCell,
  type LastTagResult,
  type LikelihoodRun,
  type MethodId,
  methods,
  type NetworkAgreement,
  noiseTolerant,
  paperSeconds,
  printedWords,
  type Run,
  type Spread,
  summarizeDrift,
  summarizeLastTag,
  summarizeTiming,
  type TimingRun,
  type TreesCell,
  type TreesResult,
  withoutTags
} from '../experiments/index.ts'

export const networks = ['tree', 'two-parents', 'forest'] as const
export const likelihoodMethods = ['simplex', 'local', 'cycle', 'marginal', 'oracle-tree', 'oracle-independent'] as const
export const paths = ['paper', 'robust'] as const
const timed = ['simplex', 'local', 'cycle', 'marginal'] as const

/** With all training documents, one shrinkage. */
export interface LikelihoodDigest {
  readonly shrinkage: string
  readonly data: 'real' | 'generated'
  readonly size: number
  readonly means: Readonly<Record<(typeof likelihoodMethods)[number], Spread>>
  /** Marginal minus simplex. */
  readonly gain: Difference
  /** The same with the fewest documents. */
  readonly few: {readonly size: number; readonly gain: Difference}
}

/** Words of lowest failure: printed in the paper, learned here as published, by `robust`, and from tags. */
export interface WordDigest {
  readonly concept: string
  readonly printed: readonly string[]
  readonly paper: readonly string[]
  readonly robust: readonly string[]
  readonly oracle: readonly string[]
}

/** The results of one corpus that the page shows. */
export interface Digest {
  readonly corpus: string
  readonly command: string
  readonly documents: number
  readonly concepts: number
  readonly wordCount: number
  readonly trees: Readonly<Record<(typeof networks)[number], NetworkAgreement>>
  /** V-structures of the network with two parents, and in how many of them one parent explains the other away. */
  readonly explaining: {readonly pairs: number; readonly falls: number; readonly told: number; readonly agree: number}
  /** For concepts of the paper's table that this corpus has. */
  readonly words: readonly WordDigest[]
  readonly likelihood: readonly LikelihoodDigest[]
  readonly lastTag: {
    readonly splits: number
    readonly accuracies: Readonly<Partial<Record<MethodId, Spread>>>
    readonly best: MethodId
    readonly baseline: MethodId
    readonly overBaseline: Difference
    readonly independentOracle: MethodId
    readonly overIndependent: Difference
    /** The same with a leak floor, that of the oracle included. */
    readonly flooredOverBaseline: Difference
    readonly flooredOracle: MethodId
    readonly flooredOverIndependent: Difference
    /** The tree less no edges, without and with a leak floor. */
    readonly treeGain: Difference
    readonly flooredTreeGain: Difference
    readonly momentsLessLikelihood: Difference
    readonly flooredLessLikelihood: Difference
    readonly overAnchors: Difference
    readonly marginalLessSimplex: Difference
    readonly robustOverBaseline: Difference
  }
  readonly drift: Readonly<
    Record<
      (typeof paths)[number],
      {
        readonly start: number
        readonly end: number
        readonly change: Difference
        readonly bound: Difference
        readonly kept: number
      }
    >
  >
  /** Undefined where it was not run. */
  readonly timing?: {
    readonly concepts: number
    readonly documents: number
    /** Seconds of a whole fit, of the moments alone, and of the paper's method where it was run. */
    readonly seconds: readonly {
      readonly polytope: string
      readonly whole: number
      readonly moments: number
      readonly gap: number
      readonly paper: number | null
      readonly slow: {
        readonly concepts: number
        readonly seconds: number
        readonly ours: number
        readonly gap: number
        readonly status: string
      } | null
    }[]
    /** Time of a whole fit from the most documents relative to one from a quarter of them. */
    readonly growth: Readonly<Record<string, number>>
  }
}

/** Read the folder that `adfa experiment` wrote: of an experiment that is not there, what was `known` before stays. */
export function digestOf(corpus: string, folder: string, command: string, known: Partial<Digest> = {}): Digest {
  const has = (experiment: string) => existsSync(join(folder, experiment, 'results.json'))
  const read = (experiment: string) => JSON.parse(readFileSync(join(folder, experiment, 'results.json'), 'utf8'))
  const {documents, concepts, words} = JSON.parse(readFileSync(join(folder, 'experiment.json'), 'utf8'))
  const digest: Partial<Digest> = {
    ...known,
    corpus,
    command,
    documents,
    concepts,
    wordCount: words,
    ...(has('factors') && {words: wordDigest(readFileSync(join(folder, 'factors', 'words.csv'), 'utf8'))}),
    ...(has('trees') && treesDigest(read('trees').runs)),
    ...(has('heldout-likelihood') && {likelihood: likelihoodDigest(read('heldout-likelihood').runs)}),
    ...(has('last-tag') && {lastTag: lastTagDigest(read('last-tag').runs)}),
    ...(has('em-drift') && {drift: driftDigest(read('em-drift').runs)}),
    ...(has('timing') && {timing: timingDigest(read('timing').runs)})
  }
  const needed = ['words', 'trees', 'explaining', 'likelihood', 'lastTag', 'drift'] as const
  const missing = needed.filter(part => digest[part] === undefined)
  if (missing.length > 0) throw new Error(`${folder}: nothing is known of ${missing.join(', ')}; run all experiments`)
  return digest as Digest
}

/** Points of last tag that rates from few labels cost beside exact ones (noise-rates.json). */
export interface LabelDigest {
  readonly alone100: number
  readonly alone400: number
  readonly pooled100: number
}

/** Undefined where it was not measured. Anchors of `npm-packages` are in title or text there and here. */
export function labelDigest(corpus: string): LabelDigest | undefined {
  const figures: readonly {corpus: string; method: string; labels: number; lastTag: number}[] = JSON.parse(
    readFileSync(new URL('noise-rates.json', import.meta.url), 'utf8')
  )
  const name = corpus === 'npm-packages' ? 'npm-packages (title or text)' : corpus
  const find = (method: string, labels: number) =>
    figures.find(each => each.corpus === name && each.method === method && each.labels === labels)?.lastTag
  const exact = find('exact', 0)
  const [alone100, alone400, pooled100] = [
    find('each concept by itself', 100),
    find('each concept by itself', 400),
    find('pooled', 100)
  ]
  if (exact === undefined || alone100 === undefined || alone400 === undefined || pooled100 === undefined)
    return undefined
  return {alone100: alone100 - exact, alone400: alone400 - exact, pooled100: pooled100 - exact}
}

const TABLE = [
  ...['osx', 'image', 'mysql', 'web-services', 'linux', 'query', 'regex'],
  ...['abdominal pain', 'alcohol', 'asthma-copd', 'stroke', 'hematuria', 'hiv+', 'motor vehicle collision']
]
const SHOWN_WORDS = 8

function wordDigest(csv: string): WordDigest[] {
  // No concept or word of these tables has a comma or a quote.
  const rows = csv.split('\n').map(line => line.split(','))
  return TABLE.flatMap(concept => {
    const of = (method: string) =>
      rows
        .filter(([name, by, ranking]) => name === concept && by === method && ranking === 'failure')
        .slice(0, SHOWN_WORDS)
        .map(([, , , , , word]) => word.replace(/^text:/, ''))
    const printed = printedWords(concept)?.slice(0, SHOWN_WORDS)
    const [paper, robust, oracle] = [of('paper'), of('robust'), of('oracle')]
    return printed === undefined || paper.length === 0 ? [] : [{concept, printed, paper, robust, oracle}]
  })
}

function treesDigest(runs: readonly Run<TreesCell, TreesResult>[]): Pick<Digest, 'trees' | 'explaining'> {
  const find = (network: string, source: string) => {
    const run = runs.find(({cell}) => cell.network === network && cell.source === source)
    if (run === undefined) throw new Error(`no ${network} from ${source}`)
    return run.result
  }
  const agreement = (network: string) => compareNetworks(find(network, 'anchors'), find(network, 'tags'))
  const {explaining} = find('two-parents', 'anchors')
  const falls = explaining.filter(each => fallOf(each) > 0)
  const told = falls.filter(({tagged: [, , both]}) => both > 0)
  const agree = told.filter(({tagged: [children, other, both, all]}) => all / both < other / children)
  return {
    trees: {tree: agreement('tree'), 'two-parents': agreement('two-parents'), forest: agreement('forest')},
    explaining: {pairs: explaining.length, falls: falls.length, told: told.length, agree: agree.length}
  }
}

function likelihoodDigest(runs: readonly LikelihoodRun[]): LikelihoodDigest[] {
  const shrinkages = [...new Set(runs.map(({cell}) => cell.shrinkage))]
  return shrinkages.flatMap(shrinkage =>
    (['real', 'generated'] as const).map(data => {
      const groups = groupsOf(runs, {shrinkage, data})
      const [few, all] = [groups[0], groups[groups.length - 1]]
      const means = Object.fromEntries(likelihoodMethods.map(method => [method, all.spread(method)]))
      return {
        shrinkage,
        data,
        size: all.size,
        means: means as LikelihoodDigest['means'],
        gain: all.difference('marginal', 'simplex'),
        few: {size: few.size, gain: few.difference('marginal', 'simplex')}
      }
    })
  )
}

function lastTagDigest(runs: readonly Run<LastTagCell, LastTagResult>[]): Digest['lastTag'] {
  const summary = summarizeLastTag(runs)
  const baseline = summary.best(noiseTolerant)
  const independentOracle = summary.best(independentOracles)
  const flooredOracle = summary.best(flooredOracles)
  return {
    splits: new Set(runs.map(({cell}) => cell.split)).size,
    accuracies: Object.fromEntries(methods.map(({id}) => [id, summary.spread(id, 'lastTag')])),
    best: summary.best(withoutTags),
    baseline,
    overBaseline: summary.difference('paper-tree', baseline),
    independentOracle,
    overIndependent: summary.difference('paper-tree', independentOracle),
    flooredOverBaseline: summary.difference('paper-tree-floor', baseline),
    flooredOracle,
    flooredOverIndependent: summary.difference('paper-tree-floor', flooredOracle),
    treeGain: summary.difference('paper-tree', 'paper-independent'),
    flooredTreeGain: summary.difference('paper-tree-floor', 'paper-independent-floor'),
    momentsLessLikelihood: summary.difference('oracle-mom-tree', 'oracle-ml-tree'),
    flooredLessLikelihood: summary.difference('oracle-mom-floor', 'oracle-ml-tree'),
    overAnchors: summary.difference('paper-tree', 'anchors-only'),
    marginalLessSimplex: summary.difference('paper-marginal', 'paper-tree'),
    robustOverBaseline: summary.difference('robust', baseline)
  }
}

function driftDigest(runs: readonly DriftRun[]): Digest['drift'] {
  const summary = summarizeDrift(runs)
  const of = (path: (typeof paths)[number]) => {
    const kept = summary.results(path).flatMap(({kept: count}) => count ?? [])
    return {
      start: summary.spread(path, 0, 'lastTag').mean,
      end: summary.spread(path, EM_STEPS, 'lastTag').mean,
      change: summary.change(path, 'lastTag'),
      bound: summary.change(path, 'bound'),
      kept: kept.reduce((sum, count) => sum + count, 0) / kept.length
    }
  }
  return {paper: of('paper'), robust: of('robust')}
}

function timingDigest(runs: readonly TimingRun[]): NonNullable<Digest['timing']> {
  const summary = summarizeTiming(runs)
  const {beside, concepts, sizes, documents} = summary
  const [few, most] = [sizes[0], concepts[concepts.length - 1]]
  const growth = timed.flatMap(polytope => {
    const [before, after] = [few, documents].map(count => summary.learning(polytope, most, count)?.whole)
    return before && after ? [[polytope, after / before] as const] : []
  })
  const seconds = timed.flatMap(polytope => {
    const found = summary.learning(polytope, beside)
    if (!found?.whole || !found.moments || found.gap === null) return []
    const count = concepts.filter(each => summary.slow(polytope, each) !== undefined).at(-1)
    const [slow, ours] = count === undefined ? [] : [summary.slow(polytope, count), summary.learning(polytope, count)]
    const beaten =
      count !== undefined && slow?.moments && ours?.moments && slow.gap !== null
        ? {concepts: count, seconds: slow.moments, ours: ours.moments, gap: slow.gap, status: String(slow.status)}
        : null
    const {whole, moments, gap} = found
    return [{polytope, whole, moments, gap, paper: paperSeconds.get(polytope) ?? null, slow: beaten}]
  })
  return {concepts: beside, documents, seconds, growth: Object.fromEntries(growth)}
}
