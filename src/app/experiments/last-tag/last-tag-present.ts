import {type BarsChart, figure, html, htmlTable, type Markup} from '../../../use/report/index.ts'
import type {Pictures, Presentation, ResultTable, Run} from '../experiment.ts'
import type {Material} from '../material.ts'
import {chanceText, shareInterval, spreadText} from '../spread.ts'
import type {LastTagCell, LastTagResult} from './last-tag-measure.ts'
import {methods} from './last-tag-methods.ts'
import {MOST_HELD_OUT, MOST_TRAINING} from './last-tag-split.ts'
import {type LastTagSummary, summarizeLastTag} from './last-tag-summary.ts'
import {lastTagFindings} from './last-tag-text.ts'

type LastTagRun = Run<LastTagCell, LastTagResult>

/** The paper's figure of last-tag accuracy, its claims beside our results, and all figures as a table. */
export function presentLastTag(runs: readonly LastTagRun[], {name}: Material, pictures: Pictures): Presentation {
  const summary = summarizeLastTag(runs)
  const svg = pictures.chart(lastTagChart(summary, name))
  const caption = `Share of the tags that are found as the last tag of held-out documents of ${name}. Symbols: mean over the splits; lines: two standard errors of it, as far as the splits lie apart; faint symbols: single splits.`
  return {
    figures: [{name: 'last-tag', svg, caption}],
    tables: [rawTable(runs)],
    html: html`<p>The last-tag task of the paper (Sections 5.5 and 5.6): a document is shown with all its tags but one, and the missing tag has to be the best guess.</p>
${lastTagFindings(summary)}
${figure(svg, caption, 'last-tag-figure')}
${meanTable(summary)}
${howMeasured(runs)}`
  }
}

function lastTagChart(summary: LastTagSummary, name: string): BarsChart {
  const bars = methods.map(({id, name: method, group}) => {
    const spread = summary.spread(id, 'lastTag')
    return {name: method, group, value: spread.mean, ...shareInterval(spread), marks: summary.values(id, 'lastTag')}
  })
  return {
    kind: 'bars',
    title: 'Last-tag accuracy',
    description: `How often each of ${methods.length} methods finds the one hidden tag of a held-out document, the other tags known. The table has the same figures.`,
    x: {label: 'last tag found', percent: true},
    panels: [{title: name, bars}]
  }
}

function rawTable(runs: readonly LastTagRun[]): ResultTable {
  const head = ['split', 'seed', 'method', 'name', 'group', 'training_documents', 'held_out_documents', 'concepts']
  const figures = ['last_tag_accuracy', 'macro_average_precision', 'tag_log_likelihood']
  const rows = runs.flatMap(({cell: {split, seed}, result}) =>
    methods.flatMap(({id, name, group}) => {
      const found = result.figures[id]
      if (found === undefined) return []
      const {training, heldOut, concepts} = result
      const values = [found.lastTag, found.averagePrecision, found.logLikelihood].map(value => value ?? '')
      return [[split, seed, id, name, group, training, heldOut, concepts, ...values]]
    })
  )
  return {name: 'last-tag', head: [...head, ...figures], rows}
}

function meanTable(summary: LastTagSummary): Markup {
  const rows = methods.map(({id, name, group}) => [
    name,
    group,
    spreadText(summary.spread(id, 'lastTag')),
    spreadText(summary.spread(id, 'averagePrecision')),
    spreadText(summary.spread(id, 'logLikelihood'), 2)
  ])
  return htmlTable({
    caption: 'Means over the splits, in brackets the standard error in units of the last digit',
    head: ['method', 'kind', 'last tag', 'average precision', 'log-likelihood of the tags'],
    align: ['left', 'left', 'right', 'right', 'right'],
    rows
  })
}

/** What the figures rest on, and where they may differ from the paper's. */
function howMeasured(runs: readonly LastTagRun[]): Markup {
  const leftOut = [...new Set(runs.flatMap(({result}) => result.leftOut))]
  const range = (of: (result: LastTagResult) => number) => {
    const found = runs.map(({result}) => of(result))
    const [low, high] = [Math.min(...found), Math.max(...found)].map(count => count.toLocaleString('en'))
    return low === high ? low : `${low} to ${high}`
  }
  return html`<p>Learned from ${range(({training}) => training)} documents (at most ${MOST_TRAINING.toLocaleString('en')} of each split) and judged by ${range(({heldOut}) => heldOut)} others (at most ${MOST_HELD_OUT.toLocaleString('en')}, as in the paper), ${range(({concepts}) => concepts)} concepts. ${chanceText(new Set(runs.map(({cell}) => cell.split)).size)} Every tag of a document is hidden in turn; documents count the same. Average precision and the log-likelihood of the tags, in nats a document, are for documents without any known tag; classifiers take concepts for independent there. The paper shows its accuracies as a picture only, so there are no numbers of it to stand beside these.</p>
<p>"Robust" is what this program does by default; its "noisy-or links" are the words that people read, predicting by themselves. "Noise-tolerant" classifiers weigh documents by the rates of the anchors (Natarajan et al. 2013, as in the paper); "unbiased loss" is the other method of that work. With the "anchor rule" a concept whose anchor fired is believed by the rates of its anchor alone. Oracles are shown all tags of the training documents; "Oracle MoM" learns as the paper does, the one with a leak floor with the floor under the leaks that robust has.</p>
${leftOut.length === 0 ? undefined : html`<p>Left out in a split, because too few of its training documents have the tag or the anchor: ${leftOut.join(', ')}.</p>`}`
}
