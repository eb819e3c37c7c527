import {type FigureName, figures, type Recorded} from './figures.ts'
import {methodGroups} from './method-names.ts'
import {shown} from './statistics.ts'
import {markdown} from './tables.ts'
import {worthText} from './worth.ts'

const README_METHODS = {
  robust: '**adfa**',
  'robust-noisy-or': 'its noisy-or links alone',
  '': 'best other method without labels, per figure',
  paper: "the paper's settings, leaks clipped at 0",
  'supervised-100': 'TF-IDF logistic regression, 100 labelled documents',
  'supervised-500': '500',
  'supervised-1000': '1,000',
  'supervised-2000': '2,000',
  supervised: 'all'
}

/** Last tag and average precision with two digits, and what `robust` is worth without labels. */
export function readmeTable(recorded: Recorded): string {
  const {corpora} = recorded
  const mean = (corpus: string, method: string, figure: FigureName) =>
    recorded.estimate(corpus, 'given', method, figure)?.mean ?? Number.NaN
  const best = (corpus: string, figure: FigureName) =>
    Math.max(...methodGroups.others.map(method => mean(corpus, method, figure)).filter(value => !Number.isNaN(value)))
  const lines = Object.entries(README_METHODS).map(([method, name]) => [
    name,
    ...corpora.map(({name: corpus}) => {
      const pair = (['lastTag', 'averagePrecision'] as const).map(figure =>
        method === '' ? best(corpus, figure) : mean(corpus, method, figure)
      )
      return Number.isNaN(pair[0]) ? '-' : pair.map(value => shown({mean: value, error: undefined}, 2)).join(' / ')
    })
  ])
  const worth = ['**adfa without labels is worth**', ...corpora.map(({name}) => worthText(recorded, name, 'free'))]
  return markdown(['', ...corpora.map(({name}) => shortName(name))], [...lines, worth])
}

function shortName(corpus: string): string {
  return corpus
    .replace('stackoverflow-', 'SO ')
    .replace('chest-xray', 'chest X-ray')
    .replace(/-(packages|icd9)$/, '')
}

const EXAMPLE_METHODS = [
  'robust',
  'robust-noisy-or',
  'anchors-only',
  'independent',
  'positive-unlabelled-rule',
  'supervised-100',
  'supervised-500',
  'supervised-1000',
  'supervised-2000',
  'supervised',
  'oracle-mom'
]

const EXAMPLE_FIGURES = {
  lastTag: 'last tag',
  averagePrecision: 'average precision',
  microF1: 'micro F1 at 0.5',
  thresholdMicroF1: 'at the threshold',
  calibrationError: 'calibration'
} as const

/** Some methods on one corpus, rates given. */
export function exampleTable(recorded: Recorded, corpus: string): string {
  const keys = Object.keys(EXAMPLE_FIGURES) as (keyof typeof EXAMPLE_FIGURES)[]
  const lines = EXAMPLE_METHODS.map(method => [
    `\`${method}\``,
    ...keys.map(key => {
      const value = recorded.estimate(corpus, 'given', method, key)
      return value === undefined ? '-' : shown(value, figures[key].digits)
    })
  ])
  return markdown(['', ...Object.values(EXAMPLE_FIGURES)], lines)
}
