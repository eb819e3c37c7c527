import type {Command} from 'commander'
import {log} from '../../../base/numeric/index.ts'
import {counted, grouped, nameList, printableLine} from '../../../base/text/index.ts'
import {
  type Comparison,
  type ConceptChange,
  compareModels,
  type EdgeChange,
  FIRST_WORDS
} from '../../../use/comparison/index.ts'
import {oddsText} from '../../../use/facts/index.ts'
import {textTable} from '../../present/index.ts'
import {addCommonOptions, type CommonOptions, outputOf, readModel, usageError} from '../common-options.ts'
import {addCommand} from '../declare.ts'
import {intervalText} from '../text.ts'

interface CompareCommandOptions extends CommonOptions {
  readonly renamed?: ReadonlyMap<string, string>
}

export function addCompareCommand(program: Command): void {
  const command = addCommand(program, {renamed: rename})`
compare: how two models differ
Show what differs between two models: concepts, anchors, prevalences and rates with a verdict, edges gained and lost, and words that enter or leave the first
${FIRST_WORDS} of a concept. Concepts of equal names or equal anchors are the same concept.
  <first>              a model file
  <second>             another model file
  --renamed <old=new>  a concept that has another name in the second model; may be repeated

A change is "higher" or "lower" if the interval of the difference excludes 0, and otherwise "no clear change"; for that interval the two estimates count as independent.
Models of the same documents have similar errors, so for them the rule is cautious: it may miss a small change.

Examples:
  adfa compare before.json after.json
  adfa compare before.json after.json --renamed etoh=alcohol
  adfa compare tree.json pairs.json --json`
  addCommonOptions(command).action(async (first: string, second: string, options: CompareCommandOptions) => {
    const output = outputOf(options)
    const [a, b] = [await readModel(first), await readModel(second)]
    const comparison = compareModels(a, b, {...(options.renamed && {renamed: options.renamed})})
    output.json(comparison)
    for (const line of describe(comparison, [first, second])) output.print(line)
  })
}

function rename(text: string, before: ReadonlyMap<string, string> = new Map()): ReadonlyMap<string, string> {
  const [, from, to] = /^(.+?)=(.+)$/.exec(text) ?? []
  if (from === undefined)
    throw usageError(`--renamed ${printableLine(text)}: expected old=new, the names of one concept`)
  return new Map([...before, [from, to]])
}

function describe(comparison: Comparison, files: readonly [string, string]): string[] {
  const {added, removed, renamed, concepts, edges} = comparison
  const rates = concepts.flatMap(rateRows)
  const words = concepts.flatMap(wordLines)
  const anchors = concepts.flatMap(({concept, anchor: {gained, lost}}) =>
    gained.length + lost.length === 0
      ? []
      : [`  ${concept}: ${[...gained.map(name => `+${name}`), ...lost.map(name => `-${name}`)].join(', ')}`]
  )
  const sections = [
    ['a', 'b'].map((side, at) => modelLine(side, files[at], comparison[side as 'a' | 'b'])),
    renamed.map(({from, to}) => `renamed: ${from} is ${to} in b`),
    added.length === 0 ? [] : [`only in b: ${nameList(added)}`],
    removed.length === 0 ? [] : [`only in a: ${nameList(removed)}`],
    anchors.length === 0 ? [] : ['', 'Anchors', ...anchors],
    rates.length === 0 ? [] : ['', textTable([['concept', 'rate', 'a', 'b', 'verdict'], ...rates])],
    edges.length === 0
      ? []
      : ['', textTable([['edge', 'between', 'odds in a', 'odds in b', 'verdict'], ...edges.map(edgeRow)])],
    words.length === 0 ? [] : ['', `The first ${FIRST_WORDS} words (+ new, - gone, from > to)`, ...words]
  ]
  const lines = sections.flat().map(line => (line.includes('\n') ? line : printableLine(line)))
  return lines.length > 2 ? lines : [...lines, 'no difference']
}

function modelLine(side: string, file: string, {concepts, words, documents, moments}: Comparison['a']): string {
  const source = documents === undefined ? '' : ` from ${counted(documents, 'document')}`
  const how =
    moments === 'no certificate'
      ? moments
      : `moments ${moments.status}, objective ${moments.objective.toPrecision(4)}, gap ${moments.gap.toExponential(1)}`
  return `${side}: ${file}, ${counted(concepts, 'concept')}, ${grouped(words)} words${source}; ${how}`
}

/** The rates of the model file, in words. */
const RATE_WORDS = {truePositive: 'anchor fires with it', falsePositive: 'anchor fires without it'}

function rateRows({concept, rates}: ConceptChange): string[][] {
  return Object.entries({...rates}).map(([name, {a, b, verdict}]) => {
    const words = RATE_WORDS[name as keyof typeof RATE_WORDS] ?? name
    return [concept, words, intervalText(a), intervalText(b), verdict]
  })
}

function edgeRow({kind, between, a, b, verdict}: EdgeChange): string[] {
  return [kind, between.join(' - '), ...[a, b].map(oddsFigure), verdict]
}

function oddsFigure(odds: number | undefined): string {
  return odds === undefined ? 'no edge' : oddsText(log(odds))
}

function wordLines({concept, words}: ConceptChange): string[] {
  if (words.length === 0) return []
  const shown = words.map(({word, a, b}) =>
    a === undefined ? `+${word}` : b === undefined ? `-${word}` : `${word} ${a} > ${b}`
  )
  return [`  ${concept}: ${shown.join(', ')}`]
}
