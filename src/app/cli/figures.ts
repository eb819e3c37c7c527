import {
  type Evaluation,
  type Figures,
  figureColumns,
  figureText,
  type TaggingFigures,
  whereBeaten
} from '../../use/evaluation/index.ts'
import {textTable} from './text.ts'

/** The figures of a model and its baselines, side by side, and in words where a simpler method did better. */
export function figureTable(evaluation: Evaluation): string {
  const named: [string, Figures][] = [['this model', evaluation], ...Object.entries(evaluation.baselines)]
  const rows = named.map(([name, figures]) => [name, ...figureColumns.map(column => figureText(column, figures))])
  const table = textTable([['', ...figureColumns.map(({name}) => name)], ...rows])
  return [table, remarks(evaluation), beatenText(evaluation)].filter(text => text !== '').join('\n\n')
}

/** What the figures mean, in one line each. */
function remarks({lastTag, tagging}: Evaluation): string {
  const {threshold} = tagging.atThreshold
  return [
    `F1: concepts are reported from a probability of 0.5 on; *: from where each method, without any tag, expects the highest F1 (this model: ${threshold.toFixed(2)}).`,
    Number.isNaN(lastTag.standardError)
      ? ''
      : `Last tag: standard error ${lastTag.standardError.toFixed(3)}, from ${lastTag.documents.toLocaleString('en')} documents; smaller differences may be chance.`,
    tagging.saturated > 0 ? saturation(tagging) : ''
  ]
    .filter(text => text !== '')
    .join('\n')
}

/** How often probabilities come true, from the lowest to the highest. */
export function reliabilityTable(tagging: TaggingFigures): string {
  const share = (p: number) => `${(100 * p).toFixed(1)}%`
  const rows = tagging.reliability.map(({meanProbability, shareFound, count}) => [
    share(meanProbability),
    share(shareFound),
    String(count)
  ])
  return `How often this model's probabilities come true, all documents and concepts together:

${textTable([['mean probability', 'found', 'predictions'], ...rows])}

${saturation(tagging)}`
}

function saturation({saturated}: TaggingFigures): string {
  if (saturated === 0) return 'No probability is exactly 0 or 1.'
  return `${Number((100 * saturated).toPrecision(2))}% of the probabilities are exactly 0 or 1: no further evidence could change them.`
}

function beatenText(evaluation: Evaluation): string {
  return whereBeaten(evaluation)
    .map(({name, columns}) => `${name} does better than this model in: ${columns.join(', ')}`)
    .join('\n')
}
