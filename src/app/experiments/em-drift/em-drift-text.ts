import {html, type Markup} from '../../../use/report/index.ts'
import {pointsText, signed, splitsText, spreadOf} from '../spread.ts'
import {type DriftPath, EM_STEPS} from './em-drift-measure.ts'
import type {DriftSummary} from './em-drift-summary.ts'
import {SHOWN_WORDS} from './em-drift-words.ts'

/** In pictures and tables. */
export const pathNames: Readonly<Record<DriftPath, string>> = {
  paper: 'EM from ADFA, tree (paper)',
  robust: 'EM from robust',
  refine: 'refine'
}

/** What EM does to predictions and likelihood, from each start, and what becomes of the words. */
export function driftFindings(summary: DriftSummary): Markup {
  const findings = [
    emFinding(summary, 'paper'),
    emFinding(summary, 'robust'),
    refineFinding(summary),
    wordFinding(summary)
  ]
  return html`<ul>
${findings.map(finding => html`<li>${finding}</li>\n`)}</ul>
`
}

function emFinding(summary: DriftSummary, path: DriftPath): string {
  return `${pathNames[path]}: ${EM_STEPS} steps change the last-tag accuracy by ${accuracyChange(summary, path)}, and the bound of the likelihood by ${boundChange(summary, path)}. ${emVerdict(summary, path)}`
}

function emVerdict(summary: DriftSummary, path: DriftPath): string {
  const [accuracy, bound] = (['lastTag', 'bound'] as const).map(figure => summary.change(path, figure).verdict)
  const likelihood = {above: 'The likelihood rises', below: 'The bound falls', unclear: 'The bound hardly moves'}[bound]
  const isAsInPaper = accuracy === 'below' && bound === 'above'
  const predictions = {
    above: 'predictions get better, unlike in the paper',
    below: `predictions get worse${isAsInPaper ? ', as in the paper' : ''}`,
    unclear: 'predictions do not clearly change, unlike in the paper'
  }[accuracy]
  return `${likelihood} and ${predictions}.`
}

function refineFinding(summary: DriftSummary): string {
  const chosen = summary.results('refine').map(({end, strength}) => `${end} at strength ${strength}`)
  const change = summary.change('refine', 'lastTag')
  const verdict = {above: 'better than', below: 'worse than', unclear: 'not clearly other than'}[change.verdict]
  return `Refine is held to its start, the robust one, and decides without any tag how many steps to take and how strongly words may speak (steps chosen: ${[...new Set(chosen)].join('; ')}). It changes the last-tag accuracy by ${accuracyChange(summary, 'refine')}: predictions are ${verdict} those of its start.`
}

function wordFinding(summary: DriftSummary): string {
  const kept = (path: DriftPath) =>
    spreadOf(summary.results(path).flatMap(({kept: count}) => count ?? [])).mean.toFixed(1)
  return `Of a concept's first ${SHOWN_WORDS} words, ${kept('paper')} are still among its first ${SHOWN_WORDS} after EM from the paper's start, ${kept('robust')} after EM from the robust one, ${kept('refine')} after refine (means over the concepts).`
}

function accuracyChange(summary: DriftSummary, path: DriftPath): string {
  const change = summary.change(path, 'lastTag')
  return `${pointsText(change)}, ${splitsText(change)}`
}

function boundChange(summary: DriftSummary, path: DriftPath): string {
  const change = summary.change(path, 'bound')
  return `${signed(change.mean, 2)} nats a document, ${splitsText(change)}`
}
