/**
 * Errors of noise rates on real text, by estimator and number of labelled documents, and their effect on predictions, judged by
 * the rows' tags. Results are kept in noise-rates.json, from which noise-rates.md and noise-rates.svg are made.
 *
 * Command: npx tsx research/figures/noise-rates.ts FILE.jsonl.gz... [--fields title,text] [--anchors FILE] [--draws 10] [--min-tags 2]
 */
import {readFileSync, writeFileSync} from 'node:fs'
import {parseArgs} from 'node:util'
import {drawAccuracy} from './noise-rates-draw.ts'
import {type Figure, measureLabelled, measureUnlabelled, readProblem} from './noise-rates-measure.ts'
import {page} from './noise-rates-text.ts'

const {positionals, values} = parseArgs({
  allowPositionals: true,
  options: {
    fields: {type: 'string', default: 'title'},
    anchors: {type: 'string'},
    draws: {type: 'string', default: '10'},
    'min-tags': {type: 'string', default: '2'}
  }
})
const LABELS = [50, 100, 200, 400]
const kept = new URL('noise-rates.json', import.meta.url)

for (const path of positionals) {
  const problem = await readProblem(path, values.fields.split(','), Number(values['min-tags']), values.anchors)
  const figures = [
    ...(await measureUnlabelled(problem)),
    ...LABELS.flatMap(labels => measureLabelled(problem, labels, Number(values.draws)))
  ]
  const others = read().filter(({corpus}) => corpus !== problem.corpus)
  writeFileSync(kept, `${JSON.stringify([...others, ...figures], null, 1)}\n`)
  process.stderr.write(`${problem.corpus} done\n`)
}
writeFileSync(new URL('noise-rates.md', import.meta.url), page(read()))
writeFileSync(new URL('noise-rates.svg', import.meta.url), drawAccuracy(read()))

function read(): Figure[] {
  try {
    return JSON.parse(readFileSync(kept, 'utf8')) as Figure[]
  } catch {
    return []
  }
}
