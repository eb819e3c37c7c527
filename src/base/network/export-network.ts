import {AdfaError} from '../checks/index.ts'
import {exp} from '../numeric/index.ts'
import {checkNames} from './bayes-network.ts'
import {directedNetwork} from './directed-network.ts'
import {edgeList, edgesToCsv} from './edge-list.ts'
import {networkToDot} from './network-to-dot.ts'
import {isPairNetwork, type Network, networkSize, type PairNetwork} from './pair-network.ts'

/** The file formats for other programs; `csv` has a row per edge. */
export type NetworkFormat = 'bif' | 'dot' | 'uai' | 'csv'

/** `unmeasured`: concepts whose prevalence is a guess. Shares that need it are left out, or marked in a comment where the format allows. */
export function networkText(
  network: Network,
  names: readonly string[],
  format: NetworkFormat,
  unmeasured: ReadonlySet<string> = new Set()
): string {
  switch (format) {
    case 'bif':
      return networkToBif(network, names, unmeasured)
    case 'uai':
      return networkToUai(network)
    case 'csv':
      return edgesToCsv(edgeList(network, names), unmeasured)
    case 'dot':
      return networkToDot(network, names, unmeasured)
  }
}

/** The BIF property that keeps the percent-encoded name of a variable for which another word stands in the file. */
const nameProperty = 'adfa-name'

/** Matches words that every reader of BIF accepts as names. */
const plainWord = /^[A-Za-z_][A-Za-z0-9_-]*$/

/** Matches the words that begin a block. Some readers search for them anywhere in a file, so names must not contain them. */
const blockWord = /network|variable|probability/

const keywords = new Set(['type', 'discrete', 'property', 'default', 'table'])

/**
 * Writes the network in the BIF format, as the classic networks do, with states `no` and `yes` in this order and all digits.
 *
 * A name that is not a BIF word ("chest pain", "c++") is replaced by one that is, and kept percent-encoded in a property, which
 * other programs skip. BIF has directed graphs only, so a pair network is approximated by {@link directedNetwork}.
 */
export function networkToBif(
  given: Network,
  names: readonly string[],
  unmeasured: ReadonlySet<string> = new Set()
): string {
  checkNames('networkToBif', networkSize(given), names)
  const network = directedNetwork(given)
  const ids = bifWords(names)
  const variables = names.map((name, i) => {
    const property = ids[i] === name ? '' : `  property ${nameProperty} = ${encodeName(name)} ;\n`
    return `variable ${ids[i]} {\n  type discrete [ 2 ] { no, yes };\n${property}}\n`
  })
  const tables = network.parents.map((list, i) => {
    const condition = list.length === 0 ? '' : ` | ${list.map(parent => ids[parent]).join(', ')}`
    const rows = Array.from(network.cpt[i], (p, s) => `  ${configurationText(s, list.length)} ${1 - p}, ${p};\n`)
    return `probability ( ${ids[i]}${condition} ) {\n${rows.join('')}}\n`
  })
  const {size} = unmeasured
  const comment =
    size === 0 ? '' : `// Nobody measured the prevalences of ${size} of ${names.length} concepts: they are guesses.\n`
  return `network unknown {\n}\n${comment}${variables.join('')}${tables.join('')}`
}

/** Writes the configuration s of the parents as `(no, yes)`; a variable without parents has the word `table` instead. */
function configurationText(s: number, parentCount: number): string {
  if (parentCount === 0) return 'table'
  const states = Array.from({length: parentCount}, (_, at) => ((s >> (parentCount - 1 - at)) & 1 ? 'yes' : 'no'))
  return `(${states.join(', ')})`
}

/** Returns each name itself if the format allows it, and otherwise a distinct word made from it. */
function bifWords(names: readonly string[]): string[] {
  const taken = new Set(names.filter(isBifWord))
  return names.map(name => {
    if (taken.has(name)) return name
    const clean = name.replace(/[^A-Za-z0-9_-]+/g, '_')
    const stem = isBifWord(clean) ? clean : isBifWord(`_${clean}`) ? `_${clean}` : 'concept'
    let word = stem
    for (let copy = 2; taken.has(word); copy++) word = `${stem}_${copy}`
    taken.add(word)
    return word
  })
}

function isBifWord(name: string): boolean {
  return plainWord.test(name) && !blockWord.test(name) && !keywords.has(name)
}

/** Percent-encodes a name, and the first letter of any {@link blockWord} in it, so that a reader does not take it for a block. */
function encodeName(name: string): string {
  try {
    return encodeURIComponent(name).replaceAll(
      new RegExp(blockWord, 'g'),
      word => `%${word.charCodeAt(0).toString(16)}${word.slice(1)}`
    )
  } catch (cause) {
    const fault = `networkToBif: the name ${JSON.stringify(name)} contains half a character and cannot be written`
    throw new AdfaError('mismatch', `${fault}; rename the concept`, {cause})
  }
}

/**
 * Writes the network in the UAI format, a directed one as BAYES and a pair network as MARKOV, with all digits. The format has no
 * names; variables keep their indices. A directed network has one function per variable, over its parents and itself. The last
 * variable varies fastest, so each line is P(Y_i = 0), P(Y_i = 1) for one configuration of the parents.
 */
export function networkToUai(network: Network): string {
  if (isPairNetwork(network)) return pairsToUai(network)
  const {parents, cpt} = network
  const m = parents.length
  const scopes = parents.map((list, i) => [list.length + 1, ...list, i].join(' '))
  const tables = cpt.map(table => `\n${2 * table.length}\n${Array.from(table, p => ` ${1 - p} ${p}\n`).join('')}`)
  return `BAYES\n${m}\n${parents.map(() => 2).join(' ')}\n${m}\n${scopes.join('\n')}\n${tables.join('')}`
}

/** Writes one function per concept, with values 1 and e^b, and one per coupled pair, with values 1, 1, 1 and e^J. */
function pairsToUai({biases, couplings}: PairNetwork): string {
  const m = biases.length
  const scopes = Array.from(biases, (_, i) => `1 ${i}`)
  const tables = Array.from(biases, bias => `\n2\n 1 ${exp(bias)}\n`)
  for (let i = 0; i < m; i++)
    for (let k = i + 1; k < m; k++) {
      if (couplings[i * m + k] === 0) continue
      scopes.push(`2 ${i} ${k}`)
      tables.push(`\n4\n 1 1\n 1 ${exp(couplings[i * m + k])}\n`)
    }
  const cardinalities = new Array(m).fill(2).join(' ')
  return `MARKOV\n${m}\n${cardinalities}\n${scopes.length}\n${scopes.join('\n')}\n${tables.join('')}`
}
