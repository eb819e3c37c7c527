import {counted, grouped, percent} from '../../base/text/index.ts'
import type {FitCertificate} from '../../learn/fit.ts'
import type {Model} from '../../learn/model/index.ts'
import type {MomentCertificate, SolveStatus} from '../../learn/moments/index.ts'
import {describePairs, type PairCertificate} from '../../learn/robust/index.ts'
import {
  type CertificateFacts,
  type IntervalFacts,
  labelledText,
  type NoiseFacts,
  rateSource
} from '../../use/facts/index.ts'
import {measuredConcepts} from '../../use/prediction/index.ts'
import {type Block, column, kept, tableOf} from './blocks.ts'

type Row = readonly [step: string, result: string, meaning: string]

export function certificateBlocks(model: Model, facts: CertificateFacts): Block[] {
  const columns = (['step', 'result', 'in plain words'] as const).map((name, at) => column(name, (row: Row) => row[at]))
  const caption = 'What each step of learning reached, and what that means.'
  return [tableOf(certificateRows(model, facts), columns, {caption})]
}

/** How far each step of learning can be trusted, with a plain sentence on what that means. */
export function certificateRows(model: Model, facts: CertificateFacts): readonly Row[] {
  const {noise, moments, structure, loadings, intervals, tables} = facts
  return kept<Row>([
    tables !== undefined && [
      'released tables',
      tables,
      'No record was seen: sites released how often small sets of anchors and words occur together; larger sets are filled in as if independent.'
    ],
    noise && noiseRow(noise),
    moments && momentRow(moments, structure?.method === 'pairs'),
    structure && structureRow(structure, model),
    loadings && loadingRow(loadings),
    wordRow(model),
    intervals && intervalRow(intervals),
    ['seed', String(model.seed), 'The same documents, options and seed give exactly this model again.']
  ])
}

function noiseRow({method, labelledCount}: NoiseFacts): Row {
  const labels = labelledCount > 0 ? `, ${labelledText({labelledCount})}` : ''
  return ['rates of the anchors', `${method}${labels}`, `From ${rateSource(method)}.`]
}

function momentRow(moments: FitCertificate['moments'], isOfPairs: boolean): Row {
  const {objective, gap, heuristicGap = gap, steps} = moments
  // A search that finds no smaller gap than the proven one adds nothing.
  const reached =
    heuristicGap >= gap ? '' : `; gap found by search ${heuristicGap.toExponential(1)}, which is not a proof`
  const result = `${statusText(moments)}: objective ${objective.toPrecision(4)}, proven gap ${gap.toExponential(1)}, ${counted(steps, 'step')}${reached}`
  const step = isOfPairs ? 'distribution of lifts' : 'co-occurrence of concepts (moments)'
  const what = isOfPairs
    ? 'How much more often than by chance pairs of concepts occur was estimated over all pairs'
    : 'How often concepts occur alone and in pairs was recovered'
  const share = percent(Math.min(1, gap / objective))
  const meaning =
    moments.status === 'optimal'
      ? `${what} as well as possible, and that is proven.`
      : `${what} until the search stopped: the best solution may have an objective up to ${share} lower.`
  return [step, result, meaning]
}

function structureRow(structure: FitCertificate['structure'], model: Model): Row {
  if (structure.method === 'pairs')
    return [
      'network',
      describePairs(structure),
      `An edge is a pair whose odds ratio differs from 1 by its 90% interval${structure.requiredEdges ? ', or that was required' : ''}; predictions use the couplings of all pairs.${marginals(structure, !measuredConcepts(model).includes(false))}`
    ]
  const {status, method, bic, gap} = structure
  const parts = kept([
    method,
    bic !== undefined && `BIC ${bic.toPrecision(7)}`,
    gap !== undefined && gap > 0 && `gap at most ${gap.toPrecision(3)}`
  ])
  return ['network', `${status} (${parts.join(', ')})`, STRUCTURE.get(status) ?? '']
}

/** How near the network is to the prevalences. */
function marginals({residual, couplingShare}: PairCertificate, isMeasured: boolean): string {
  const weakened =
    couplingShare < 1
      ? ` All log odds ratios were multiplied by ${couplingShare.toFixed(2)}: in full they would make most concepts occur at once.`
      : ''
  return isMeasured
    ? `${weakened} The network has the prevalences to within ${percent(residual)} of the documents.`
    : weakened
}

const STRUCTURE: ReadonlyMap<string, string> = new Map([
  ['optimal', 'No network of the allowed kind explains the concepts better.'],
  ['heuristic', 'Found by hill climbing: a better network may exist.'],
  ['stopped', 'The search was stopped: a better network may exist.'],
  ['tested', 'The edges are those that tests of independence could not explain away.'],
  ['known', 'The network was given, or has no edges.']
])

function loadingRow(loadings: FitCertificate['loadings']): Row {
  const {estimator, failures, failuresAboveOne, words, leaksAtFloor, gate} = loadings
  const floor = `${grouped(leaksAtFloor)} of ${counted(words, 'leak')} at the floor`
  if (gate === undefined)
    return [
      'words',
      `${estimator}: ${grouped(failuresAboveOne)} of ${grouped(failures)} set to “no effect”; ${floor}`,
      'Such a model has no way to express that a word is rarer with a concept: these words count as unrelated to it.'
    ]
  return [
    'words',
    `${grouped(gate.kept)} of ${counted(failures, 'pair')} of concept and word kept; ${floor}`,
    `Links within ${gate.sigmas} standard errors of independence are dropped, so hardly any link shown is due to chance.`
  ]
}

function wordRow({wordModel}: Model): Row {
  if (wordModel.kind === 'noisy-or')
    return ['predictions', 'noisy-or links', 'Each concept switches words on, independently of the others.']
  const {source, documents} = wordModel.certificate
  const from = source === 'counts' ? 'counts' : counted(documents, 'document')
  return ['predictions', `log-odds from ${from}`, 'Each word adds to the log-odds of a concept.']
}

function intervalRow({level, replicates, refused}: IntervalFacts): Row {
  const failed =
    refused > 0 ? ` ${counted(refused, 'resampling')} could not be fitted, so the intervals are too narrow.` : ''
  return [
    'intervals',
    `${percent(level)}, from ${counted(replicates - refused, 'resampling')}`,
    `The model was fitted again to resampled documents; ${percent(level)} of the results lie inside.${failed}`
  ]
}

/** How the model was made, from its own records. */
export function settingsBlocks(model: Model, provenance: readonly (readonly [what: string, value: string])[]): Block[] {
  const {reading, filter} = model.lexicon
  const table = (caption: string, name: string, rows: readonly (readonly [name: string, value: unknown])[]): Block =>
    tableOf(
      rows.filter(([, value]) => value !== undefined),
      [column(name, ([name]) => name), column('value', ([, value]) => ({text: shown(value), look: 'code'}))],
      {caption}
    )
  return [
    table('Where this report comes from.', 'what', provenance),
    table('How the model was fitted.', 'option', Object.entries(model.options)),
    table('How documents were read.', 'option', Object.entries({...reading, minTags: filter?.minTags}))
  ]
}

function shown(value: unknown): string {
  if (typeof value === 'string') return value
  if (typeof value === 'object' && value !== null && Object.keys(value).length === 0) return 'none'
  if (Array.isArray(value) && value.every(item => typeof item !== 'object')) return value.join(', ')
  return JSON.stringify(value)
}

const STOPPED: Readonly<Record<Exclude<SolveStatus, 'optimal'>, string>> = {
  tolerance: 'stopped',
  gap: 'could not be improved further',
  'step-limit': 'stopped by the step limit',
  'time-limit': 'stopped by the time limit',
  cancelled: 'cancelled'
}

/** "optimal", or why the solver stopped: "stopped at a gap of 0.2% of the objective". */
export function statusText({status, gap, objective}: Pick<MomentCertificate, 'status' | 'gap' | 'objective'>): string {
  if (status === 'optimal') return status
  return `${STOPPED[status]} at a gap of ${percent(objective > 0 ? Math.min(1, gap / objective) : 1)} of the objective`
}
