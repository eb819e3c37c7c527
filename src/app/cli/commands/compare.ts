import type {Command} from 'commander'
import {printableLine} from '../../../base/text/index.ts'
import {compareModels, FIRST_WORDS} from '../../../use/comparison/index.ts'
import {blocksText, comparedText, comparisonBlocks} from '../../present/index.ts'
import {type CommonOptions, commonOptions, outputOf, readModel, usageError} from '../common-options.ts'
import {addCommand} from '../declare.ts'

interface CompareCommandOptions extends CommonOptions {
  readonly renamed?: ReadonlyMap<string, string>
}

export function addCompareCommand(program: Command): void {
  addCommand(program, {renamed: rename}, commonOptions)`
compare: how two models differ
Show what differs between two models: concepts, anchors, prevalences and rates with a verdict, edges gained and lost, and words that enter or leave the first
${FIRST_WORDS} of a concept. Concepts of equal names or equal anchors are the same concept.
  <first>              a model file
  <second>             another model file
  --renamed <old=new>  a concept that has another name in the second model; may be repeated

In the output A is the first model and B the second. A change is "higher" or "lower" if the interval of the difference excludes 0, and otherwise "no clear change"; for that interval the two estimates count as independent.
Models of the same documents have similar errors, so for them the rule is cautious: it may miss a small change.

Examples:
  adfa compare before.json after.json
  adfa compare before.json after.json --renamed etoh=alcohol
  adfa compare tree.json pairs.json --json`.action(
    async (first: string, second: string, options: CompareCommandOptions) => {
      const output = outputOf(options)
      const [a, b] = [await readModel(first), await readModel(second)]
      const comparison = compareModels(a, b, {...(options.renamed && {renamed: options.renamed})})
      output.json(comparison)
      output.print(`A: ${comparedText(first, comparison.a)}\nB: ${comparedText(second, comparison.b)}\n`)
      output.print(blocksText(comparisonBlocks(comparison)))
    }
  )
}

function rename(text: string, before: ReadonlyMap<string, string> = new Map()): ReadonlyMap<string, string> {
  const [, from, to] = /^(.+?)=(.+)$/.exec(text) ?? []
  if (from === undefined)
    throw usageError(`--renamed ${printableLine(text)}: expected old=new, the names of one concept`)
  return new Map([...before, [from, to]])
}
