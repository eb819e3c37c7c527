import type {Figure} from './noise-rates-measure.ts'

/** The page: errors, then what they do, by corpus. */
export function page(figures: readonly Figure[]): string {
  const corpora = [...new Set(figures.map(({corpus}) => corpus))]
  const rows = rowsOf(figures)
  const table = (cell: (figure: Figure) => string) =>
    [
      `| rates from | labels | ${corpora.join(' | ')} |`,
      `| --- | --- | ${corpora.map(() => '---').join(' | ')} |`,
      ...rows.map(({method, labels}) => {
        const cells = corpora.map(corpus => {
          const found = figures.find(f => f.corpus === corpus && f.method === method && f.labels === labels)
          return found === undefined || !Number.isFinite(found.rmsError) ? '-' : cell(found)
        })
        return `| ${method} | ${labels === 0 ? '-' : labels} | ${cells.join(' | ')} |`
      })
    ].join('\n')
  const sizes = corpora.map(corpus => {
    const {concepts, documents} = figures.find(figure => figure.corpus === corpus) as Figure
    return `${corpus}: ${documents} training documents, ${concepts} concepts`
  })
  return `# Noise rates on real text

Made by \`npx tsx docs/figures/noise-rates.ts FILE.jsonl.gz...\`. Documents with at least two of the 200 commonest tags, three
quarters for training by a hash of the key; anchors: the 50 commonest tags' own names in the title (or where it is said), for chest-xray its lists of
words, without negation; concepts whose anchor fires in at least 5% of the documents that have them, three times as often as in the others, and in 30
documents. Labelled documents are drawn at random from the training documents (10 draws; predictions: 3 of them).
${sizes.join('; ')}.

## Errors

Root mean square error of log P(A)/p, held at 0.98 as learning does (share of the 90% intervals that hold the truth); in square brackets the share of the
concepts that have an estimate, where that is not all. "auto" weighs all that apply.

${table(errorCell)}

## What they do to predictions

Accuracy of the last tag / mean log-likelihood of the tags / mean average precision of held-out documents, robust preset. Concepts
without an estimate get the mean of the others.

${table(({lastTag, logLikelihood, averagePrecision}) => `${short(lastTag)} / ${logLikelihood.toFixed(2)} / ${short(averagePrecision)}`)}

![accuracy against labels](noise-rates.svg)
`
}

function errorCell({rmsError, coverage, available}: Figure): string {
  return (
    short(rmsError) +
    (coverage === undefined ? '' : ` (${short(coverage)})`) +
    (available === 1 ? '' : ` [${short(available)}]`)
  )
}

/** Without labels first, then by number of labels. */
function rowsOf(figures: readonly Figure[]): {method: string; labels: number}[] {
  const seen = new Map(figures.map(({method, labels}) => [`${method} ${labels}`, {method, labels}]))
  return [...seen.values()].sort((a, b) => a.labels - b.labels)
}

function short(value: number): string {
  return value.toFixed(2).replace(/^0/, '')
}
