import {useState} from 'preact/hooks'
import {counted, percent} from '../../base/text/index.ts'
import type {GraphView, LinkView} from '../desk/index.ts'
import {GoLink} from './go-link.tsx'
import {type LinkOrder, sortedLinks} from './graph-order.ts'
import {ruleOf, rulesOf} from './link-rule.tsx'
import {Button} from './parts.tsx'
import type {Studio} from './store.ts'

interface TableProps {
  readonly studio: Studio
  readonly graph: GraphView
  /** Which concepts: links have one of `found` at an end, and both in `near`. */
  readonly found: ReadonlySet<number>
  readonly near: ReadonlySet<number> | undefined
}

/** Rows beyond these come when asked for. */
const FIRST = 100

/** Every link in words, strongest first. */
export function LinkTable({studio, graph, found, near}: TableProps) {
  const [by, setBy] = useState<LinkOrder>('strength')
  const [most, setMost] = useState(FIRST)
  const links = sortedLinks(graph, by).filter(
    ({a, b}) => (found.has(a) || found.has(b)) && (near === undefined || (near.has(a) && near.has(b)))
  )
  const rules = rulesOf(studio, graph)
  const hasRules = rules !== undefined && rules.require.length + rules.forbid.length > 0
  const isSure = graph.links.some(({sure}) => sure !== undefined)
  const head = (order: LinkOrder, words: string, isFigure = false) => (
    <th scope="col" class={isFigure ? 'n' : undefined} aria-sort={by === order ? SORTS[order] : undefined}>
      <button type="button" class="link" onClick={() => setBy(order)}>
        {words}
      </button>
    </th>
  )
  if (links.length === 0) return <p class="soft">No link matches.</p>
  return (
    <>
      <table class="links">
        <caption class="unseen">
          Links between concepts; how often the first occurs in documents with the second, and in those without
        </caption>
        <thead>
          <tr>
            {head('name', 'concept')}
            <th scope="col">goes with</th>
            {head('strength', 'odds (90% interval)')}
            {head('share', 'with it', true)}
            <th scope="col" class="n">
              without
            </th>
            {isSure ? head('sure', 'found again', true) : null}
            {hasRules ? <th scope="col">rule</th> : null}
          </tr>
        </thead>
        <tbody>
          {links.slice(0, most).map(link => (
            <Row
              key={`${link.a} ${link.b}`}
              studio={studio}
              graph={graph}
              link={link}
              isSure={isSure}
              hasRules={hasRules}
            />
          ))}
        </tbody>
      </table>
      {links.length > most ? (
        <div class="rowed more">
          <Button look="quiet" isLittle onClick={() => setMost(most + 5 * FIRST)}>
            Show {counted(Math.min(5 * FIRST, links.length - most), 'more', 'more')}
          </Button>
        </div>
      ) : null}
    </>
  )
}

const SORTS = {strength: 'descending', name: 'ascending', share: 'descending', sure: 'descending'} as const

function Row(props: {studio: Studio; graph: GraphView; link: LinkView; isSure: boolean; hasRules: boolean}) {
  const {studio, graph, link, isSure, hasRules} = props
  const name = (i: number) => graph.concepts[i].name
  const open = (i: number) => (
    <GoLink studio={studio} to={{concept: name(i)}} isCurrent={name(i) === studio.view.value.concept}>
      {name(i)}
    </GoLink>
  )
  return (
    <tr>
      <th scope="row">{open(link.a)}</th>
      <td>{open(link.b)}</td>
      <td title={link.words}>{link.odds}</td>
      <td class="n">{link.shares === undefined ? '?' : percent(link.shares.withB)}</td>
      <td class="n">{link.shares === undefined ? '?' : percent(link.shares.withoutB)}</td>
      {isSure ? <td class="n">{link.sure === undefined ? '' : percent(link.sure)}</td> : null}
      {hasRules ? <td>{ruleOf(rulesOf(studio, graph), name(link.a), name(link.b)) ?? ''}</td> : null}
    </tr>
  )
}
