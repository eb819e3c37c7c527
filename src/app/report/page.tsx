import type {ComponentChildren, HTMLAttributes} from 'preact'
import {render} from 'preact-render-to-string'
import {printable} from '../../base/text/index.ts'
import {type Chart, drawChart} from '../drawing/index.ts'
import {type BlockHost, InlineText} from '../present/index.ts'
import {pageStyle} from './styles.ts'

/** A part of a page; links and the table of contents point to its id. */
export interface Section {
  readonly id: string
  readonly title: string
  readonly body: ComponentChildren
}

export interface Page {
  readonly title: string
  /** What the page is about, in a few sentences. */
  readonly lead: ComponentChildren
  readonly sections: readonly Section[]
  /** Plain JavaScript for the end of the page, and its hash, which the policy names; the page must be readable without it. */
  readonly script?: {readonly text: string; readonly hash: string}
  /** CSS in addition to that of every page. */
  readonly style?: string
}

/** Nothing is fetched, sent or framed: the page is self-contained. No attribute is a style, so that parts of it suit stricter pages. */
function policyOf(script: Page['script']): string {
  const scripts = script === undefined ? "'none'" : `'${script.hash}'`
  return `default-src 'none'; style-src 'unsafe-inline'; style-src-attr 'none'; script-src ${scripts}; img-src data:; base-uri 'none'; form-action 'none'`
}

/** One self-contained HTML file: style, skip link, contents, sections, script. Same page, same bytes. */
export function renderPage({title, lead, sections, script, style = ''}: Page): string {
  const page = (
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta http-equiv="Content-Security-Policy" content={policyOf(script)} />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="generator" content="adfa" />
        <title>{printable(title)}</title>
        <style dangerouslySetInnerHTML={{__html: pageStyle + style}} />
      </head>
      <body>
        <a class="skip" href="#content">
          Skip to the content
        </a>
        <div class="page">
          <header>
            <h1>{printable(title)}</h1>
            {lead === '' ? null : <div class="lead">{lead}</div>}
          </header>
          <Contents sections={sections} />
          <main id="content" tabIndex={-1}>
            {sections.map(({id, title, body}) => (
              <section key={id} id={id} aria-labelledby={`${id}-title`}>
                <h2 id={`${id}-title`}>{title}</h2>
                {body}
              </section>
            ))}
          </main>
        </div>
        {script === undefined ? null : <script dangerouslySetInnerHTML={{__html: script.text}} />}
      </body>
    </html>
  )
  return `<!DOCTYPE html>\n${render(page)}\n`
}

function Contents({sections}: Pick<Page, 'sections'>) {
  if (sections.length < 2) return null
  return (
    <nav class="contents" aria-labelledby="contents-title">
      <h2 id="contents-title">Contents</h2>
      <ol>
        {sections.map(({id, title}) => (
          <li key={id}>
            <a href={`#${id}`}>{title}</a>
          </li>
        ))}
      </ol>
    </nav>
  )
}

interface FigureProps {
  /** SVG of our own drawing, or a chart, which is drawn for pages and again for phones. */
  readonly svg: string | Chart
  readonly caption: ComponentChildren
  readonly id: string
  /** A network has the colours of its page. */
  readonly look?: 'picture' | 'network'
}

/** A picture with its caption. */
export function Figure({svg, caption, id, look = 'picture'}: FigureProps) {
  const frame = (text: string, name: string) => (
    <Frame class={name} aria-labelledby={`${id}-caption`} dangerouslySetInnerHTML={{__html: text.trim()}} />
  )
  return (
    <figure id={id}>
      {typeof svg === 'string'
        ? frame(svg, look)
        : [frame(drawChart(svg), 'picture wide'), frame(drawChart(svg, PHONE_WIDTH), 'picture narrow')]}
      <figcaption id={`${id}-caption`}>{caption}</figcaption>
    </figure>
  )
}

/** What may be wider than the page scrolls inside a frame. */
function Frame(props: HTMLAttributes<HTMLElement>) {
  // biome-ignore lint/a11y/noNoninteractiveTabindex: keys scroll what has the focus
  return <section tabIndex={0} {...props} />
}

/** What fits beside the margins of a phone 360 pixels wide. */
const PHONE_WIDTH = 316

/**
 * How a page shows blocks: tables scroll in frames of their own. Links lead to
 * addresses, or, as `{concept}`, to the card of a concept.
 */
export function pageHost(cards: ReadonlyMap<string, string> = new Map()): BlockHost {
  return {
    link: (to, text) => {
      const address = typeof to === 'string' ? to : cardOf(cards, to)
      return address === undefined ? text : <a href={address}>{text}</a>
    },
    chart: ({chart, id = 'chart', caption = chart.description}) => (
      <Figure svg={chart} caption={<InlineText part={caption} host={pageHost(cards)} />} id={id} />
    ),
    table: (table, {caption}) => (
      <Frame class="scroll" {...(caption !== undefined && {'aria-label': caption})}>
        {table}
      </Frame>
    )
  }
}

function cardOf(cards: ReadonlyMap<string, string>, to: unknown): string | undefined {
  const concept = typeof to === 'object' && to !== null && 'concept' in to ? to.concept : undefined
  const id = typeof concept === 'string' ? cards.get(concept) : undefined
  return id && `#${id}`
}

/** Text that is HTML already, such as a part of a page that was kept. */
export function Html({text}: {text: string}) {
  return <div dangerouslySetInnerHTML={{__html: text}} />
}
