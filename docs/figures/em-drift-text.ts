import {type DriftRun, type Method, methods} from './em-drift-measure.ts'
import {type DriftSummary, type Measure, type Spread, summarize} from './em-drift-summary.ts'
import type {ConceptDrift} from './em-drift-words.ts'

const SHOWN_STEPS = [0, 1, 2, 3, 5, 7, 9]
const LAST_STEP = 9

/** The page: what comes of it, step by step, and the words. */
export function page(runs: readonly DriftRun[]): string {
  const summaries = summarize(runs)
  return `# EM drifts, refinement does not

Made by \`npx tsx docs/figures/em-drift.ts FILE.jsonl.gz...\`; the paper's figure on the degradation of EM. Documents with at least two of the 200 commonest
tags, three quarters for training by a hash of the key (at most 8,000), the rest held out; anchors: the 50 commonest tags' own names in the title, for
chest-xray its lists of words, for npm-packages in title or text; concepts whose anchor fires in at least 5% of the documents that have them and three times as often
as in the others; rates from the training tags. No other tag is used in training. *generated*: 8,000 documents drawn from a random model of 20 concepts and
200 words. Predictions are those of the noisy-or links. Mean over the splits, in brackets its standard error in thousandths; a single split
has none, and differences below a point are chance there.

${table(['corpus', 'splits', 'training documents', 'concepts', 'words'], summaries.map(sizeRow))}

![accuracy, average precision and bound by step](em-drift.svg)

## Outcome

Accuracy of the last tag / macro average precision of held-out documents. EM: after 9 steps. \`refine\`: steps and strength of words that it chose without
tags, split by split.

${table(['corpus', 'anchors alone', 'robust start', 'EM', 'refine', 'chosen', 'paper start', 'EM'], summaries.map(outcomeRow))}

## Step by step

The path of \`refine\` is held to its start, and its words have the strength that it chose; its bound is that before words are weakened. Where it stops is in the table above.

${summaries.map(stepTable).join('\n\n')}

## Words

Of a concept's first ten words, those that are still among its first ten, on average over the concepts:

${table(['corpus', 'EM, robust start', 'EM, paper start', 'refine'], summaries.map(keptRow))}

The first ten words of three concepts, first split: of the twenty commonest concepts, those that lose most of their words to EM (from the robust start, 9 steps). New words are bold;
words of the title begin with \`title:\`.

${summaries
  .filter(({corpus}) => corpus !== 'generated')
  .map(wordTable)
  .join('\n\n')}

## Reading

${reading(summaries)}
`
}

function sizeRow({corpus, runs}: DriftSummary): string[] {
  const sizes = (of: (run: DriftRun) => number) => [...new Set(runs.map(of))].sort((a, b) => a - b)
  const range = (of: (run: DriftRun) => number) => {
    const found = sizes(of)
    return found.length === 1 ? String(found[0]) : `${found[0]} to ${found[found.length - 1]}`
  }
  return [corpus, String(runs.length), range(run => run.documents), range(run => run.concepts), range(run => run.words)]
}

function outcomeRow({corpus, runs, paths, refined, anchorsOnly}: DriftSummary): string[] {
  const chosen = runs.map(({chosen: {step, strength}}) => `${step} at ${strength}`)
  return [
    corpus,
    both(anchorsOnly),
    both(paths['EM, robust start'][0]),
    both(paths['EM, robust start'][LAST_STEP]),
    `**${both(refined)}**`,
    [...new Set(chosen)].join(', '),
    both(paths['EM, paper start'][0]),
    both(paths['EM, paper start'][LAST_STEP])
  ]
}

function stepTable({corpus, paths}: DriftSummary): string {
  const measures: readonly [Measure, string, (spread: Spread) => string][] = [
    ['lastTag', 'last tag', thousandths],
    ['averagePrecision', 'average precision', thousandths],
    ['bound', 'bound', ({mean}) => mean.toFixed(2)]
  ]
  const row = (method: Method) =>
    measures.map(([measure, text, show]) => [
      `${method}: ${text}`,
      ...SHOWN_STEPS.map(step => show(paths[method][step][measure]))
    ])
  return `### ${corpus}\n\n${table(['step', ...SHOWN_STEPS.map(String)], methods.flatMap(row))}`
}

function keptRow({corpus, kept}: DriftSummary): string[] {
  return [corpus, ...methods.map(method => kept[method].mean.toFixed(1))]
}

function wordTable({corpus, runs}: DriftSummary): string {
  const rows = runs[0].drift.map(({concept, before, after, refined}: ConceptDrift) => {
    const known = new Set(before)
    const shown = (words: readonly string[]) =>
      words.map(word => (known.has(word) ? wordText(word) : `**${wordText(word)}**`)).join(', ')
    return [cell(concept), shown(before), shown(after), shown(refined)]
  })
  return `### ${corpus}\n\n${table(['concept', 'before', 'after 9 steps of EM', 'refined'], rows)}`
}

/** What the numbers say, in sentences made of them. */
function reading(summaries: readonly DriftSummary[]): string {
  const real = summaries.filter(({corpus}) => corpus !== 'generated')
  const change = ({paths}: DriftSummary, method: Method, measure: Measure) =>
    paths[method][LAST_STEP][measure].mean - paths[method][0][measure].mean
  const points = (value: number) => `${value >= 0 ? '+' : ''}${(100 * value).toFixed(1)}`
  const told = (of: (summary: DriftSummary) => number) =>
    real.map(summary => `${points(of(summary))} (${summary.corpus})`).join(', ')
  const gain = ({paths, refined}: DriftSummary, measure: Measure) =>
    refined[measure].mean - paths['EM, robust start'][0][measure].mean
  const behind = real.filter(({refined, anchorsOnly}) => refined.lastTag.mean < anchorsOnly.lastTag.mean)
  const made = summaries.filter(({corpus}) => corpus === 'generated')
  const risen = real.filter(summary => change(summary, 'EM, robust start', 'bound') > 0).length
  return [
    `- **EM drifts on real text.** From the robust start, 9 steps change last-tag accuracy by ${told(summary => change(summary, 'EM, robust start', 'lastTag'))} points ` +
      `and average precision by ${told(summary => change(summary, 'EM, robust start', 'averagePrecision'))}, while the bound rises on ${risen} of ${real.length} corpora.`,
    `- **From the paper's start** accuracy changes by ${told(summary => change(summary, 'EM, paper start', 'lastTag'))}.`,
    `- **\`refine\`** changes its start by ${told(summary => gain(summary, 'lastTag'))} points of last-tag accuracy and ` +
      `${told(summary => gain(summary, 'averagePrecision'))} of average precision.`,
    ...behind.map(
      ({corpus}) =>
        `- On ${corpus} anchors alone, without words, are still better at the last tag than the refined links.`
    ),
    ...made.map(
      summary =>
        `- **Where the model holds** (generated) EM is right: ${points(change(summary, 'EM, robust start', 'lastTag'))} points of accuracy, ` +
        `${points(change(summary, 'EM, robust start', 'averagePrecision'))} of average precision; \`refine\`, which is careful, ${points(gain(summary, 'lastTag'))} and ${points(gain(summary, 'averagePrecision'))}.`
    )
  ].join('\n')
}

function both({lastTag, averagePrecision}: {readonly lastTag: Spread; readonly averagePrecision: Spread}): string {
  return `${thousandths(lastTag)} / ${thousandths(averagePrecision)}`
}

function thousandths({mean, error}: Spread): string {
  const value = mean.toFixed(3).replace(/^0/, '')
  return error === 0 ? value : `${value} (${Math.round(1000 * error)})`
}

function wordText(word: string): string {
  return cell(word.replace(/^text:/, ''))
}

function cell(text: string): string {
  return text.replace(/[|*_`<\\]/g, sign => `\\${sign}`)
}

function table(header: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]) => `| ${cells.join(' | ')} |`
  return [line(header), line(header.map(() => '---')), ...rows.map(line)].join('\n')
}
