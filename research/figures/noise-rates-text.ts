import type {Figure} from './noise-rates-measure.ts'

/** The page: errors, then their effect, by corpus. */
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
quarters for training by a hash of the key; anchors: the names of the 50 commonest tags in the title (or where stated), for chest-xray its word
lists, without negation; concepts whose anchor fires in at least 5% of the documents that have them, three times as often as in the others, and in 30
documents. Labelled documents are drawn at random from the training documents (10 draws; predictions: 3 of them).
${sizes.join('; ')}.

## Errors

Root mean square error of log P(A)/p, capped at 0.98 as in learning (coverage of the 90% intervals); in square brackets the share of the
concepts that have an estimate, where not all do. "auto" takes the pooled estimate, or without labels the guess and the words; its rows were measured when it still weighted in the members of an anchor.

${table(errorCell)}

## Effect on predictions

Accuracy of the last tag / mean log-likelihood of the tags / mean average precision of held-out documents, robust preset. Concepts
without an estimate get the mean of the others.

${table(({lastTag, logLikelihood, averagePrecision}) => `${short(lastTag)} / ${logLikelihood.toFixed(2)} / ${short(averagePrecision)}`)}

![accuracy against labels](noise-rates.svg)

## Reading

${reading(figures, corpora)}
`
}

/** Sentences built from the numbers. */
function reading(figures: readonly Figure[], corpora: readonly string[]): string {
  const of = (corpus: string, method: string, labels: number) =>
    figures.find(figure => figure.corpus === corpus && figure.method === method && figure.labels === labels) as Figure
  const losses = (method: string, labels: number) =>
    corpora
      .map(corpus => ({corpus, points: 100 * (of(corpus, 'exact', 0).lastTag - of(corpus, method, labels).lastTag)}))
      .sort((a, b) => b.points - a.points)
  const lossList = (method: string, labels: number) =>
    losses(method, labels)
      .map(({corpus, points}) => `${points.toFixed(1)} (${corpus})`)
      .join(', ')
  const worse = losses('auto', 0).filter(({points}) => points > 2)
  const factor = (corpus: string, labels: number) => Math.exp(of(corpus, 'auto', labels).prevalenceError).toFixed(1)
  return [
    `- **Last tag, points lost against exact rates** (below 0: gained). 100 labelled documents, \`auto\`: ${lossList('auto', 100)}. 200: ${lossList('auto', 200)}. ` +
      `Each concept separately, 100: ${lossList('each concept by itself', 100)}.`,
    `- **Without labels** (\`auto\`, then a guess): ${lossList('auto', 0)}. By this task, label-free rates are not good enough for ` +
      `${worse.map(({corpus}) => corpus).join(', ') || 'none of these'}.`,
    `- **Prevalence** without labels is off by a factor of ${corpora.map(corpus => `${factor(corpus, 0)} (${corpus})`).join(', ')}, with 200 labelled documents ` +
      `${corpora.map(corpus => factor(corpus, 200)).join(', ')}. Estimating how common a concept is requires labels, on every corpus.`,
    '- `positive-only` and `irreducible`, as the paper describes them, do not work on text: the words do not determine the concept, and they ' +
      'depend on the anchor. Their intervals, correct where their assumptions hold, cover far too seldom here.',
    '- Where a number is below 0, wrong rates predict better than exact ones: better rates do not always mean better predictions.'
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
