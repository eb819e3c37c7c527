/**
 * Effect of the structure score on P(tags): held-out tag log-likelihood of networks learned from anchors, by score and
 * polytope, and the number of their edges, over splits by a hash of the documents' keys. Noise rates are those of the
 * training tags, as in the paper. Results are kept in structure-scores.json, from which structure-scores.md is made.
 *
 * Command: npx tsx research/figures/structure-scores.ts FILE... [--fields title] [--splits 8]
 */
import {readFileSync, writeFileSync} from 'node:fs'
import {basename} from 'node:path'
import {parseArgs} from 'node:util'
import type {BayesNetwork} from '../../src/base/network/index.ts'
import {allRates, recoverMoments} from '../../src/learn/moments/index.ts'
import {estimateNoise} from '../../src/learn/noise/index.ts'
import {learnStructure, type StructureKind} from '../../src/learn/structure/index.ts'
import {
  anchorsWithTagRates,
  countsOf,
  meanLogPrior,
  readTagged,
  split,
  type TaggedCorpus
} from './structure-scores-data.ts'

const {positionals, values} = parseArgs({
  allowPositionals: true,
  options: {fields: {type: 'string', default: 'title'}, splits: {type: 'string', default: '8'}}
})
const kept = new URL('structure-scores.json', import.meta.url)

/** All found by hill climbing: a proof for plain BIC would take hours. */
const methods = {
  independent: {structure: 'independent'},
  tree: {structure: 'tree'},
  'BIC, penalty 1/2': {structure: 'indegree:2', score: 'bic', penalty: 0.5},
  'BIC, penalty 1': {structure: 'indegree:2', score: 'bic', penalty: 1},
  'noise-aware, one parent': {structure: 'indegree:1', score: 'noise-aware', penalty: 0.5},
  'noise-aware': {structure: 'indegree:2', score: 'noise-aware', penalty: 0.5}
} as const
const polytopes = ['simplex', 'local'] as const

interface Figure {
  readonly corpus: string
  readonly concepts: number
  readonly documents: number
  readonly polytope: (typeof polytopes)[number]
  readonly method: keyof typeof methods
  readonly splits: number
  /** Mean log P(tags) of a held-out document, and the standard error over splits. */
  readonly logLikelihood: number
  readonly standardError: number
  readonly edges: number
}

for (const path of positionals) {
  const corpus = await readTagged(
    path,
    {kind: 'tags', fields: values.fields.split(','), topTags: 50},
    {minTags: 2, leastDifference: 0.05}
  )
  const name = basename(path).replace(/\.jsonl(\.gz)?$/, '')
  write([...read().filter(figure => figure.corpus !== name), ...(await measure(name, corpus))])
}
writeFileSync(new URL('structure-scores.md', import.meta.url), page(read()))

async function measure(name: string, {concepts, documents}: TaggedCorpus): Promise<Figure[]> {
  const splits = polytopes.flatMap(polytope =>
    Array.from({length: Number(values.splits)}, async (_, seed) => {
      const {training, heldOut} = split(documents, seed)
      const counts = countsOf(
        anchorsWithTagRates(concepts, training),
        training.map(({anchors}) => anchors)
      )
      const noise = estimateNoise(counts, 'given')
      const moments = await recoverMoments(counts, noise, {polytope})
      const rates = allRates(noise)
      return await Promise.all(
        Object.entries(methods).map(async ([method, {structure, ...options}]) => {
          const search = {...options, rates, search: 'greedy'} as const
          const {network} = await learnStructure(moments, structure as StructureKind, search)
          return {polytope, method, logLikelihood: meanLogPrior(network, heldOut), edges: edgeCount(network)}
        })
      )
    })
  )
  const runs = (await Promise.all(splits)).flat()
  return polytopes.flatMap(polytope =>
    Object.keys(methods).map(method => {
      const own = runs.filter(run => run.polytope === polytope && run.method === method)
      const mean = (value: (run: (typeof own)[number]) => number) =>
        own.reduce((sum, run) => sum + value(run), 0) / own.length
      const logLikelihood = mean(run => run.logLikelihood)
      const variance = mean(run => (run.logLikelihood - logLikelihood) ** 2)
      return {
        corpus: name,
        concepts: concepts.length,
        documents: documents.length,
        polytope,
        method: method as keyof typeof methods,
        splits: own.length,
        logLikelihood,
        standardError: Math.sqrt(variance / (own.length - 1)),
        edges: mean(run => run.edges)
      }
    })
  )
}

function edgeCount({parents}: BayesNetwork): number {
  return parents.flat().length
}

function read(): Figure[] {
  try {
    return JSON.parse(readFileSync(kept, 'utf8')) as Figure[]
  } catch {
    return []
  }
}

function write(figures: readonly Figure[]): void {
  writeFileSync(kept, `${JSON.stringify(figures, null, 1)}\n`)
}

function page(figures: readonly Figure[]): string {
  const corpora = [...new Set(figures.map(({corpus}) => corpus))]
  const cell = (corpus: string, polytope: string, method: string) => {
    const found = figures.find(f => f.corpus === corpus && f.polytope === polytope && f.method === method)
    if (found === undefined) return ''
    return `${found.logLikelihood.toFixed(3)} ± ${found.standardError.toFixed(3)} (${found.edges.toFixed(0)})`
  }
  const rows = polytopes.flatMap(polytope =>
    Object.keys(methods).map(
      method => `| ${polytope} | ${method} | ${corpora.map(corpus => cell(corpus, polytope, method)).join(' | ')} |`
    )
  )
  const sizes = corpora.map(corpus => {
    const {concepts, documents, splits} = figures.find(figure => figure.corpus === corpus) as Figure
    return `${corpus}: ${documents} documents, ${concepts} concepts, ${splits} splits`
  })
  return `# How much gain a parent must bring

Mean log P(tags) of held-out documents ± its standard error over splits (edges of the graph). Concepts are the 50 commonest tags whose name
in the title (npm-packages: or in the text) is informative, documents those with at least two tags; noise rates are those of the training tags; splits 75/25 by a
hash of the key; moments of order 3 with the default shrinkage; graphs by hill climbing over orders, at most two parents unless stated otherwise.
Made by \`npx tsx research/figures/structure-scores.ts FILE...\`. ${sizes.join('; ')}.

| moments | graph | ${corpora.join(' | ')} |
| --- | --- | ${corpora.map(() => '---').join(' | ')} |
${rows.join('\n')}
`
}
