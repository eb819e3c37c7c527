import {emDefaults} from '../../../learn/training/index.ts'
import {figure, html, htmlTable, type Markup} from '../../../use/report/index.ts'
import type {Pictures, Presentation, ResultTable} from '../experiment.ts'
import {MOST_TRAINING} from '../last-tag/last-tag-split.ts'
import type {Material} from '../material.ts'
import {chanceText, spreadOf, spreadText} from '../spread.ts'
import {accuracyChart, boundChart} from './em-drift-chart.ts'
import {driftPaths, EM_STEPS} from './em-drift-measure.ts'
import {type DriftRun, type DriftSummary, summarizeDrift} from './em-drift-summary.ts'
import {driftFindings, pathNames} from './em-drift-text.ts'
import {changedWords} from './em-drift-word-tables.ts'

/** The paper's figure of what EM does to accuracy, the likelihood beside it, and the words of a concept before and after. */
export function presentDrift(runs: readonly DriftRun[], material: Material, pictures: Pictures): Presentation {
  const summary = summarizeDrift(runs)
  const figures = [
    {
      name: 'em-drift-accuracy',
      svg: pictures.chart(accuracyChart(summary, material.name)),
      caption: `Last-tag accuracy on held-out documents of ${material.name} after each step; lines: mean over the splits, faint symbols: single splits. Refine is drawn as if it went on, with words as strong as it chose; where it stops is said above.`
    },
    {
      name: 'em-drift-bound',
      svg: pictures.chart(boundChart(summary, material.name)),
      caption:
        'Lower bound of the log-likelihood of the training documents after each step; every panel has its own scale. Of refine: before words are weakened.'
    }
  ]
  return {
    figures,
    tables: [stepTable(runs), wordTable(runs)],
    html: html`<p>The paper (Sections 5.5 and 5.6) goes on from its model by steps of EM, which raise the likelihood of the documents, and finds that predictions get worse: concepts turn into whatever explains most words.</p>
${driftFindings(summary)}
${figures.map(({name, svg, caption}) => figure(svg, caption, `${name}-figure`))}
${meanTable(summary)}
${changedWords(summary, material.lexicon)}
${howMeasured(runs)}`
  }
}

function stepTable(runs: readonly DriftRun[]): ResultTable {
  const head = ['split', 'seed', 'path', 'step', 'is_end', 'word_strength', 'training_documents', 'held_out_documents']
  const figures = ['last_tag_accuracy', 'macro_average_precision', 'bound', 'words_kept_of_10']
  const rows = runs.flatMap(({cell: {split, seed, path}, result}) =>
    result.steps.map(({step, lastTag, averagePrecision, bound}) => {
      const isEnd = step === result.end
      const place = [split, seed, path, step, isEnd ? 1 : 0, result.strength, result.training, result.heldOut]
      return [...place, ...[lastTag, averagePrecision, bound, isEnd ? result.kept : null].map(value => value ?? '')]
    })
  )
  return {name: 'em-drift', head: [...head, ...figures], rows}
}

function wordTable(runs: readonly DriftRun[]): ResultTable {
  const rows = runs.flatMap(({cell: {split, seed, path}, result}) =>
    result.words.flatMap(({concept, before, after}) => {
      const ranks = Array.from({length: Math.max(before.length, after.length)}, (_, at) => at)
      return ranks.map(at => [split, seed, path, concept, at + 1, before[at] ?? '', after[at] ?? ''])
    })
  )
  return {name: 'em-drift-words', head: ['split', 'seed', 'path', 'concept', 'rank', 'before', 'after'], rows}
}

function meanTable(summary: DriftSummary): Markup {
  const anchors = (figureName: 'lastTag' | 'averagePrecision') =>
    spreadText(spreadOf(summary.results('paper').flatMap(({anchorsOnly}) => anchorsOnly[figureName] ?? [])))
  const rows = driftPaths.map(path => {
    const start = path === 'refine' ? 'robust' : path
    return [
      pathNames[path],
      spreadText(summary.spread(start, 0, 'lastTag')),
      spreadText(summary.end(path, 'lastTag')),
      spreadText(summary.spread(start, 0, 'averagePrecision')),
      spreadText(summary.end(path, 'averagePrecision')),
      spreadText(summary.spread(start, 0, 'bound'), 2),
      spreadText(summary.end(path, 'bound'), 2)
    ]
  })
  const level = ['anchors alone', anchors('lastTag'), '', anchors('averagePrecision'), '', '', '']
  return htmlTable({
    caption: `Before, and after ${EM_STEPS} steps of EM or where refine stops: means over the splits, in brackets the standard error in units of the last digit`,
    head: ['path', 'last tag, before', 'after', 'average precision, before', 'after', 'bound, before', 'after'],
    align: ['left', 'right', 'right', 'right', 'right', 'right', 'right'],
    rows: [...rows, level]
  })
}

function howMeasured(runs: readonly DriftRun[]): Markup {
  const [low, high] = [Math.min, Math.max].map(of =>
    of(...runs.map(({result}) => result.training)).toLocaleString('en')
  )
  const leftOut = [...new Set(runs.flatMap(({result}) => result.leftOut))]
  return html`<p>Learned from ${low === high ? low : `${low} to ${high}`} documents (at most ${MOST_TRAINING.toLocaleString('en')} of each split). ${chanceText(new Set(runs.map(({cell}) => cell.split)).size)} Predictions are those of the noisy-or links, which EM changes; the network and the rates of the anchors stay as they are. Beyond ${emDefaults.exactLimit} concepts E-steps draw states by Gibbs sampling, as in the paper's supplement, so the bound may tremble where little changes. The paper shows its accuracies as a picture only.</p>
${leftOut.length === 0 ? undefined : html`<p>Left out in a split, because too few of its training documents have the tag or the anchor: ${leftOut.join(', ')}.</p>`}`
}
