import {chooseCorpora, dataFolder, type QualityCorpus} from './corpora.ts'
import {type QualityProblem, readRows, splitProblem} from './problem.ts'

/** Something measured on each corpus. */
export interface Study {
  readonly head: readonly string[]
  /** The corpora, unless others are named on the command line; all of them if none are given. */
  readonly corpora?: readonly string[]
  rows(corpus: QualityCorpus): AsyncIterable<readonly (string | number)[]>
  /** The rows after those of all corpora. */
  last?(): AsyncIterable<readonly (string | number)[]>
}

/** Prints the table of the study that the command line names: `npx tsx research/quality/SCRIPT.ts STUDY [CORPUS...]`. */
export async function runStudy(studies: Readonly<Record<string, Study>>): Promise<void> {
  const [name = '', ...corpora] = process.argv.slice(2)
  const study = studies[name]
  if (study === undefined) throw new Error(`name a study: ${Object.keys(studies).join(', ')}`)
  const print = (cells: readonly (string | number)[]) => console.log(`| ${cells.join(' | ')} |`)
  print(study.head)
  print(study.head.map(() => '---'))
  for (const corpus of chooseCorpora(corpora.length > 0 ? corpora : study.corpora))
    for await (const row of study.rows(corpus)) print(row)
  if (study.last !== undefined) for await (const row of study.last()) print(row)
}

/** The first split of a corpus. */
export async function firstSplit(corpus: QualityCorpus): Promise<QualityProblem> {
  return splitProblem(corpus, await readRows(corpus, dataFolder), {seed: 0, folder: dataFolder})
}
