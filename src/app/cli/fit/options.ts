import {type Command, InvalidArgumentError, Option} from 'commander'
import {networkFromBif} from '../../../base/network/index.ts'
import {defaultGaps, parseShrinkage, type Shrinkage} from '../../../learn/moments/index.ts'
import {type FitOptions, fitChoices, type Preset, presets} from '../../../learn/presets.ts'
import {parseEdges, planStructure, type StructureKind} from '../../../learn/structure/index.ts'
import {readTextFile} from '../../../read/files/index.ts'
import {atLeast0, share, wholeNumber} from '../common-options.ts'

/** What says how to learn; options left out come from the preset. */
export interface LearningOptions
  extends Partial<Omit<FitOptions, 'structure' | 'edges' | 'attractive' | 'skipBadAnchors' | 'seed'>> {
  readonly preset: Preset
  /** A kind, or the name of a BIF file. */
  readonly structure?: string
  /** The name of an edges file. */
  readonly edges?: string
  readonly attractive?: true
}

export function addLearningOptions(command: Command): Command {
  const {shrinkage, wordSigmas, wordShrinkage, leakFloor, penalty} = presets.robust
  return command
    .addOption(
      new Option('--preset <name>', 'paper: Algorithm 1 as published; robust: what real text needs')
        .choices(['paper', 'robust'])
        .default('robust')
    )
    .addOption(
      new Option(
        '--noise <method>',
        'where the rates of the anchors come from: the anchors file, labels (each concept by itself), two features of an anchor, ' +
          'the words (positive-only, irreducible), or auto: all that the data allows (robust: auto; paper: given)'
      ).choices(fitChoices.noise)
    )
    .option(
      '--concepts-per-document <n>',
      'how many concepts a document has on average: scales guessed rates',
      atLeast0
    )
    .addOption(
      new Option(
        '--false-anchors <name>',
        'anchors without their concept are independent noise (paper), or come with related concepts (robust)'
      ).choices(fitChoices.falseAnchors)
    )
    .addOption(
      new Option(
        '--polytope <name>',
        'constraints on recovered moments, each tighter than the one before (robust: local; paper: simplex)'
      ).choices(fitChoices.polytope)
    )
    .addOption(
      new Option(
        '--solver <name>',
        'newton: the fast method of each polytope; conditional-gradient: the one of the paper'
      ).choices(fitChoices.solver)
    )
    .option('--gap <g>', `stop when the moments are proven to be this close to the best (${gapHelp()})`, above0)
    .option(
      '--time-limit <s>',
      'seconds for the moments, and again for the structure; what was reached by then is used, and its gap told',
      above0
    )
    .option(
      '--structure <kind>',
      'graph over the concepts: independent, tree, indegree:K (at most K parents, best BIC score), ' +
        'degree:K (at most K neighbours, by tests of independence), or a known one, FILE.bif (robust: indegree:1; paper: tree)'
    )
    .addOption(
      new Option('--search <name>', 'indegree:K: the best graph, proven; or a good one, fast').choices(
        fitChoices.search
      )
    )
    .addOption(
      new Option(
        '--score <name>',
        'indegree:K: BIC, or with a penalty that knows the noise of the anchors (robust), or the variance of every table'
      ).choices(fitChoices.score)
    )
    .option(
      '--penalty <p>',
      `indegree:K: what a parameter costs, in units of ln N (robust: ${penalty}; paper: 1)`,
      atLeast0
    )
    .option('--edges <file>', 'edges to require and forbid, and tiers: {"require": [["parent", "child"]], ...}')
    .option('--attractive', 'no negative edges: no concept makes another one rarer')
    .addOption(
      new Option('--divergence <name>', 'distance of recovered moments from observed ones').choices(
        fitChoices.divergence
      )
    )
    .option(
      '--shrinkage <p>',
      `shrinkage towards independence for the network: a number, or C/N (robust: ${shrinkage})`,
      shrinkageOption
    )
    .option(
      '--word-sigmas <z>',
      `a word speaks for a concept only beyond so many standard errors (robust: ${wordSigmas}); 0: no such gate (paper)`,
      atLeast0
    )
    .option(
      '--word-shrinkage <p>',
      `shrinkage towards independence for words, in place of the gate (paper: ${presets.paper.wordShrinkage}; ${wordShrinkage} is strong)`,
      shrinkageOption
    )
    .option(
      '--blanket-limit <n>',
      `beyond trees: learn the words of concepts with a Markov blanket of at most n from it (robust: ${presets.robust.blanketLimit}, ` +
        `paper: ${presets.paper.blanketLimit}), those of the others from the whole network`,
      wholeNumber
    )
    .addOption(
      new Option(
        '--words <name>',
        'how words speak when predicting: by their noisy-or links (paper), or in log-odds learned beside them (robust), ' +
          'better from documents than from counts alone'
      ).choices(fitChoices.words)
    )
    .option('--leak-floor <share>', `least leak, as a share of the word's frequency (robust: ${leakFloor})`, share)
}

/** Options that stand for themselves; --structure and --edges may name files. */
const plain = [
  'noise',
  'conceptsPerDocument',
  'falseAnchors',
  'polytope',
  'solver',
  'gap',
  'timeLimit',
  'score',
  'search',
  'penalty',
  'attractive',
  'divergence',
  'shrinkage',
  'wordSigmas',
  'wordShrinkage',
  'blanketLimit',
  'leakFloor',
  'words'
] as const

/** What was asked for, with the files read; what was not stays out. */
export async function readLearningOptions(options: LearningOptions): Promise<Partial<FitOptions> & {preset: Preset}> {
  const {preset, structure, edges} = options
  return {
    preset,
    ...Object.fromEntries(plain.filter(name => options[name] !== undefined).map(name => [name, options[name]])),
    ...(structure !== undefined && {structure: await readStructure(structure)}),
    ...(edges !== undefined && {edges: parseEdges(await readTextFile(edges), edges)})
  }
}

async function readStructure(text: string): Promise<StructureKind> {
  if (!/\.bif$/i.test(text)) {
    planStructure(text as StructureKind) // refuses what is none, before documents are read
    return text as StructureKind
  }
  const {names, network} = networkFromBif(await readTextFile(text), text)
  return {names, parents: network.parents}
}

function gapHelp(): string {
  const {'conditional-gradient': slow, ...fast} = defaultGaps
  const each = Object.entries(fast).map(([polytope, gap]) => `${polytope} ${gap}`)
  return `default: ${each.join(', ')}; conditional-gradient ${slow}`
}

function above0(text: string): number {
  const value = Number(text)
  if (text.trim() === '' || !(value > 0)) throw new InvalidArgumentError('It must be a number above 0.')
  return value
}

function shrinkageOption(text: string): Shrinkage {
  try {
    return parseShrinkage(text)
  } catch (error) {
    throw new InvalidArgumentError((error as Error).message)
  }
}
