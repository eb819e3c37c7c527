import {commonStyle} from '../present/index.ts'

/**
 * CSS of every page: one column of text, contents beside it where there is room, light and dark by the reader's choice, and
 * a plain print version. Text has a contrast of at least 4.5 in both schemes (a test measures it in a real browser).
 */
export const pageStyle = `${commonStyle}
:root { --paper: light-dark(#ffffff, #141414); }
html { scroll-behavior: smooth; scroll-padding-top: 1rem; }
@media (prefers-reduced-motion: reduce) { html { scroll-behavior: auto; } }
body { font: var(--t-read)/1.6 var(--sans); }
:focus-visible { outline: 3px solid var(--accent); outline-offset: 2px; border-radius: 2px; }
.page { max-width: 78rem; margin: 0 auto; padding: 2.5rem 1.5rem 4rem; }
header { max-width: 52rem; }
h1 { font-size: 2rem; line-height: 1.2; letter-spacing: -0.015em; margin: 0 0 0.75rem; font-weight: 650; }
h2 { font-size: 1.4rem; line-height: 1.3; margin: 0 0 1rem; font-weight: 650; letter-spacing: -0.01em; }
h3 { font-size: 1.1rem; line-height: 1.35; margin: 1.75rem 0 0.5rem; font-weight: 650; }
h4 { font-size: 0.95rem; margin: 1.25rem 0 0.35rem; font-weight: 650; }
p, ul, ol, dl { margin: 0 0 1rem; max-width: 44rem; }
li { margin: 0.15rem 0; }
.lead { font-size: 1.1rem; color: var(--soft); max-width: 44rem; }
main > section { margin: 3rem 0 0; padding-top: 0.5rem; border-top: 1px solid var(--line); }
section > h2 { margin-top: 1rem; }
nav.contents { margin-top: 1.5rem; font-size: 0.95rem; }
nav.contents h2 { font-size: 0.95rem; margin: 0 0 0.25rem; color: var(--soft); font-weight: 600; letter-spacing: 0; }
nav.contents ol { list-style: none; margin: 0; padding: 0; display: flex; flex-wrap: wrap; gap: 0.15rem 1.25rem; }
nav.contents a { display: inline-block; padding: 0.2rem 0; }
@media (min-width: 66rem) {
  .page { display: grid; grid-template-columns: 13rem minmax(0, 1fr); column-gap: 3.5rem; }
  header { grid-column: 2; }
  main { grid-column: 2; grid-row: 2; }
  nav.contents { grid-column: 1; grid-row: 1 / span 2; position: sticky; top: 2.5rem; align-self: start; margin-top: 0.4rem; max-height: calc(100vh - 4rem); overflow: auto; }
  nav.contents ol { display: block; }
  nav.contents a { text-decoration: none; }
  nav.contents a:hover { text-decoration: underline; }
}
table { min-width: min(100%, 22rem); font-size: var(--t-work); line-height: 1.45; }
caption { text-align: left; color: var(--soft); padding: 0 0 0.5rem; font-size: 0.95rem; max-width: 44rem; }
th, td { vertical-align: top; padding: 0.35rem 1.1rem 0.35rem 0; }
thead th { font-weight: 600; border-bottom-width: 2px; }
th:last-child, td:last-child { padding-right: 0.25rem; }
.figure { text-align: right; }
.scroll { overflow-x: auto; position: relative; margin: 0 0 1.5rem; }
figure { margin: 1.5rem 0; }
.picture { background: var(--paper); color: #1c2126; }
.picture > svg { margin: 0 auto; }
.picture, .network { border: 1px solid var(--line); border-radius: var(--round); padding: var(--s3); overflow: auto; }
figcaption { color: var(--soft); font-size: 0.92rem; margin-top: 0.5rem; max-width: 44rem; }
code { font: 0.9em var(--mono); background: var(--panel); padding: 0.1em 0.3em; border-radius: 3px; overflow-wrap: anywhere; }
button { white-space: nowrap; background: var(--panel); border: 1px solid var(--edge); border-radius: var(--round); padding: 0.3rem 0.75rem; min-height: 2.25rem; cursor: pointer; }
button:hover { border-color: var(--accent); }
input { background: var(--ground); border: 1px solid var(--edge); border-radius: var(--round); padding: 0.4rem 0.7rem; min-height: 2.5rem; }
@media (max-width: 40rem) {
  .page { padding: 1.5rem 1rem 3rem; }
  h1 { font-size: 1.6rem; }
  main > section { margin-top: 2.25rem; }
  nav.contents ol { display: block; }
  nav.contents a { padding: 0.35rem 0; }
  .picture, .network { padding: 0.25rem; }
  caption { max-width: calc(100vw - 2rem); }
}
.picture.narrow { display: none; }
@media screen and (max-width: 40rem) {
  .picture.wide { display: none; }
  .picture.narrow { display: block; }
}
@media print {
  :root, :root[data-theme] {
    color-scheme: light;
    --panel: #ffffff; --line: #c4c9ce; --text: #000000; --soft: #3d464e; --accent: #000000; --mark: #ffffff;
    --good: #00503c; --bad: #803000; --bar: #9db9cb;
  }
  @page { margin: 14mm 14mm; }
  html { font-size: 8.5pt; }
  body { line-height: 1.45; }
  table { font-size: 0.85rem; }
  th, td { padding-right: 0.6rem; }
  .page { display: block; max-width: none; padding: 0; }
  .skip, nav.contents, button:not(.link), .controls { display: none !important; }
  a { text-decoration: none; }
  h2, h3, h4, caption { break-after: avoid; }
  figure, tr { break-inside: avoid; }
  .scroll, .picture, .network { overflow: visible; }
  .picture, .network { border: 0; padding: 0; }
  :is(.picture, .network) > svg { max-height: 240mm; }
  main > section { margin-top: 1.5rem; }
}
`

/** CSS for what only reports have: the network, the cards, the search box. */
export const reportStyle = `
.tiles { list-style: none; padding: 0; margin: 0 0 1.5rem; display: flex; flex-wrap: wrap; gap: 0.75rem 2.5rem; max-width: none; }
.tiles li { color: var(--soft); font-size: 0.92rem; margin: 0; }
.tiles b { display: block; font-size: var(--t-figure); line-height: 1.2; font-weight: 650; color: var(--text); font-variant-numeric: tabular-nums; }
main ul { padding-left: 1.2rem; }
.controls { margin: 0 0 1rem; }
.network-controls { display: flex; flex-wrap: wrap; gap: 0.5rem; align-items: center; }
.network-controls p { flex-basis: 100%; margin: 0; font-size: 0.92rem; }
.search { display: grid; grid-template-columns: minmax(0, 26rem) auto 1fr; gap: 0.35rem 0.75rem; align-items: center; }
.search label, .search p { grid-column: 1 / -1; margin: 0; }
.search label { font-weight: 600; }
.card { border: 1px solid var(--line); border-radius: var(--round); margin: 0 0 0.6rem; background: var(--ground); scroll-margin-top: 1rem; }
.card > summary { display: flex; flex-wrap: wrap; align-items: baseline; gap: 0.15rem 1rem; padding: 0.6rem 1rem; cursor: pointer; list-style: none; border-radius: var(--round); }
.card > summary::-webkit-details-marker { display: none; }
.card > summary::before { content: '›'; color: var(--soft); width: 0.5rem; display: inline-block; }
.card[open] > summary::before { transform: rotate(90deg); }
.card > summary:hover { background: var(--panel); }
.card h3 { margin: 0; font-size: 1.05rem; overflow-wrap: anywhere; }
.card .share { color: var(--soft); font-variant-numeric: tabular-nums; }
.card .why { color: var(--soft); font-style: italic; overflow-wrap: anywhere; }
.card .body { display: grid; grid-template-columns: minmax(0, 1fr); gap: 0 2.5rem; padding: 0.25rem 1rem 0.75rem 2.5rem; }
.card .body h4:first-child { margin-top: 0; }
.card .findings, .card .back { grid-column: 1 / -1; }
.card .back { margin: 0.5rem 0 0; font-size: 0.92rem; }
.card p { margin-bottom: 0.6rem; }
.card table { width: 100%; min-width: 0; margin: 0 0 1rem; table-layout: auto; }
.card th, .card td { padding: 0.2rem 0.75rem 0.2rem 0; }
.card thead th { font-size: var(--t-small); font-weight: 500; border-bottom-width: 1px; }
.card tbody th { min-width: 6rem; overflow-wrap: anywhere; }
.card td { white-space: nowrap; }
.card td .range { display: block; }
.hit { background: var(--mark); box-shadow: 0 0 0 2px var(--mark); }
#doctor ul, .card ul { padding-left: 0; list-style: none; }
#doctor li, .card li { margin: 0.6rem 0; }
.warning { color: var(--bad); }
.more { margin: 0 0 0.75rem; }
.more dl { margin: 0.5rem 0 1rem; display: grid; grid-template-columns: auto minmax(0, 1fr); gap: 0.25rem 1.25rem; font-size: 0.95rem; }
.more dt { font-weight: 600; }
.more dd { margin: 0; }
@media (min-width: 56rem) {
  .card .body { grid-template-columns: minmax(0, 1fr) minmax(0, 1fr); }
}
@media (max-width: 40rem) {
  .card .body { padding: 0.25rem 1rem 0.75rem; }
  .search { grid-template-columns: 1fr auto; }
  .more dl { grid-template-columns: minmax(0, 1fr); gap: 0; }
  .more dd { margin: 0 0 0.5rem; }
  .bar { width: 2.25rem; margin-right: 0.35rem; }
  .card table:has([data-name='in all documents']) :is(th, td):nth-child(3) { display: none; }
}
@media (forced-colors: active) {
  .picture { forced-color-adjust: none; }
}
@media print {
  .card { break-inside: avoid; border-color: var(--line); }
  .card > summary::before { content: none; }
  .card th, .card td { padding-top: 0.1rem; padding-bottom: 0.1rem; }
  .card .body { grid-template-columns: minmax(0, 1fr) minmax(0, 1fr); padding: 0 0.75rem 0.5rem; }
  details::details-content { content-visibility: visible; display: block; block-size: auto; height: auto; }
  .network { max-height: none; }
  .network > svg.zoomed { max-width: 100%; }
  .network :is(.node, .edge) { opacity: 1 !important; }
  .bar, .severity { print-color-adjust: exact; -webkit-print-color-adjust: exact; }
}
`
