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

Made by \`npx tsx research/figures/noise-rates.ts FILE.jsonl.gz...\`. Documents with at least two of the 200 commonest tags, three
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

## Reading

${reading(figures, corpora)}
`
}

/** What the numbers say, in sentences made of them. */
function reading(figures: readonly Figure[], corpora: readonly string[]): string {
  const of = (corpus: string, method: string, labels: number) =>
    figures.find(figure => figure.corpus === corpus && figure.method === method && figure.labels === labels) as Figure
  const losses = (method: string, labels: number) =>
    corpora
      .map(corpus => ({corpus, points: 100 * (of(corpus, 'exact', 0).lastTag - of(corpus, method, labels).lastTag)}))
      .sort((a, b) => b.points - a.points)
  const told = (method: string, labels: number) =>
    losses(method, labels)
      .map(({corpus, points}) => `${points.toFixed(1)} (${corpus})`)
      .join(', ')
  const worse = losses('auto', 0).filter(({points}) => points > 2)
  const factor = (corpus: string, labels: number) => Math.exp(of(corpus, 'auto', labels).prevalenceError).toFixed(1)
  return [
    `- **Last tag, points lost against exact rates** (below 0: gained). 100 labelled documents, \`auto\`: ${told('auto', 100)}. 200: ${told('auto', 200)}. ` +
      `Each concept by itself, 100: ${told('each concept by itself', 100)}.`,
    `- **Without labels** (\`auto\`, which is a guess then): ${told('auto', 0)}. So label-free is not good enough, by this task, for ` +
      `${worse.map(({corpus}) => corpus).join(', ') || 'none of these'}.`,
    `- **Prevalence** without labels is off by a factor of ${corpora.map(corpus => `${factor(corpus, 0)} (${corpus})`).join(', ')}, with 200 labelled documents ` +
      `${corpora.map(corpus => factor(corpus, 200)).join(', ')}. Whoever wants to know how common a concept is needs labels, on every corpus.`,
    '- `positive-only` and `irreducible` as the paper describes them are no way to rates of text: the words do not settle the concept, and they ' +
      'depend on the anchor. Their intervals, which are right where their assumptions hold, hold the truth far too seldom here.',
    '- Where a number is below 0, wrong rates predict better than exact ones: what the rates are and what the model makes of them are two matters.'
  ].join('\n')
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
