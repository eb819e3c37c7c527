/**
 * What EM does to a model that anchors have found (the paper's figure on degradation): last-tag accuracy, average precision
 * and the lower bound per step, from two starts, with `refine` beside them, and the words of the concepts that drift most.
 * `generated` stands for documents drawn from a model. Results are kept in em-drift.json, one entry a corpus and split;
 * em-drift.md and em-drift.svg are made from it.
 *
 * Command: npx tsx docs/figures/em-drift.ts [FILE.jsonl.gz | generated]... [--fields title] [--anchors FILE] [--seeds 0,1,2]
 */
import {readFileSync, writeFileSync} from 'node:fs'
import {parseArgs} from 'node:util'
import {generatedProblem, readDriftProblem} from './em-drift-data.ts'
import {drawDrift} from './em-drift-draw.ts'
import {type DriftRun, measureDrift} from './em-drift-measure.ts'
import {inOrder} from './em-drift-summary.ts'
import {page} from './em-drift-text.ts'

const {positionals, values} = parseArgs({
  allowPositionals: true,
  options: {
    fields: {type: 'string', default: 'title'},
    anchors: {type: 'string'},
    seeds: {type: 'string', default: '0,1,2'}
  }
})
const kept = new URL('em-drift.json', import.meta.url)

for (const path of positionals)
  for (const seed of values.seeds.split(',').map(Number)) {
    const problem =
      path === 'generated'
        ? generatedProblem(seed)
        : await readDriftProblem(path, values.fields.split(','), seed, values.anchors)
    const run = measureDrift(problem, seed)
    const others = read().filter(({corpus, seed}) => corpus !== run.corpus || seed !== run.seed)
    writeFileSync(kept, `${JSON.stringify(inOrder([...others, run]), null, 2)}\n`)
    process.stderr.write(`${run.corpus}, split ${seed} done\n`)
  }
const runs = read()
writeFileSync(new URL('em-drift.md', import.meta.url), page(runs))
writeFileSync(new URL('em-drift.svg', import.meta.url), drawDrift(runs))

function read(): DriftRun[] {
  try {
    return JSON.parse(readFileSync(kept, 'utf8')) as DriftRun[]
  } catch {
    return []
  }
}
