/**
 * Colours, sizes of type and spaces of every page, of reports and of the studio: the head of its style sheet. Colours are light,
 * then dark, by the reader's choice, which `data-theme` of the root overrides. `accent` is for what can be acted on or is chosen,
 * `good` and `bad` are for what the doctor and the solver say, `edge` is for borders of controls.
 */
export const tokens = `
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
  --round: 5px; --row: 2rem; --strip: 2.5rem;
}
:root[data-theme='light'] { color-scheme: light; }
:root[data-theme='dark'] { color-scheme: dark; }
`
