import {grouped} from '../../../base/text/index.ts'
import {type ChartSeries, figure, html, htmlTable, type Markup} from '../../../use/report/index.ts'
import type {Experiment, Figure, Pictures, Presentation, ResultTable} from '../experiment.ts'
import type {Material} from '../material.ts'
import {trainingCount} from '../split.ts'
import {intervalOf, spreadText} from '../spread.ts'
import {
  groupsOf,
  kinds,
  type LikelihoodGroup,
  type LikelihoodRun,
  likelihoodFindings,
  methodNames,
  shrinkagesOf
} from './findings.ts'
import {type LikelihoodCell, type LikelihoodResult, measureLikelihood, polytopes} from './measure.ts'

/** Section 5.3.1 and its figure: do tighter polytopes learn better models, on real and on generated documents? */
export const heldoutLikelihood: Experiment<LikelihoodCell, LikelihoodResult> = {
  name: 'heldout-likelihood',
  title: 'Held-out likelihood by polytope',
  cells(material, {splits, sizes, shrinkages, seed}) {
    const all = trainingCount(material)
    const grown = [...new Set([...sizes.filter(size => size < all), all])].sort((a, b) => a - b)
    return shrinkages.flatMap(shrinkage =>
      (['real', 'generated'] as const).flatMap(data =>
        Array.from({length: splits}, (_, split) => split).flatMap(split =>
          grown.map(size => ({data, shrinkage: String(shrinkage), split, seed: seed + split, size}))
        )
      )
    )
  },
  // The marginal polytope takes most of the time, and generated documents need its tree first.
  cost: ({data}) => (data === 'real' ? 1 : 2),
  measure: measureLikelihood,
  present: presentLikelihood
}

/** The paper's figure of held-out likelihood by polytope, two pictures and tables per shrinkage, and its claims beside our results. */
function presentLikelihood(runs: readonly LikelihoodRun[], {name}: Material, pictures: Pictures): Presentation {
  const parts = shrinkagesOf(runs).map(shrinkage => ({
    shrinkage,
    shown: drawFigures(runs, shrinkage, name, pictures)
  }))
  return {
    figures: parts.flatMap(({shown}) => shown),
    tables: [rawTable(runs)],
    html: html`<p>The paper (Section 5.3.1) learns trees from anchors alone and finds that moments from tighter constraints give the tags of held-out documents a higher likelihood, also in large samples, while on documents drawn from a learned model all constraints do equally well. It shows this only as a picture, so there are no numbers to compare with.</p>
${parts.map(({shrinkage, shown}) => shrinkageSection(runs, shrinkage, shown))}
${howMeasured(runs)}`
  }
}

function shrinkageSection(runs: readonly LikelihoodRun[], shrinkage: string, shown: readonly Figure[]): Markup {
  return html`<h3>Shrinkage towards independence ${shrinkage}${shrinkage === '0.01' ? ', as in the paper' : undefined}</h3>
${likelihoodFindings(runs, shrinkage)}
${shown.map(({name, svg, caption}) => figure(svg, caption, name))}
${kinds.map(data => meanTable(groupsOf(runs, {shrinkage, data}), data, shrinkage))}`
}

function rawTable(runs: readonly LikelihoodRun[]): ResultTable {
  const rows = runs.flatMap(({cell: {data, shrinkage, split, seed}, result: {training, heldOut, methods}}) =>
    [...methodNames].map(([method, name]) => {
      const {logLikelihood, objective, gap, status, steps} = methods[method]
      const place = [data, shrinkage, split, seed, training, heldOut]
      return [...place, method, name, logLikelihood, objective, gap, status, steps]
    })
  )
  const head = ['data', 'shrinkage', 'split', 'seed', 'training_documents', 'held_out_documents', 'method', 'name']
  const figures = ['log_likelihood', 'moment_objective', 'moment_gap', 'moment_status', 'moment_steps']
  return {name: 'heldout-likelihood', head: [...head, ...figures], rows}
}

function meanTable(groups: readonly LikelihoodGroup[], data: LikelihoodCell['data'], shrinkage: string): Markup {
  const rows = groups.map(group => {
    const difference = group.difference('marginal', 'simplex')
    const gaps = group.results('marginal').map(({gap}) => gap)
    return [
      grouped(group.size),
      ...[...methodNames.keys()].map(method => spreadText(group.spread(method))),
      spreadText(difference),
      `${difference.above} of ${difference.splits}`,
      Math.max(...gaps).toPrecision(2)
    ]
  })
  const differences = ['marginal minus simplex', 'splits above 0', 'largest gap of marginal']
  return htmlTable({
    caption: `${data === 'real' ? 'Real' : 'Generated'} documents, shrinkage ${shrinkage}: means over the splits, in nats per document, with the standard error in brackets, in units of the last digit`,
    head: ['training documents', ...methodNames.values(), ...differences],
    align: Array.from({length: 10}, () => 'right'),
    rows
  })
}

function howMeasured(runs: readonly LikelihoodRun[]): Markup {
  const heldOut = [...new Set(runs.map(({result}) => result.heldOut))].map(grouped)
  return html`<p>Smaller samples are part of the larger ones of their split; ${heldOut.join(' or ')} held-out documents judge each tree. Anchors have the rates given by the tags of all training documents of the split. The shrinkage is the weight of the independent tags that are mixed in (N: training documents). Oracles learn from the true tags of the same documents with the same shrinkage. There are as many generated training and held-out documents as real ones; their tags come from the tree of the marginal polytope for all training documents of the split with the same shrinkage, their anchors from the rates.</p>`
}

/**
 * The paper's figure, log-likelihood by training documents, with real ones left and generated ones right; and the same minus the
 * simplex, split by split, which shows small differences.
 */
function drawFigures(runs: readonly LikelihoodRun[], shrinkage: string, data: string, pictures: Pictures): Figure[] {
  const titles = {real: data, generated: 'generated documents'}
  const look = {kind: 'lines', x: {label: 'training documents', log: true}} as const
  const panels = (seriesOf: (groups: readonly LikelihoodGroup[]) => ChartSeries[]) =>
    kinds.map(kind => ({title: titles[kind], series: seriesOf(groupsOf(runs, {shrinkage, data: kind}))}))
  const likelihoods = pictures.chart({
    ...look,
    title: `Held-out log-likelihood of the tags, shrinkage ${shrinkage}`,
    description: `How probable the tags of held-out documents are under trees learned from anchors with moments of four polytopes, and under two oracles, for real documents of ${data} and for generated ones. The tables have the same figures.`,
    y: {label: 'log-likelihood, nats per document'},
    panels: panels(likelihoodSeries)
  })
  const gains = pictures.chart({
    ...look,
    title: `What tighter polytopes gain over the simplex, shrinkage ${shrinkage}`,
    description: `By how much the log-likelihood of held-out tags rises with moments of the local, cycle and marginal polytope instead of the simplex, for real documents of ${data} and for generated ones.`,
    y: {label: 'gain over simplex, nats per document'},
    panels: panels(gainSeries)
  })
  const file = `shrinkage-${shrinkage.replace('/', '-')}`
  return [
    {
      name: `heldout-likelihood-${file}`,
      svg: likelihoods,
      caption: `Mean log-likelihood of the tags of a held-out document by number of training documents, shrinkage towards independence ${shrinkage}. Left: ${data}. Right: documents drawn from the tree that the marginal polytope learns from it. Faint symbols: single splits; lines: their mean. Higher is better.`
    },
    {
      name: `heldout-gain-${file}`,
      svg: gains,
      caption: `The same log-likelihoods minus that of the simplex on the same split, shrinkage towards independence ${shrinkage}. Faint symbols: single splits; lines: their mean; bars: two standard errors. Above 0 is better than the simplex.`
    }
  ]
}

function likelihoodSeries(groups: readonly LikelihoodGroup[]): ChartSeries[] {
  return [...methodNames].map(([method, name]) => ({
    name,
    points: groups.map(group => ({x: group.size, y: group.spread(method).mean})),
    marks: groups.flatMap(group => group.values(method).map(y => ({x: group.size, y})))
  }))
}

/** The simplex stays as the line at 0, so that the others look the same as in the picture before. */
function gainSeries(groups: readonly LikelihoodGroup[]): ChartSeries[] {
  return polytopes.map(method => ({
    name: methodNames.get(method) ?? method,
    points: groups.map(group => {
      const difference = group.difference(method, 'simplex')
      return {x: group.size, y: difference.mean, ...intervalOf(difference)}
    }),
    marks: groups.flatMap(group => {
      const simplex = group.values('simplex')
      return group.values(method).map((value, split) => ({x: group.size, y: value - simplex[split]}))
    })
  }))
}
