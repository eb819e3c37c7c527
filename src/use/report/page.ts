import {type HtmlPart, html, Markup} from './html.ts'
import {pageStyle} from './page-style.ts'

/** A part of a page; its id is what links and the table of contents go to. */
export interface Section {
  readonly id: string
  readonly title: string
  readonly html: Markup
}

export interface Page {
  readonly title: string
  /** What the page says, in a sentence or a few. */
  readonly lead: HtmlPart
  readonly sections: readonly Section[]
  /** Plain JavaScript for the end of the page, which has to be readable without. */
  readonly script?: string
  /** Style beside that of every page. */
  readonly style?: string
}

/** Nothing is fetched, sent or framed; what the page needs stands in it. */
const POLICY =
  "default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'; img-src data:; base-uri 'none'; form-action 'none'"

/** One HTML file that needs nothing else: shell, style, way to the content, contents, sections. Same page, same bytes. */
export function renderPage({title, lead, sections, script, style = ''}: Page): string {
  const page = html`<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${new Markup(POLICY)}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="generator" content="adfa">
<title>${title}</title>
<style>${new Markup(pageStyle + style)}</style>
</head>
<body>
<a class="skip" href="#content">Skip to the content</a>
<div class="page">
<header>
<h1>${title}</h1>
${lead === '' ? undefined : html`<div class="lead">${lead}</div>`}
</header>
${contents(sections)}
<main id="content" tabindex="-1">
${sections.map(sectionHtml)}</main>
</div>
${script === undefined ? undefined : html`<script>${new Markup(script)}</script>\n`}</body>
</html>
`
  return page.text
}

function contents(sections: readonly Section[]): HtmlPart {
  if (sections.length < 2) return undefined
  return html`<nav class="contents" aria-labelledby="contents-title">
<h2 id="contents-title">Contents</h2>
<ol>
${sections.map(({id, title}) => html`<li><a href="#${id}">${title}</a></li>\n`)}</ol>
</nav>`
}

function sectionHtml({id, title, html: body}: Section): Markup {
  return html`<section id="${id}" aria-labelledby="${id}-title">
<h2 id="${id}-title">${title}</h2>
${body}
</section>
`
}
