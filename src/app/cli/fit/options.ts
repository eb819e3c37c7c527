import type {Command} from 'commander'
import {networkFromBif} from '../../../base/network/index.ts'
import {percent} from '../../../base/text/index.ts'
import {bootstrapDefaults} from '../../../learn/bootstrap.ts'
import {defaultGaps} from '../../../learn/moments/index.ts'
import {type FitOptions, fitChoices, type Preset, presets} from '../../../learn/presets.ts'
import {parseEdges, planStructure, type StructureKind, structureNames} from '../../../learn/structure/index.ts'
import {readTextFile} from '../../../read/files/index.ts'
import {above0, atLeast0, share, shrinkage, upTo, usageError, wholeNumber} from '../common-options.ts'
import {addOptions} from '../declare.ts'
import {loadPlugin} from '../plugin.ts'
import {heldText} from '../project/inline.ts'

/** How to learn; options left out come from the preset. */
export interface LearningOptions
  extends Partial<Omit<FitOptions, 'polytope' | 'structure' | 'edges' | 'attractive' | 'skipBadAnchors' | 'seed'>> {
  readonly preset: Preset
  /** A name, also one of the plug-in. */
  readonly polytope?: string
  readonly plugin?: string
  /** A kind, the name of a BIF file, or a name of the plug-in. */
  readonly structure?: string
  /** The name of an edges file, or of a project that holds its content. */
  readonly edges?: string
  readonly attractive?: true
}

export function addLearningOptions(command: Command): Command {
  // Polytopes and structures may also be those of a plug-in.
  const {polytope: polytopes, ...choices} = fitChoices
  return addOptions(command, {
    ...choices,
    preset: {choices: ['paper', 'robust'], preset: 'robust'},
    conceptsPerDocument: atLeast0,
    gap: above0,
    timeLimit: above0,
    shrinkage,
    penalty: atLeast0,
    wordSigmas: atLeast0,
    wordShrinkage: shrinkage,
    blanketLimit: wholeNumber,
    leakFloor: share,
    intervals: upTo(100_000)
  })`
    --preset <name>              paper: Algorithm 1 as published; robust: adapted to real text
    --noise <method>             source of the rates: the anchors file (given), labels, pairs of members of one anchor (pair),
        words (positive-only, irreducible), or all that apply (auto) ${byPreset('noise')}
    --concepts-per-document <n>  mean number of concepts per document; scales guessed rates
    --false-anchors <name>       model of anchors that fire without their concept: independent noise, or triggered by
        related concepts ${byPreset('falseAnchors')}
    --polytope <name>            constraints on the recovered moments, from loosest to tightest:
        ${polytopes.join(', ')} ${byPreset('polytope')}
    --plugin <file>              a JavaScript module (.mjs) that adds polytopes and structures of your own, by name
    --solver <name>              newton: a fast method for each polytope; conditional-gradient: the method of the paper;
        exponentiated-gradient: its method for the simplex
    --correction <when>          with conditional-gradient: minimise over all vertices seen after every step, or only when
        a vertex comes again (seen), as in the paper
    --gap <g>                    stop when the moments are proven to be this close to the optimum (${gapHelp()})
    --time-limit <s>             seconds for recovering moments, and again for finding the structure; uses the best result
        so far and reports its gap
    --divergence <name>          distance between recovered and observed moments
    --shrinkage <p>              shrinkage towards independence for the network, a number or C/N ${byPreset('shrinkage')}
    --structure <kind>           network over the concepts: pairs (a coupling for each pair of concepts, no directions), or a
        directed graph: independent, tree, indegree:K (at most K parents, best BIC score), degree:K (at most K neighbours,
        by independence tests) or a known one FILE.bif ${byPreset('structure')}; options of directed
        graphs, such as --polytope, imply indegree:1
    --search <name>              for indegree:K: find the proven best graph (exact) or a good one fast (greedy)
    --score <name>               for indegree:K: the plain BIC penalty, or one that accounts for the noise of the anchors
        or the variance of each table ${byPreset('score')}
    --penalty <p>                for indegree:K: cost of a parameter, in units of ln N ${byPreset('penalty')}
    --edges <file>               required and forbidden edges: {"require": [["fall", "fracture"]], "forbid": []}; and, for
        directed graphs, which have the parent first, tiers
    --attractive                 allow no negative edges: no concept makes another one less likely
    --words <name>               how predictions use words: noisy-or links, or log-odds weights, which work best when
        learned from documents ${byPreset('words')}
    --word-sigmas <z>            drop links within z standard errors of independence; 0 keeps all ${byPreset('wordSigmas')}
    --word-shrinkage <p>         shrinkage towards independence for words, instead of --word-sigmas (paper:
        ${presets.paper.wordShrinkage}; ${presets.robust.wordShrinkage} is strong)
    --blanket-limit <n>          for graphs that are not trees: learn words from the Markov blanket of a concept if it has at
        most n concepts, otherwise from the whole network ${byPreset('blanketLimit')}
    --leak-floor <share>         lowest leak, as a share of the word's frequency, however many documents there are
        ${byPreset('leakFloor')}
    --refine                     refine the word links on the documents, only where it predicts held-out anchors
        significantly better
    --intervals [replicates]     also fit resampled counts (default: ${bootstrapDefaults.replicates}): gives
        ${percent(bootstrapDefaults.level)} intervals for prevalences and rates, and the confidence in each edge`
}

/** The default of an option, which depends on the preset. */
function byPreset(name: keyof FitOptions): string {
  return `(robust: ${presets.robust[name]}; paper: ${presets.paper[name]})`
}

/** Options passed on as they are: the others name files or plug-ins, or are added by the command. */
const plain = Object.keys(presets.robust).filter(
  name => !['polytope', 'structure', 'edges', 'skipBadAnchors', 'seed'].includes(name)
) as (keyof LearningOptions)[]

/** The options given on the command line, with the files they name read. */
export async function readLearningOptions(options: LearningOptions): Promise<Partial<FitOptions> & {preset: Preset}> {
  const {preset, polytope, structure, edges} = options
  const {polytopes, structures} = await loadPlugin(options.plugin)
  const own = structure === undefined ? undefined : structures[structure]
  return {
    preset,
    ...Object.fromEntries(plain.filter(name => options[name] !== undefined).map(name => [name, options[name]])),
    ...(polytope !== undefined && {polytope: polytopes[polytope] ?? namedPolytope(polytope)}),
    ...(structure !== undefined && {network: own ?? (await readStructure(structure))}),
    ...(edges !== undefined && {edges: parseEdges(heldText(await readTextFile(edges), 'edges'), edges)})
  }
}

/** Refuses an unknown polytope before documents are read. */
function namedPolytope(name: string): FitOptions['polytope'] {
  const found = fitChoices.polytope.find(each => each === name)
  if (found !== undefined) return found
  throw usageError(`--polytope is ${fitChoices.polytope.join(', ')}, or a name in the module of --plugin; got ${name}`)
}

async function readStructure(text: string): Promise<StructureKind> {
  if (!/\.bif$/i.test(text)) {
    try {
      planStructure(text as StructureKind) // refuses an unknown structure before documents are read
    } catch {
      const others = 'a known graph (FILE.bif) or a name in the module of --plugin'
      throw usageError(`--structure is ${structureNames}, ${others}; got ${JSON.stringify(text)}`)
    }
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
