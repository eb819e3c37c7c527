import {counted, nameList} from '../../base/text/index.ts'
import type {Model} from '../../learn/model/index.ts'
import type {Evaluation, ReliabilityBin} from '../../use/evaluation/index.ts'
import type {SourceFacts} from '../../use/facts/index.ts'
import {type CertificateFacts, certificateFacts, isDrawable, linkRules, shownRates} from '../../use/facts/index.ts'
import {measuredConcepts} from '../../use/prediction/index.ts'
import type {BarsChart, Chart, ChartBar} from './chart.ts'
import {drawChart} from './draw-chart.ts'
import {placedNetwork} from './draw-network.ts'
import type {Graphviz, NetworkPlaces} from './layout-network.ts'

/** What fits beside the margins of a phone 360 pixels wide. */
const PHONE_WIDTH = 316

/** A picture for pages, and the same for phones. */
export interface Picture {
  readonly wide: string
  readonly narrow: string
}

export type ReportPictures = ReturnType<typeof drawReportPictures>

/**
 * The pictures of a report, each a self-contained SVG. Undefined are: the network where it is too dense for exact sums, rates that
 * nobody measured, and sources of votes of whose accuracy no interval is known.
 */
export function drawReportPictures(
  model: Model,
  certificate: CertificateFacts,
  evaluation: Evaluation | undefined,
  viz: Graphviz
) {
  const draw = (chart: Chart): Picture => ({
    wide: drawChart(chart),
    narrow: drawChart(chart, PHONE_WIDTH)
  })
  const names = model.concepts.map(({name}) => name)
  /** Largest first. */
  const rateChart = (rate: 'prevalence' | 'truePositive', title: string, label: string): BarsChart => ({
    kind: 'bars',
    title,
    description: `${names.length} concepts, largest first; the table of all concepts has the numbers.`,
    x: {label, percent: true},
    panels: inColumns(
      model.concepts
        .flatMap(concept => {
          const shown = shownRates(certificate, concept)?.[rate]
          if (shown === undefined) return []
          const {value, range} = shown
          return [{name: concept.name, value, group: 'estimate', ...(range && {low: range[0], high: range[1]})}]
        })
        .sort((a, b) => b.value - a.value)
    )
  })
  const drawRates = (...of: Parameters<typeof rateChart>) =>
    measuredConcepts(model).includes(true) ? draw(rateChart(...of)) : undefined
  const [commonness, firing] = ['How common each concept is', 'How often the anchor fires where the concept is present']
  return {
    network: networkPicture(model, viz)?.svg,
    prevalences: drawRates('prevalence', commonness, 'share of the documents'),
    rates: drawRates('truePositive', firing, 'share of the documents that have the concept'),
    reliability: evaluation === undefined ? undefined : draw(reliabilityChart(evaluation)),
    sources: (certificate.sources ?? []).map(sourcesChart).map(chart => chart && draw(chart))
  }
}

/** Panels of about as many bars each, so that many fit on a page. */
function inColumns(bars: readonly ChartBar[]): BarsChart['panels'] {
  const columns = bars.length <= 40 ? 1 : bars.length <= 100 ? 2 : 3
  const length = Math.ceil(bars.length / columns)
  return Array.from({length: columns}, (_, at) => ({title: '', bars: bars.slice(at * length, (at + 1) * length)}))
}

/** What a picture of a network is asked for: a part of it `around` a concept, or its concepts in the places of another picture. */
interface PictureRequest {
  readonly around?: string | undefined
  readonly places?: NetworkPlaces | undefined
}

/** The network with the prevalences that people are shown; undefined if it is too dense for exact sums. */
export function networkPicture(model: Model, viz: Graphviz, {around, places}: PictureRequest = {}) {
  if (!isDrawable(model)) return undefined
  const certificate = certificateFacts(model)
  const {network, concepts} = model
  const names = concepts.map(({name}) => name)
  const at = around === undefined ? -1 : names.indexOf(around)
  const options = {
    prevalences: concepts.map(concept => shownRates(certificate, concept)?.prevalence.value),
    isInteractive: true,
    around: at < 0 ? undefined : at,
    rules: linkRules(model)
  }
  return placedNetwork(network, names, viz, options, places)
}

export function reliabilityChart({tagging, baselines}: Evaluation): Chart {
  const points = (bins: readonly ReliabilityBin[]) =>
    bins.map(({meanProbability, shareFound}) => ({x: meanProbability, y: shareFound}))
  const links = baselines['noisy-or']
  return {
    kind: 'lines',
    title: 'How often probabilities come true',
    description: 'On the diagonal, predicted probabilities match the observed frequencies; below it they are too high.',
    x: {label: 'predicted probability', percent: true},
    y: {label: 'share that is true', percent: true},
    diagonal: 'as often as predicted',
    panels: [
      {
        title: '',
        series: [
          {name: 'this model', points: points(tagging.reliability)},
          ...(links === undefined ? [] : [{name: 'noisy-or', points: points(links.tagging.reliability)}])
        ]
      }
    ]
  }
}

/** More sources would make the picture taller than a few screens; the table has all. */
export const mostDrawn = 30

const BASIS: ReadonlyMap<string, string> = new Map([['estimate', 'estimate without labels']])

/** The accuracy of each source that has an interval, worst first, and beside it the share of documents that it votes in; undefined without any. */
function sourcesChart({classes, sources: all}: SourceFacts): BarsChart | undefined {
  const sources = all.filter(({accuracy}) => accuracy.low !== undefined)
  if (sources.length === 0) return undefined
  const least = sources.map(({votes}) => votes).sort((a, b) => b - a)[mostDrawn - 1] ?? 0
  const drawn = sources.filter(({votes}) => votes >= least).slice(0, mostDrawn)
  const group = (basis: string) => BASIS.get(basis) ?? `by ${basis}`
  const which = drawn.length < sources.length ? `the ${drawn.length} with most votes` : 'all'
  return {
    kind: 'bars',
    title: `Sources of votes for ${nameList(classes, 4)}`,
    description: `Accuracy with 90% intervals, worst first, and the share of documents with a vote; ${which} of ${counted(sources.length, 'source')}. The table has the numbers.`,
    x: {label: 'share', percent: true},
    panels: [
      {
        title: 'votes that are right',
        bars: drawn.map(({source, accuracy, basis}) => ({
          name: source,
          ...accuracy,
          group: group(basis)
        }))
      },
      {
        title: 'documents with a vote',
        bars: drawn.map(({source, coverage, basis}) => ({name: source, value: coverage, group: group(basis)}))
      }
    ]
  }
}
