import {type ComponentChildren, Fragment, type JSX} from 'preact'
import {printable} from '../../base/text/index.ts'
import {type Block, type Cell, type ChartBlock, cellText, type Inline, plainText, type TableBlock} from './blocks.ts'
import {Table} from './table.tsx'

/** How a page shows what only it knows: links, charts, which are drawn elsewhere, and a frame for tables. */
export interface BlockHost {
  readonly link: (to: unknown, text: ComponentChildren, name?: string) => ComponentChildren
  readonly chart: (block: ChartBlock) => ComponentChildren
  readonly table?: (table: ComponentChildren, block: TableBlock) => ComponentChildren
}

/** Blocks as HTML: the same in the studio and in reports. */
export function Blocks({blocks, host}: {blocks: readonly Block[]; host: BlockHost}): JSX.Element {
  return (
    <>
      {blocks.map((block, at) => (
        <BlockView key={at} block={block} host={host} />
      ))}
    </>
  )
}

function BlockView({block, host}: {block: Block; host: BlockHost}): ComponentChildren {
  const inline = (part: Inline) => <InlineText part={part} host={host} />
  switch (block.kind) {
    case 'heading':
      return block.isMinor ? <h4 id={block.id}>{block.text}</h4> : <h3 id={block.id}>{block.text}</h3>
    case 'text':
      return <p class={block.look}>{inline(block.text)}</p>
    case 'list':
      return (
        <ul class={block.look}>
          {block.items.map(item => (
            <li key={plainText(item)}>{inline(item)}</li>
          ))}
        </ul>
      )
    case 'terms':
      return (
        <dl>
          {block.terms.map(([name, meaning]) => (
            <Fragment key={plainText(name)}>
              <dt>{inline(name)}</dt>
              <dd>{inline(meaning)}</dd>
            </Fragment>
          ))}
        </dl>
      )
    case 'table':
      return <TableView block={block} host={host} />
    case 'chart':
      return host.chart(block)
    case 'more':
      return (
        <details class="more">
          <summary>{block.title}</summary>
          <Blocks blocks={block.blocks} host={host} />
        </details>
      )
  }
}

function TableView({block, host}: {block: TableBlock; host: BlockHost}) {
  const {id, caption, columns, rows, none = '', isSortable = false, look} = block
  if (rows.length === 0) return none === '' ? null : <p class="quiet">{none}</p>
  const table = (
    <Table
      id={id}
      class={isSortable ? 'sortable' : look}
      {...(caption !== undefined && {caption})}
      rows={rows}
      keyOf={(_, at) => String(at)}
      columns={columns.map(({name, meaning, isFigure = false}, at) => ({
        name,
        isFigure,
        ...(meaning !== undefined && {meaning}),
        cell: (row: readonly Cell[]) => <CellView cell={row[at]} host={host} />
      }))}
    />
  )
  return host.table?.(table, block) ?? table
}

function CellView({cell, host}: {cell: Cell; host: BlockHost}) {
  const {bar, sortBy} = typeof cell === 'object' && 'cell' in cell ? cell : {}
  const text = <InlineText part={cellText(cell)} host={host} />
  return (
    <>
      {bar === undefined ? null : <Bar share={bar} />}
      {sortBy === undefined ? text : <data value={sortBy}>{text}</data>}
    </>
  )
}

/** A share as the part of a bar. */
export function Bar({share}: {share: number}) {
  return (
    <svg class="bar" viewBox="0 0 1000 1" preserveAspectRatio="none" aria-hidden="true">
      <rect class="part" width={Math.round(1000 * Math.min(1, Math.max(0, share)))} height="1" />
    </svg>
  )
}

/** Text with its marks. */
export function InlineText({part, host}: {part: Inline; host: BlockHost}): ComponentChildren {
  if (typeof part === 'string') return printable(part)
  if (typeof part === 'number') return part
  if (!('text' in part)) return part.map((each, at) => <InlineText key={at} part={each} host={host} />)
  const inside = <InlineText part={part.text} host={host} />
  const linked = part.to === undefined ? inside : host.link(part.to, inside, part.tip)
  if (part.look === undefined && (part.tip === undefined || part.to !== undefined)) return linked
  if (part.look === 'strong') return <b title={part.tip}>{linked}</b>
  if (part.look === 'code') return <code title={part.tip}>{linked}</code>
  const isSeverity = part.look === 'fault' || part.look === 'warning' || part.look === 'note'
  return (
    <>
      <span class={isSeverity ? `severity ${part.look}` : part.look} title={part.tip}>
        {linked}
      </span>
      {part.look === 'best' || part.look === 'level' ? <span class="unseen">{MARKS[part.look]}</span> : null}
    </>
  )
}

const MARKS = {best: ' best', level: ' no clear difference from the best'}
