import type {ChartSeries} from '../../src/app/drawing/index.ts'
import {AdfaError} from '../../src/base/checks/index.ts'
import {type BayesNetwork, createLogPrior, type Network, sampleNetwork} from '../../src/base/network/index.ts'
import {type Rng, rng} from '../../src/base/numeric/index.ts'
import {grouped} from '../../src/base/text/index.ts'
import {
  defaultGaps,
  type Moments,
  type PolytopeName,
  parseShrinkage,
  recoverMoments,
  type Shrinkage
} from '../../src/learn/moments/index.ts'
import {estimateNoise} from '../../src/learn/noise/index.ts'
import {learnPairs} from '../../src/learn/robust/index.ts'
import {learnStructure} from '../../src/learn/structure/index.ts'
import {countCorpus} from '../../src/read/counts/index.ts'
import type {Anchors, Corpus, CorpusDocument} from '../../src/read/data/index.ts'
import {chanceText, differenceOf, intervalOf, mean, signed, spreadOf, spreadText} from '../spread.ts'
import {
  type Claim,
  type Experiment,
  type Results,
  type Row,
  short,
  significant,
  type Tables,
  verdicts
} from './experiment.ts'
import {type Material, tagCorpus} from './material.ts'
import {firstOf, splitMaterial, trainingCount} from './split.ts'

/** From loose to tight. */
export const polytopes = ['simplex', 'local', 'cycle', 'marginal'] as const satisfies readonly PolytopeName[]

/** Names of the methods in pictures and tables, from loose to tight, then the default here, then the oracles. */
const methods = {
  simplex: 'simplex',
  local: 'local polytope',
  cycle: 'cycle polytope',
  marginal: 'marginal polytope',
  pairs: 'network of pairs',
  'oracle-tree': 'oracle: tree from true tags',
  'oracle-independent': 'oracle: true prevalences, no edges'
} as const
type LikelihoodMethod = keyof typeof methods
const methodIds = Object.keys(methods) as LikelihoodMethod[]

const kinds = ['real', 'generated'] as const

export type LikelihoodCell = {
  /** Generated documents are drawn from a tree learned from the real ones. */
  readonly data: (typeof kinds)[number]
  readonly shrinkage: string
  readonly split: number
  readonly seed: number
  readonly size: number
  readonly gap?: number
}

/** Section 5.3.1 and its figure: do tighter polytopes learn better models, on real and on generated documents? */
export const heldoutLikelihood: Experiment<LikelihoodCell> = {
  name: 'heldout-likelihood',
  title: 'Held-out likelihood by polytope',
  about:
    'The paper (Section 5.3.1) learns trees from anchors alone and finds that moments from tighter constraints give the tags of held-out documents a higher likelihood, also in large samples, while on documents drawn from a learned model all constraints do equally well. It shows this only as a picture, so there are no numbers to compare with.',
  claims: [
    ...['0.01', '10/N'].map(
      (shrinkage): Claim => ({
        where: '5.3.1',
        isOfRealData: true,
        says: `Tighter polytopes give better models of real tags, also with many documents (shrinkage ${shrinkage}).`,
        rule: 'Marginal minus simplex with all training documents, held-out nats per document, beyond two standard errors.',
        judge(results) {
          const gain = gainOf(results, 'real', shrinkage)
          return gain && {verdict: verdicts[gain.verdict], shown: signed(gain.mean, 3)}
        }
      })
    ),
    ...['0.01', '10/N'].map(
      (shrinkage): Claim => ({
        where: '5.3.1',
        says: `On generated documents that effect disappears (shrinkage ${shrinkage}).`,
        rule: 'Holds: within two standard errors of 0; partly: less than half of the effect on real documents. Shown: generated (real).',
        judge(results) {
          const [generated, real] = (['generated', 'real'] as const).map(data => gainOf(results, data, shrinkage))
          if (generated === undefined || real === undefined) return undefined
          const isSmaller = Math.abs(generated.mean) < Math.abs(real.mean) / 2
          return {
            verdict: generated.verdict === 'unclear' ? 'holds' : isSmaller ? 'partly' : 'not',
            shown: `${signed(generated.mean, 3)} (${signed(real.mean, 3)})`
          }
        }
      })
    )
  ],
  cells(material, {splits, sizes, shrinkages, seed, gap}) {
    const all = trainingCount(material)
    const grown = [...new Set([...sizes.filter(size => size < all), all])].sort((a, b) => a - b)
    return shrinkages.flatMap(shrinkage =>
      kinds.flatMap(data =>
        Array.from({length: splits}, (_, split) => split).flatMap(split =>
          grown.map(size => ({data, shrinkage: String(shrinkage), split, seed: seed + split, size, ...(gap && {gap})}))
        )
      )
    )
  },
  // The marginal polytope takes most of the time, and generated documents need its tree first.
  cost: ({data}) => (data === 'real' ? 1 : 2),
  measure: measureLikelihood,
  figures: (results, {name}) =>
    results.distinct<string>('methods', 'shrinkage').flatMap(shrinkage => drawFigures(results, shrinkage, name)),
  tables: results => {
    const sizes = sizesOf(results)
    const table = (name: string, caption: string, some: readonly number[]) => ({
      name,
      caption: `${caption}: means over the splits, in nats per document, with the standard error in brackets, in units of the last digit`,
      head: ['documents', 'shrinkage', 'training documents', ...methodIds, 'marginal minus simplex', 'largest gap'],
      rows: results.distinct<string>('methods', 'shrinkage').flatMap(shrinkage =>
        kinds.flatMap(data =>
          some.map(size => {
            const where = {data, shrinkage, size}
            const gaps = results.values('methods', 'gap', {...where, method: 'marginal'})
            return [
              ...[data, shrinkage, grouped(size)],
              ...methodIds.map(method => spreadText(results.spread('methods', 'logLikelihood', {...where, method}))),
              spreadText(differenceOf(valuesOf(results, where, 'marginal'), valuesOf(results, where, 'simplex'))),
              short(Math.max(...gaps))
            ]
          })
        )
      )
    })
    return [
      table('likelihood', 'All training documents', sizes.slice(-1)),
      table('likelihood-by-size', 'Fewer training documents', sizes.slice(0, -1))
    ]
  },
  notes: results => [
    `Smaller samples are part of the larger ones of their split; ${results.range('methods', 'heldOut')} held-out documents judge each tree. ${chanceText(results.distinct('methods', 'split').length)} Anchors have the rates given by the tags of all training documents of the split. The shrinkage is the weight of the independent tags that are mixed in (N: training documents). Oracles learn from the true tags of the same documents with the same shrinkage. There are as many generated training and held-out documents as real ones; their tags come from the tree of the marginal polytope for all training documents of the split with the same shrinkage, their anchors from the rates.`,
    `Moments stop at a certified gap of ${results.runs[0]?.cell.gap ?? defaultGaps.marginal}, or at a limit of steps: one stopped early can score better or worse than the optimum. The constant of the probabilities of a network of pairs, the default of this program, has a standard error of at most ${short(Math.max(0, ...results.values('methods', 'constantError', {method: 'pairs'})))} nats.`
  ]
}

type Place = Readonly<Record<'data' | 'shrinkage', string>> & {readonly size: number}

function sizesOf(results: Results): number[] {
  return results.distinct<number>('methods', 'size').sort((a, b) => a - b)
}

function valuesOf(results: Results, where: Place, method: LikelihoodMethod): number[] {
  return results.values('methods', 'logLikelihood', {...where, method})
}

/** Marginal minus simplex, with all training documents; undefined where this shrinkage was not measured. */
function gainOf(results: Results, data: string, shrinkage: string) {
  const where = {data, shrinkage, size: Math.max(...sizesOf(results))}
  const [marginal, simplex] = (['marginal', 'simplex'] as const).map(method => valuesOf(results, where, method))
  return marginal.length === 0 ? undefined : differenceOf(marginal, simplex)
}

/**
 * The paper's figure, log-likelihood by training documents, with real ones left and generated ones right; and the same minus the
 * simplex, split by split, which shows small differences. The simplex stays as the line at 0, so that the others look the same.
 */
function drawFigures(results: Results, shrinkage: string, corpus: string) {
  const sizes = sizesOf(results)
  const titles = {real: corpus, generated: 'generated documents'}
  const panels = (ids: readonly LikelihoodMethod[], isGain: boolean) =>
    kinds.map(data => ({
      title: titles[data],
      series: ids.map((method): ChartSeries => {
        const groups = sizes.map(size => {
          const where = {data, shrinkage, size}
          const simplex = isGain ? valuesOf(results, where, 'simplex') : []
          const values = valuesOf(results, where, method).map((value, at) => value - (simplex[at] ?? 0))
          return {size, values, spread: spreadOf(values)}
        })
        return {
          name: methods[method],
          points: groups.map(({size, spread}) => ({x: size, y: spread.mean, ...(isGain && intervalOf(spread))})),
          marks: groups.flatMap(({size, values}) => values.map(y => ({x: size, y})))
        }
      })
    }))
  const look = {kind: 'lines', x: {label: 'training documents', log: true}} as const
  const file = `shrinkage-${shrinkage.replace('/', '-')}`
  return [
    {
      name: `heldout-likelihood-${file}`,
      caption: `Mean log-likelihood of the tags of a held-out document by number of training documents, shrinkage towards independence ${shrinkage}. Left: ${corpus}. Right: documents drawn from the tree that the marginal polytope learns from it. Faint symbols: single splits; lines: their mean. Higher is better.`,
      chart: {
        ...look,
        title: `Held-out log-likelihood of the tags, shrinkage ${shrinkage}`,
        description: `How probable the tags of held-out documents are under trees learned from anchors with moments of four polytopes, under a network of pairs, and under two oracles, for real documents of ${corpus} and for generated ones. The tables have the same figures.`,
        y: {label: 'log-likelihood, nats per document'},
        panels: panels(methodIds, false)
      }
    },
    {
      name: `heldout-gain-${file}`,
      caption: `The same log-likelihoods minus that of the simplex on the same split, shrinkage towards independence ${shrinkage}. Faint symbols: single splits; lines: their mean; bars: two standard errors. Above 0 is better than the simplex.`,
      chart: {
        ...look,
        title: `What tighter polytopes gain over the simplex, shrinkage ${shrinkage}`,
        description: `By how much the log-likelihood of held-out tags rises with moments of the local, cycle and marginal polytope instead of the simplex, for real documents of ${corpus} and for generated ones.`,
        y: {label: 'gain over simplex, nats per document'},
        panels: panels(polytopes, true)
      }
    }
  ]
}

/** Documents of one kind without their words, and how moments are recovered from them. */
interface Setting {
  /** Its anchors have the rates by the tags. */
  readonly training: Corpus
  readonly heldOut: readonly CorpusDocument[]
  readonly shrinkage: Shrinkage
  readonly gap: number | undefined
}

/** Steps for 50 concepts, more than most recoveries take; the cost of one grows with the square of the concepts. */
const STEP_LIMIT = 400
const STEP_LIMIT_CONCEPTS = 50

/**
 * The held-out log-likelihood of the tags (Section 5.3.1) under the tree from the moments of each polytope, under the network of pairs
 * that is the default here, and under the trees of the oracles, all learned from the same `size` documents. It stops by gaps and
 * steps, so results are the same everywhere.
 */
export async function measureLikelihood(
  material: Material,
  {data, shrinkage, seed, size, gap}: LikelihoodCell
): Promise<Tables> {
  const {training, heldOut} = splitMaterial(material, seed)
  const tagged = heldOut.documents.filter(({labels}) => labels?.includes(-1) === false)
  if (tagged.length === 0)
    throw new AdfaError(
      'bad-document',
      'no held-out document has a known value for every concept; the likelihood of tags needs completely tagged documents; give more of them'
    )
  const real: Setting = {
    training: {lexicon: {...training.lexicon, words: []}, documents: training.documents.map(withoutWords)},
    heldOut: tagged,
    shrinkage: parseShrinkage(shrinkage),
    gap
  }
  const all = data === 'real' ? real : await generatedLike(real, seed)
  const setting = {...all, training: firstOf(all.training, size)}
  const rows: Row[] = []
  for (const polytope of polytopes) {
    const moments = await momentsOf(setting, polytope)
    rows.push(scored(polytope, setting, moments.certificate, await treeOf(moments)))
  }
  return {methods: [...rows, pairsOf(setting), ...(await measureOracles(setting, material.name))]}
}

function withoutWords(document: CorpusDocument): CorpusDocument {
  return {...document, words: []}
}

/** As many documents, drawn from the tree of the marginal polytope for all training documents: every assumption holds. */
async function generatedLike(setting: Setting, seed: number): Promise<Setting> {
  const {lexicon, documents} = setting.training
  const network = await treeOf(await momentsOf(setting, 'marginal'))
  const random = rng(seed).stream('heldout-likelihood')
  const drawn = drawDocuments(network, lexicon.anchors, documents.length + setting.heldOut.length, random)
  // A drawn anchor fires as a whole, so it has one member.
  const anchors = lexicon.anchors.map(anchor => ({...anchor, any: [anchor.concept], not: []}))
  const training = {lexicon: {...lexicon, anchors}, documents: drawn.slice(0, documents.length)}
  return {...setting, training, heldOut: drawn.slice(documents.length)}
}

/** As `robust` learns it: false anchors are taken for related concepts. */
function pairsOf(setting: Setting): Row {
  const counts = countCorpus(setting.training)
  const {network, moments} = learnPairs(counts, estimateNoise(counts, 'given'), 'related')
  return scored('pairs', setting, moments, network)
}

async function momentsOf(setting: Setting, polytope: PolytopeName): Promise<Moments> {
  const {training, shrinkage, gap} = setting
  const counts = countCorpus(training)
  // Limits a recovery to seconds, and is the same everywhere.
  const most = Math.round(STEP_LIMIT * Math.min(1, STEP_LIMIT_CONCEPTS / training.lexicon.anchors.length) ** 2)
  const limits = polytope === 'marginal' ? {stepLimit: most} : {}
  return recoverMoments(counts, estimateNoise(counts, 'given'), {polytope, shrinkage, gap, ...limits})
}

async function treeOf(moments: Moments): Promise<BayesNetwork> {
  return (await learnStructure(moments, 'tree')).network
}

/** The same learner on the true tags. The shrinkage then mixes in lambda N documents with independent tags. */
async function measureOracles(setting: Setting, name: string): Promise<Row[]> {
  const oracle = {...setting, training: tagCorpus(setting.training, name), gap: undefined}
  const moments = await momentsOf(oracle, 'simplex')
  const {network} = await learnStructure(moments, 'independent')
  return [
    scored('oracle-tree', setting, moments.certificate, await treeOf(moments)),
    scored('oracle-independent', setting, moments.certificate, network)
  ]
}

function scored(
  method: LikelihoodMethod,
  {training, heldOut}: Setting,
  {objective, gap, status, steps}: Moments['certificate'],
  network: Network
): Row {
  const prior = createLogPrior(network)
  return {
    ...{method, training: training.documents.length, heldOut: heldOut.length},
    logLikelihood: significant(mean(heldOut.map(({labels}) => prior.of(labels ?? [])))),
    constantError: significant(prior.standardError),
    ...{objective: significant(objective), gap: significant(gap), status, steps}
  }
}

/** Documents with tags drawn from `network` and anchors drawn from their rates. */
function drawDocuments(network: BayesNetwork, anchors: Anchors, count: number, random: Rng) {
  const m = anchors.length
  const rates = anchors.map(anchor => {
    if (anchor.rates?.kind !== 'rates') throw new Error(`internal error: no rates of "${anchor.concept}"`)
    return anchor.rates
  })
  const tags = sampleNetwork(network, count, random.stream('tags'))
  const firing = random.stream('anchors')
  return Array.from({length: count}, (_, at) => {
    const labels = Int8Array.from(tags.subarray(at * m, (at + 1) * m))
    const fired = rates.flatMap(({truePositive, falsePositive}, i) =>
      firing.next() < (labels[i] ? truePositive : falsePositive) ? [i] : []
    )
    return {key: String(at), words: [], anchors: fired, members: fired, labels}
  })
}
