import {counted, grouped, nameList, percent} from '../../base/text/index.ts'
import type {Accuracy} from '../../learn/votes/index.ts'
import type {SourceFacts} from '../../use/facts/index.ts'
import {withMinus} from '../drawing/index.ts'
import {mostDrawn} from '../present/index.ts'
import {figure, html, htmlTable, type Markup} from './markup.ts'
import type {Picture} from './page.tsx'

/** Table and picture of each group. */
export function sourcesHtml(groups: readonly SourceFacts[], pictures: readonly (Picture | undefined)[]): Markup {
  return html`<p>How reliable each source of votes is, worst first. Accuracy is the share of its votes that are right, with a 90% interval: from labelled documents where there are any,
else an estimate from agreement with the other sources, whose interval is wide.</p>
${groups.map((group, at) => groupHtml(group, at, pictures[at]))}`
}

function groupHtml({classes, alpha, sources}: SourceFacts, at: number, picture: Picture | undefined): Markup {
  const overall =
    alpha === undefined
      ? ''
      : ` Krippendorff’s alpha of all votes: ${withMinus(alpha.toFixed(2))} (1 is perfect agreement, 0 is chance).`
  const hasErrors = sources.some(({mostWrong}) => mostWrong !== undefined)
  const columns = <T>(cells: readonly T[]) => (hasErrors ? cells : cells.slice(0, -1))
  const rows = sources.map(({source, accuracy, basis, labelled, votes, coverage, mostWrong}) =>
    columns([
      source,
      sortable(accuracy.value, accuracyText(accuracy)),
      basis === 'labels' ? counted(labelled, 'label').replace(' ', NO_BREAK) : basis,
      sortable(votes, grouped(votes)),
      sortable(coverage, percent(coverage)),
      mostWrong === undefined
        ? ''
        : [mostWrong.vote, 'for', `${mostWrong.truth},`, percent(mostWrong.share)].join(NO_BREAK)
    ])
  )
  return html`${htmlTable({
    caption: `Sources of votes for ${nameList(classes, 6)}.${overall}`,
    head: columns(['source', 'accuracy', 'by', 'votes', 'covers', 'most often wrong']),
    align: ['left', 'right', 'left', 'right', 'right', 'left'],
    id: `sources-${at + 1}`,
    sortable: true,
    rows
  })}
${hasErrors ? html`<p class="soft">“a for b, 5%”: in 5% of its votes the source votes for a where b holds.</p>` : undefined}
${picture && figure(picture, `How often the votes of each source are right, and how many documents have one.${sources.length > mostDrawn ? ` Drawn are the ${mostDrawn} sources with most votes.` : ''}`, `sources-picture-${at + 1}`)}`
}

const NO_BREAK = '\u00a0'

function sortable(value: number, text: string): Markup {
  return html`<data value="${value}">${text}</data>`
}

function accuracyText({value, low, high}: Accuracy): string {
  if (low === undefined || high === undefined) return `${percent(value)}, no interval`.replaceAll(' ', NO_BREAK)
  return `${percent(value)} (${Math.round(100 * low)} to ${Math.round(100 * high)}%)`.replaceAll(' ', NO_BREAK)
}
