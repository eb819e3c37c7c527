import {useState} from 'preact/hooks'
import {counted, percent} from '../../../../base/text/index.ts'
import {type Link, oddsText} from '../../../../use/facts/index.ts'
import {type Column, linkText, Table} from '../../../present/index.ts'
import type {GraphView} from '../../../session/index.ts'
import {useStudio} from '../../store.ts'
import {Button} from '../../ui/controls.tsx'
import {GoLink} from '../../ui/go-link.tsx'
import {ruleOf} from './graph-options.tsx'
import {type LinkOrder, sortedLinks} from './graph-order.ts'

interface TableProps {
  readonly graph: GraphView
  /** Which concepts: links have one of `found` at an end, and both in `near`. */
  readonly found: ReadonlySet<number>
  readonly near: ReadonlySet<number> | undefined
}

/** Rows beyond these come when asked for. */
const FIRST = 100

/** Every link in words, strongest first. */
export function LinkTable({graph, found, near}: TableProps) {
  const studio = useStudio()
  const [by, setBy] = useState<LinkOrder>('strength')
  const [most, setMost] = useState(FIRST)
  const links = sortedLinks(graph, by).filter(
    ({a, b}) => (found.has(a) || found.has(b)) && (near === undefined || (near.has(a) && near.has(b)))
  )
  const rules = studio.project.value.edges
  const hasRules = rules !== undefined && rules.require.length + rules.forbid.length > 0
  const isSure = graph.links.some(({confidence}) => confidence !== undefined)
  const name = (i: number) => graph.concepts[i].name
  const open = (i: number) => (
    <GoLink to={{concept: name(i)}} isCurrent={name(i) === studio.view.value.concept}>
      {name(i)}
    </GoLink>
  )
  const sortBy = (order: LinkOrder) => ({is: by === order ? SORTS[order] : undefined, by: () => setBy(order)})
  const columns: Column<Link>[] = [
    {name: 'concept', sort: sortBy('name'), cell: ({a}) => open(a)},
    {name: 'goes with', cell: ({b}) => open(b)},
    {
      name: 'odds',
      sort: sortBy('strength'),
      cell: ({strength}) => <span title={linkText(strength)}>{oddsText(strength)}</span>
    },
    {name: 'with it', isFigure: true, sort: sortBy('share'), cell: ({shares}) => shareText(shares?.withB)},
    {name: 'without', isFigure: true, cell: ({shares}) => shareText(shares?.withoutB)}
  ]
  if (isSure)
    columns.push({
      name: 'found again',
      isFigure: true,
      sort: sortBy('sure'),
      cell: ({confidence}) => (confidence === undefined ? '' : percent(confidence))
    })
  if (hasRules) columns.push({name: 'rule', cell: ({a, b}) => ruleOf(rules, name(a), name(b)) ?? ''})
  if (links.length === 0) return <p class="soft">No link matches.</p>
  return (
    <>
      <Table
        class="links"
        caption="Links between concepts; how often the first occurs in documents with the second, and in those without"
        rows={links.slice(0, most)}
        keyOf={({a, b}) => `${a} ${b}`}
        columns={columns}
      />
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

function shareText(share: number | undefined): string {
  return share === undefined ? '?' : percent(share)
}
