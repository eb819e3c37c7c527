import {grouped} from '../../../base/text/index.ts'
import {defaultGaps} from '../../../learn/moments/index.ts'
import type {Markup} from '../../../use/report/index.ts'
import type {Run} from '../experiment.ts'
import {bulletList} from '../presentation.ts'
import {type Difference, differenceOf, signed, spreadOf} from '../spread.ts'
import type {LikelihoodCell, LikelihoodMethod, LikelihoodResult} from './measure.ts'

const STEPS = [
  ['local', 'simplex'],
  ['cycle', 'local'],
  ['marginal', 'cycle']
] as const

/** The paper's claims beside the results with one shrinkage. */
export function likelihoodFindings(runs: readonly LikelihoodRun[], shrinkage: string): Markup {
  const real = groupsOf(runs, {shrinkage, data: 'real'})
  const generated = groupsOf(runs, {shrinkage, data: 'generated'})
  return bulletList([
    realClaim(real),
    stepsClaim(real),
    generatedClaim(generated, real),
    oracleClaim(real),
    stopClaim(runs, shrinkage)
  ])
}

function realClaim(groups: readonly LikelihoodGroup[]): string {
  const largest = lastOf(groups)
  const verdict = {
    above: 'the effect of tighter constraints persists in the large sample, as in the paper.',
    unclear: 'in the large sample neither is clearly better, unlike in the paper.',
    below: 'in the large sample the tighter constraints are worse, unlike in the paper.'
  }[gain(largest).verdict]
  return `Real documents: ${gainText(groups)}; ${verdict}`
}

function generatedClaim(groups: readonly LikelihoodGroup[], real: readonly LikelihoodGroup[]): string {
  const [here, there] = [gain(lastOf(groups)), gain(lastOf(real))]
  const beside = `${signed(here.mean, 3)} against ${signed(there.mean, 3)} on real documents`
  const verdict = {
    above: `a difference remains (${beside}), which in the paper disappears.`,
    unclear: `the difference disappears (${beside}), as in the paper.`,
    below: `the tighter constraints are worse (${beside}); in the paper all do equally well.`
  }[here.verdict]
  return `Generated documents: ${gainText(groups)}; ${verdict}`
}

/** Marginal beside simplex, with the most documents and with the fewest. */
function gainText(groups: readonly LikelihoodGroup[]): string {
  const largest = lastOf(groups)
  const [smallest] = groups
  const fewer = smallest === largest ? '' : `, and with ${grouped(smallest.size)} documents ${nats(gain(smallest))}`
  return `with all ${grouped(largest.size)} training documents the marginal polytope is ${nats(gain(largest))}${fewer}`
}

/** Whether every tighter polytope is at least as good as the one before. */
function stepsClaim(groups: readonly LikelihoodGroup[]): string {
  const largest = lastOf(groups)
  const steps = STEPS.map(([tight, loose]) => ({tight, loose, difference: largest.difference(tight, loose)}))
  const shown = steps.map(
    ({tight, loose, difference}) => `${name(tight)} minus ${name(loose)} ${signed(difference.mean, 3)}`
  )
  const worse = steps.filter(({difference}) => difference.verdict === 'below')
  const chance = largest.runs.length > 1 ? ' within two standard errors' : ''
  const verdict =
    worse.length === 0
      ? `every tighter polytope is at least as good as the one before${chance}`
      : worse.map(({tight, loose}) => `the ${name(tight)} is worse than the ${name(loose)}`).join(', and ')
  return `Step by step, with all training documents: ${shown.join(', ')}; ${verdict}.`
}

function oracleClaim(groups: readonly LikelihoodGroup[]): string {
  const largest = lastOf(groups)
  const [marginal, tree, independent] = (['marginal', 'oracle-tree', 'oracle-independent'] as const).map(method =>
    largest.spread(method).mean.toFixed(3)
  )
  return `With all training documents the marginal polytope reaches ${marginal} nats per document without seeing a tag; a tree from the true tags reaches ${tree}, the true prevalences without edges ${independent}.`
}

function stopClaim(runs: readonly LikelihoodRun[], shrinkage: string): string {
  const all = runs.filter(({cell}) => cell.shrinkage === shrinkage).map(({result}) => result.methods.marginal)
  const early = all.filter(({status}) => status !== 'optimal')
  const largest = all.reduce((most, {gap}) => Math.max(most, gap), 0).toPrecision(2)
  const asked = `a certified gap of ${defaultGaps.marginal}, the paper's tolerance`
  return early.length === 0
    ? `The marginal polytope was always solved to ${asked}.`
    : `The marginal polytope was not solved to ${asked}, in ${early.length} of ${all.length} recoveries, which reached the step limit; the largest gap is ${largest}.`
}

function gain(group: LikelihoodGroup): Difference {
  return group.difference('marginal', 'simplex')
}

/** `0.247 nats per document better than simplex (mean of 8 splits, standard error 0.030; better in 8)`. */
function nats({mean, error, above, splits}: Difference): string {
  const size = `${Math.abs(mean).toFixed(3)} nats per document ${mean >= 0 ? 'better' : 'worse'} than simplex`
  const basis =
    error === undefined
      ? 'one split'
      : `mean of ${splits} splits, standard error ${error.toFixed(3)}; better in ${above}`
  return `${size} (${basis})`
}

function lastOf(groups: readonly LikelihoodGroup[]): LikelihoodGroup {
  const group = groups.at(-1)
  if (group === undefined) throw new Error('internal error: nothing was measured')
  return group
}

function name(method: LikelihoodMethod): string {
  return methodNames.get(method) ?? method
}

export type LikelihoodRun = Run<LikelihoodCell, LikelihoodResult>

/** Names of the methods in pictures and tables, from loose to tight, then the oracles. */
export const methodNames: ReadonlyMap<LikelihoodMethod, string> = new Map([
  ['simplex', 'simplex'],
  ['local', 'local polytope'],
  ['cycle', 'cycle polytope'],
  ['marginal', 'marginal polytope'],
  ['oracle-tree', 'oracle: tree from true tags'],
  ['oracle-independent', 'oracle: true prevalences, no edges']
])

export const kinds = ['real', 'generated'] as const satisfies readonly LikelihoodCell['data'][]

/** The splits of one training size, with one shrinkage, on one kind of documents. */
export type LikelihoodGroup = ReturnType<typeof groupOf>

export function shrinkagesOf(runs: readonly LikelihoodRun[]): string[] {
  return [...new Set(runs.map(({cell}) => cell.shrinkage))]
}

/** By ascending size; the last has all training documents. */
export function groupsOf(
  runs: readonly LikelihoodRun[],
  {shrinkage, data}: Pick<LikelihoodCell, 'shrinkage' | 'data'>
): LikelihoodGroup[] {
  const some = runs.filter(({cell}) => cell.shrinkage === shrinkage && cell.data === data)
  const sizes = [...new Set(some.map(({cell}) => cell.size))].sort((a, b) => a - b)
  const ofSize = (size: number) => some.filter(({cell}) => cell.size === size)
  return sizes.map(size => groupOf(size, ofSize(size)))
}

function groupOf(size: number, unordered: readonly LikelihoodRun[]) {
  const runs = unordered.toSorted((a, b) => a.cell.split - b.cell.split)
  const results = (method: LikelihoodMethod) => runs.map(({result}) => result.methods[method])
  /** Log-likelihoods, in the order of the splits. */
  const values = (method: LikelihoodMethod) => results(method).map(({logLikelihood}) => logLikelihood)
  return {
    size,
    runs,
    results,
    values,
    spread: (method: LikelihoodMethod) => spreadOf(values(method)),
    /** How much better `one` is than `other`, in nats per document. */
    difference: (one: LikelihoodMethod, other: LikelihoodMethod) => differenceOf(values(one), values(other))
  }
}
