import {useState} from 'preact/hooks'
import {percent} from '../../../../base/text/index.ts'
import {type Link, oddsText} from '../../../../use/facts/index.ts'
import {type Column, linkText, Table} from '../../../present/index.ts'
import type {GraphView} from '../../../session/index.ts'
import {useStudio} from '../../store.ts'
import {GoLink} from '../../ui/go-link.tsx'
import {useSliced} from '../../ui/rows.ts'
import {RULES, ruleOf} from './graph-options.tsx'
import {type LinkOrder, sortedLinks} from './graph-order.ts'

export interface LinksProps {
  readonly graph: GraphView
  /** Which concepts: links have one of `found` at an end, and both in `near`. */
  readonly found: ReadonlySet<number>
  readonly near: ReadonlySet<number> | undefined
}

/** Every link in words, strongest first. */
export function LinkTable({graph, found, near}: LinksProps) {
  const studio = useStudio()
  const [order, setOrder] = useState<LinkOrder>('strength')
  const links = sortedLinks(graph, order).filter(
    ({a, b}) => (found.has(a) || found.has(b)) && (near === undefined || (near.has(a) && near.has(b)))
  )
  const drawn = useSliced(links.length)
  const rules = studio.project.value.edges
  const hasRules = rules !== undefined && rules.require.length + rules.forbid.length > 0
  const isSure = graph.links.some(({confidence}) => confidence !== undefined)
  const name = (i: number) => graph.concepts[i].name
  const open = (i: number) => (
    <GoLink to={{concept: name(i)}} isCurrent={name(i) === studio.view.value.concept}>
      {name(i)}
    </GoLink>
  )
  const sortBy = (own: LinkOrder) => {
    const direction = own === 'name' ? ('ascending' as const) : ('descending' as const)
    return {is: own === order ? direction : undefined, by: () => setOrder(own)}
  }
  const share = (value: number | undefined) => (value === undefined ? '?' : percent(value))
  const columns: (Column<Link> | false)[] = [
    {name: 'concept', sort: sortBy('name'), cell: ({a}) => open(a)},
    {name: 'goes with', cell: ({b}) => open(b)},
    {
      name: 'odds',
      sort: sortBy('strength'),
      cell: ({strength}) => <span title={linkText(strength)}>{oddsText(strength)}</span>
    },
    {name: 'with it', isFigure: true, sort: sortBy('share'), cell: ({shares}) => share(shares?.withB)},
    {name: 'without', isFigure: true, cell: ({shares}) => share(shares?.withoutB)},
    isSure && {
      name: 'found again',
      isFigure: true,
      sort: sortBy('sure'),
      cell: ({confidence}) => (confidence === undefined ? '' : percent(confidence))
    },
    hasRules && {name: 'rule', cell: ({a, b}) => RULES[ruleOf(rules, name(a), name(b))]}
  ]
  if (links.length === 0) return <p class="soft">No link matches.</p>
  return (
    <Table
      class="links"
      caption="Links between concepts; how often the first occurs in documents with the second, and in those without"
      rows={links.slice(0, drawn)}
      keyOf={({a, b}) => `${a} ${b}`}
      columns={columns.filter(column => column !== false)}
    />
  )
}
