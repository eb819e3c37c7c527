/**
 * The head of the style sheets of the studio and of reports. Colours are light, then dark, by the reader's choice, which `data-theme` of the
 * root overrides. `accent` is for what can be acted on or is chosen, `good` and `bad` are for what the doctor and the solver say, `edge` is
 * for borders of controls. Texts have a contrast of at least 4.5 in both schemes.
 */
export const commonStyle = `
:root {
  color-scheme: light dark;
  --ground: light-dark(#ffffff, #15181b);
  --panel: light-dark(#f6f7f8, #1b1f23);
  --raised: light-dark(#ffffff, #262b30);
  --line: light-dark(#d9dde1, #343b42);
  --edge: light-dark(#78838d, #7f8a94);
  --text: light-dark(#1c2126, #e4e7ea);
  --soft: light-dark(#55606b, #a9b3bc);
  --accent: light-dark(#0a5c8f, #7fc0ee);
  --on-accent: light-dark(#ffffff, #10202c);
  --mark: light-dark(#e3eff7, #1f3444);
  --bar: light-dark(#7fb2d3, #3b79a3);
  --good: light-dark(#00664d, #6fd0b0);
  --bad: light-dark(#a3410f, #f2a27a);
  --on-bad: light-dark(#ffffff, #2a1206);
  --shadow: light-dark(rgb(28 33 38 / 0.16), rgb(0 0 0 / 0.6));
  --sans: system-ui, -apple-system, 'Segoe UI', 'Helvetica Neue', Arial, sans-serif;
  --mono: ui-monospace, 'SF Mono', Menlo, Consolas, 'Liberation Mono', monospace;
  --t-small: 0.78125rem; --t-work: 0.875rem; --t-read: 1rem; --t-title: 1.25rem; --t-figure: 1.625rem;
  --s1: 0.25rem; --s2: 0.5rem; --s3: 0.75rem; --s4: 1rem; --s5: 1.5rem; --s6: 2rem;
  --round: 5px; --row: 2rem; --status-bar: 2.5rem;
}
:root[data-theme='light'] { color-scheme: light; }
:root[data-theme='dark'] { color-scheme: dark; }

*, *::before, *::after { box-sizing: border-box; }
html { -webkit-text-size-adjust: 100%; }
body { margin: 0; background: var(--ground); color: var(--text); overflow-wrap: break-word; }
a { color: var(--accent); text-decoration-thickness: 1px; text-underline-offset: 0.2em; }
a:hover { text-decoration-thickness: 2px; }
button, input, select { font: inherit; color: inherit; }
[hidden] { display: none !important; }
.unseen, .studio caption { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); white-space: nowrap; }
.soft, .quiet { color: var(--soft); }
.good { color: var(--good); }
.bad { color: var(--bad); }
.n { text-align: right; }
.skip { position: absolute; left: -100rem; top: 0.5rem; padding: var(--s2) var(--s4); background: var(--ground); border: 1px solid var(--edge); border-radius: var(--round); z-index: 9; }
.skip:focus { left: 0.5rem; }

/* ---- tables, and what stands in them ---- */
table { border-collapse: collapse; font-variant-numeric: tabular-nums; }
th, td { text-align: left; border-bottom: 1px solid var(--line); }
thead th { color: var(--soft); vertical-align: bottom; }
tbody th { font-weight: 500; }
th.n, td.n { text-align: right; }
.link { border: 0; padding: 0.15rem 0; min-height: 1.5rem; min-width: 1.5rem; background: none; color: var(--accent); text-align: left; text-decoration: underline 1px; text-underline-offset: 0.2em; cursor: pointer; }
.link:hover { text-decoration-thickness: 2px; }
thead .link { font: inherit; color: inherit; text-align: inherit; text-decoration: underline dotted; padding: 0; }
[aria-sort] .link { color: var(--text); font-weight: 650; }
[aria-sort] .link::after { content: ' ▾'; }
[aria-sort='ascending'] .link::after { content: ' ▴'; }
.bar { display: inline-block; width: 3.5rem; height: 0.6rem; vertical-align: -0.02em; margin-right: var(--s2); background: var(--panel); }
.bar .part { fill: var(--bar); }
.best { font-weight: 700; color: var(--good); white-space: nowrap; }
.best::before { content: '▴'; font-size: 0.7em; margin-right: 0.3em; }
.level::before { content: '≈'; color: var(--soft); margin-right: 0.3em; }
.range { font-size: var(--t-small); white-space: nowrap; }
/* What the doctor says of something. */
.severity { display: inline-block; font-size: var(--t-small); line-height: 1.25rem; font-weight: 600; padding: 0 0.4rem; border-radius: 3px; border: 1px solid currentColor; white-space: nowrap; }
.severity.fault { background: var(--bad); border-color: var(--bad); color: var(--on-bad); }
.severity.warning { color: var(--bad); }
.severity.note { color: var(--soft); }
.neighbours li::before { content: '+'; font-weight: 700; color: var(--good); }
.neighbours .apart::before { content: '−'; color: var(--bad); }
.more > summary { cursor: pointer; color: var(--accent); }

/* ---- pictures: charts are drawn on white, which dark pages turn round; a network has the colours of its page ---- */
.picture > svg, .chart svg { display: block; max-width: 100%; height: auto; }
@media screen and (prefers-color-scheme: dark) { :root:not([data-theme='light']) :is(.picture > svg, .chart svg) { filter: invert(0.92) hue-rotate(180deg); } }
@media screen { :root[data-theme='dark'] :is(.picture > svg, .chart svg) { filter: invert(0.92) hue-rotate(180deg); } }
.network { overflow: auto; overscroll-behavior: contain; max-height: 75vh; }
.network svg { display: block; margin: 0 auto; height: auto; }
.network svg:not(.zoomed) { max-width: max(100%, 44rem); }
.network svg.low:not(.zoomed) { max-height: 74vh; }
.network .paper { fill: none; }
.network text { fill: var(--text); }
.network text.soft { fill: var(--soft); }
.network .node { cursor: pointer; outline: none; }
.network .node a { outline: none; }
.network .node path { fill: var(--panel); stroke: var(--edge); }
.network .positive path { stroke: var(--good); }
.network .negative path { stroke: var(--bad); }
.network :is(.forbidden, .none) :is(path, polygon, polyline) { stroke: var(--soft); }
.network .forbidden polygon { fill: var(--soft); }
.network .positive polygon { fill: var(--good); stroke: var(--good); }
.network .negative polygon { fill: var(--bad); stroke: var(--bad); }
.network :is(.positive text, tspan.positive) { fill: var(--good); }
.network :is(.negative text, tspan.negative) { fill: var(--bad); }
.network .edge.near path, .network .node.near path { stroke: var(--accent); }
.network .node.chosen path { fill: var(--mark); stroke: var(--accent); stroke-width: 2.5; }
.network .node.chosen text { font-weight: 700; }
.network .node:is(:hover, :focus-visible, :has(:focus-visible)) path { stroke: var(--accent); stroke-width: 3.5; }
.network .searching .node:not(.hit) { opacity: 0.25; }
@media (forced-colors: active) {
  .bar, .bar * { forced-color-adjust: none; }
  .bar { background: Canvas; outline: 1px solid CanvasText; }
  .bar .part { fill: CanvasText; }
  .network path { forced-color-adjust: none; stroke: CanvasText !important; }
  .network .node path { fill: Canvas !important; }
  .network .node:is(.chosen, :focus-visible, :has(:focus-visible)) path { stroke: Highlight !important; }
  .network text { fill: CanvasText; }
}
`
