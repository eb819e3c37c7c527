import type {ChartSeries, LinesChart} from '../../../use/report/index.ts'
import type {Figure, Pictures} from '../experiment.ts'
import {polytopes} from './heldout-likelihood-measure.ts'
import {groupsOf, kinds, type LikelihoodGroup, type LikelihoodRun, methodNames} from './heldout-likelihood-summary.ts'

/** The paper's figure: log-likelihood by training documents, real ones left, generated ones right. */
export function likelihoodPicture(
  runs: readonly LikelihoodRun[],
  shrinkage: string,
  data: string,
  pictures: Pictures
): Figure {
  const chart = panels(runs, shrinkage, data, {
    title: `Held-out log-likelihood of the tags, shrinkage ${shrinkage}`,
    description: `How probable the tags of held-out documents are by trees that were learned from anchors with moments of four polytopes, and by two oracles, for real documents of ${data} and for generated ones. The tables have the same figures.`,
    y: 'log-likelihood, nats a document',
    seriesOf: likelihoodSeries
  })
  const caption = `Mean log-likelihood of the tags of a held-out document, by training documents, shrinkage towards independence ${shrinkage}. Left: ${data}. Right: documents drawn from the tree that the marginal polytope learns there. Faint symbols: single splits; lines: their mean. Higher is better.`
  return {name: `heldout-likelihood-${fileName(shrinkage)}`, svg: pictures.chart(chart), caption}
}

/** The same beside the simplex, split by split, where small differences can be seen. */
export function gainPicture(
  runs: readonly LikelihoodRun[],
  shrinkage: string,
  data: string,
  pictures: Pictures
): Figure {
  const chart = panels(runs, shrinkage, data, {
    title: `What tighter polytopes gain over the simplex, shrinkage ${shrinkage}`,
    description: `By how much the log-likelihood of held-out tags rises with moments of the local, cycle and marginal polytope in place of the simplex, for real documents of ${data} and for generated ones.`,
    y: 'gain over simplex, nats a document',
    seriesOf: gainSeries
  })
  const caption = `The same log-likelihoods less that of the simplex on the same split, shrinkage towards independence ${shrinkage}. Faint symbols: single splits; lines: their mean; bars: two standard errors. Above 0 is better than the simplex.`
  return {name: `heldout-gain-${fileName(shrinkage)}`, svg: pictures.chart(chart), caption}
}

interface PanelText {
  readonly title: string
  readonly description: string
  readonly y: string
  readonly seriesOf: (groups: readonly LikelihoodGroup[]) => ChartSeries[]
}

function panels(
  runs: readonly LikelihoodRun[],
  shrinkage: string,
  data: string,
  {title, description, y, seriesOf}: PanelText
): LinesChart {
  const titles = {real: data, generated: 'generated documents'}
  return {
    kind: 'lines',
    title,
    description,
    x: {label: 'training documents', log: true},
    y: {label: y},
    panels: kinds.map(kind => ({title: titles[kind], series: seriesOf(groupsOf(runs, {shrinkage, data: kind}))}))
  }
}

function likelihoodSeries(groups: readonly LikelihoodGroup[]): ChartSeries[] {
  return [...methodNames].map(([method, name]) => ({
    name,
    points: groups.map(group => ({x: group.size, y: group.spread(method).mean})),
    marks: groups.flatMap(group => group.values(method).map(y => ({x: group.size, y})))
  }))
}

/** The simplex is there as the line of 0, so that the others look as in the picture before. */
function gainSeries(groups: readonly LikelihoodGroup[]): ChartSeries[] {
  return polytopes.map(method => ({
    name: methodNames.get(method) ?? method,
    points: groups.map(group => {
      const {mean, error} = group.difference(method, 'simplex')
      const interval = error === undefined ? {} : {low: mean - 2 * error, high: mean + 2 * error}
      return {x: group.size, y: mean, ...interval}
    }),
    marks: groups.flatMap(group => {
      const simplex = group.values('simplex')
      return group.values(method).map((value, split) => ({x: group.size, y: value - simplex[split]}))
    })
  }))
}

/** A shrinkage such as 10/N in a file's name. */
function fileName(shrinkage: string): string {
  return `shrinkage-${shrinkage.replace('/', '-')}`
}
