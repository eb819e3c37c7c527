/** The look of what only reports have: the network, the cards, the search box. */
export const reportStyle = `
.tiles { list-style: none; padding: 0; margin: 0 0 1.5rem; display: flex; flex-wrap: wrap; gap: 0.75rem 2.5rem; max-width: none; }
.tiles li { color: var(--soft); font-size: 0.92rem; margin: 0; }
.tiles b { display: block; font-size: 1.7rem; line-height: 1.2; font-weight: 650; color: var(--text); font-variant-numeric: tabular-nums; }
.cautions { padding-left: 1.2rem; }
.cautions li { margin: 0.4rem 0; }
.controls { margin: 0 0 1rem; }
.network-controls { display: flex; flex-wrap: wrap; gap: 0.5rem; align-items: center; }
.network-controls p { flex-basis: 100%; margin: 0; font-size: 0.92rem; }
.picture.live { overflow: hidden; padding: 0.75rem; touch-action: pan-y; user-select: none; cursor: default; }
.picture.live.zoomed { cursor: grab; touch-action: none; }
.picture.live > svg { width: 100%; max-width: none; }
.picture .node a { cursor: pointer; }
.picture .node a:hover path, .picture .node a:focus-visible path { stroke: #0a5c8f; stroke-width: 2; }
.picture .node a:focus-visible { outline: none; }
.picture .node a:focus-visible path { stroke-width: 3; }
.picture svg.choosing .node:not(.chosen):not(.near), .picture svg.choosing .edge:not(.near) { opacity: 0.2; }
.picture svg.searching .node:not(.hit) { opacity: 0.2; }
.picture .node.chosen path { stroke: #0a5c8f; stroke-width: 2.5; fill: #e3eff7; }
.search { display: grid; grid-template-columns: minmax(0, 26rem) auto 1fr; gap: 0.35rem 0.75rem; align-items: center; }
.search label, .search p { grid-column: 1 / -1; margin: 0; }
.search label { font-weight: 600; }
.card { border: 1px solid var(--line); border-radius: 6px; margin: 0 0 0.6rem; background: var(--ground); scroll-margin-top: 1rem; }
.card > summary { display: flex; flex-wrap: wrap; align-items: baseline; gap: 0.15rem 1rem; padding: 0.6rem 1rem; cursor: pointer; list-style: none; border-radius: 6px; }
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
.neighbours { padding-left: 0; list-style: none; }
.neighbours li { padding-left: 1.25rem; position: relative; margin: 0.35rem 0; }
.neighbours li::before { position: absolute; left: 0; content: '+'; font-weight: 700; color: var(--good); }
.neighbours .apart::before { content: '−'; color: var(--bad); }
table.words { width: 100%; margin: 0 0 1rem; table-layout: auto; }
table.words th, table.words td { padding: 0.2rem 0.75rem 0.2rem 0; }
table.words thead th { font-size: 0.82rem; font-weight: 500; border-bottom-width: 1px; }
table.words { min-width: 0; }
table.words tbody th { width: 45%; overflow-wrap: anywhere; }
.range { display: block; color: var(--soft); font-size: 0.85em; white-space: nowrap; }
table.words td { white-space: nowrap; }
.bar { display: inline-block; width: 3.5rem; height: 0.65rem; background: var(--panel); margin-right: 0.5rem; border-radius: 2px; overflow: hidden; }
.bar > span { display: block; height: 100%; background: var(--bar); }
.hit { background: var(--mark); box-shadow: 0 0 0 2px var(--mark); }
.severity { font-size: 0.82rem; font-weight: 600; padding: 0.1rem 0.45rem; border-radius: 3px; border: 1px solid currentColor; white-space: nowrap; }
.severity.fault, .severity.warning { color: var(--bad); }
.severity.fault { background: var(--bad); color: var(--ground); border-color: var(--bad); }
.severity.note { color: var(--soft); }
ul.findings, .findings ul { padding-left: 0; list-style: none; }
ul.findings li, .findings ul li { margin: 0.6rem 0; }
.warning { color: var(--bad); }
.best { font-weight: 700; color: var(--good); }
.more { margin: 0 0 0.75rem; }
.more summary { cursor: pointer; color: var(--accent); }
.more dl { margin: 0.5rem 0 1rem; display: grid; grid-template-columns: auto minmax(0, 1fr); gap: 0.25rem 1.25rem; font-size: 0.95rem; }
.more dt { font-weight: 600; }
.more dd { margin: 0; }
.sort { background: none; border: 0; padding: 0.25rem 0; min-height: 0; font-weight: 600; color: inherit; text-align: inherit; white-space: normal; text-decoration: underline dotted; text-underline-offset: 0.2em; }
[aria-sort='ascending'] .sort::after { content: ' ↑'; }
[aria-sort='descending'] .sort::after { content: ' ↓'; }
@media (min-width: 56rem) {
  .card .body { grid-template-columns: minmax(0, 1fr) minmax(0, 1fr); }
}
@media (max-width: 40rem) {
  .card .body { padding: 0.25rem 1rem 0.75rem; }
  .search { grid-template-columns: 1fr auto; }
  .more dl { grid-template-columns: minmax(0, 1fr); gap: 0; }
  .more dd { margin: 0 0 0.5rem; }
  .bar { width: 2.25rem; margin-right: 0.35rem; }
  table.words .often { display: none; }
}
@media print {
  .card { break-inside: avoid; border-color: var(--line); }
  .card > summary::before { content: none; }
  .sort { text-decoration: none; }
  table.words .often { display: none; }
  table.words th, table.words td { padding-top: 0.1rem; padding-bottom: 0.1rem; }
  .card .body { grid-template-columns: minmax(0, 1fr) minmax(0, 1fr); padding: 0 0.75rem 0.5rem; }
  details::details-content { content-visibility: visible; display: block; block-size: auto; height: auto; }
  .picture.live > svg { width: auto; max-width: 100%; height: auto !important; }
  .picture svg.choosing .node, .picture svg.choosing .edge, .picture svg.searching .node { opacity: 1 !important; }
  .bar, .bar > span, .severity { print-color-adjust: exact; -webkit-print-color-adjust: exact; }
}
`
