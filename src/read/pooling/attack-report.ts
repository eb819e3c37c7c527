import type {LinearSolver} from '../../base/linear/index.ts'
import {counted, grouped, printableLine} from '../../base/text/index.ts'
import {type AttackFindings, attackReleases, type PinnedNumber} from './attack.ts'
import {allCells, withheldTargets} from './attack-model.ts'
import {partitionsOf} from './partitions.ts'
import {checkAlike, type Release} from './release.ts'

export interface AttackReportOptions {
  /** Fields of which every document has a value, where that is known; otherwise it is assumed in a second attack. */
  readonly complete?: readonly string[] | undefined
  readonly stop?: (() => boolean) | undefined
}

/** The outcome of an attack on releases, in plain words. */
export interface AttackReport {
  readonly text: string
  /** Withheld numbers and small cells that follow from what was released. */
  readonly pinned: number
}

/** Attack one release, or two of the same site, the earlier one first; see {@link attackReleases}. */
export function reportAttack(
  solver: LinearSolver,
  releases: readonly Release[],
  {complete, stop}: AttackReportOptions = {}
): AttackReport {
  checkAlike(releases, ['the earlier tables', 'the later ones'])
  const [release] = releases
  const title = `Attack on ${releases.length === 1 ? 'these tables' : 'these tables and the earlier ones together'}`
  const fields = partitionsOf(release.lexicon).map(({field}) => field)
  const attack = (complete: readonly string[]) => {
    const input = {releases, complete}
    const cells = [...allCells(input)].filter(({lacks, documents}) => lacks.length > 0 || documents === 'added')
    const found = attackReleases(solver, input, {stop, targets: [...withheldTargets(input), ...cells]})
    const undecided = found.attacked - found.open - found.pinned.length
    const pinned = found.pinned.filter(isDisclosed(releases))
    return {...found, withheld: withheldTargets(input).length, undecided, pinned}
  }
  const first = attack(complete ?? [])
  const assumed = complete === undefined && fields.length > 0 ? attack(fields) : undefined
  const parts = [
    `${title}: for each of ${counted(first.withheld, 'withheld number')} and each cell of their tables, which values agree with everything in the ${releases.length === 1 ? 'file' : 'two files'}?`,
    outcome(first, release)
  ]
  if (assumed?.isConsistent === true && assumed.pinned.length > first.pinned.length)
    parts.push(
      `A reader who knows that every document has one of the released values of ${fields.map(printableLine).join(' and of ')} finds ${assumed.pinned.length}:\n${listed(assumed.pinned, release)}`
    )
  const pinned = Math.max(first.pinned.length, assumed?.isConsistent === true ? assumed.pinned.length : 0)
  return {text: `${parts.join('\n')}\n`, pinned}
}

/** Withheld numbers, and cells of fewer documents than their sites release. */
function isDisclosed(releases: readonly Release[]): (pinned: PinnedNumber) => boolean {
  const minCell = Math.max(...releases.flatMap(({sites}) => sites.map(({minCell}) => minCell)))
  return ({lacks, documents, value}) => (lacks.length === 0 && documents !== 'added') || (value > 0 && value < minCell)
}

function outcome(found: AttackFindings & {readonly undecided: number}, release: Release): string {
  const {method, isConsistent, pinned, attacked, open, undecided} = found
  if (!isConsistent) return 'No documents agree with all of it: the numbers contradict each other.'
  if (method === 'none')
    return 'Not made: there are too many tables. Whoever makes tables from counts gets the proof instead.'
  const result =
    pinned.length === 0
      ? method === 'exact' && undecided === 0
        ? 'No withheld number and no small cell has a single possible value.'
        : 'No withheld number and no small cell was found to have a single possible value.'
      : `${grouped(pinned.length)} can be found out:\n${listed(pinned, release)}`
  if (method === 'bounds')
    return `${result}\nThere are too many patterns of anchors for the exact attack: only bounds were passed on from table to table, which may miss some.`
  const rest = undecided === 0 ? '' : `; the time was too short for ${grouped(undecided)}`
  return `${result}\nExact: each was minimised and maximised by an integer program over all documents that agree with these tables; ${grouped(open)} of ${grouped(attacked)} have two values, each with documents that show it${rest}.`
}

/** The first ones, by name. */
function listed(pinned: readonly PinnedNumber[], release: Release): string {
  const lines = pinned.slice(0, 20).map(found => `- ${described(found, release)}`)
  return [...lines, ...(pinned.length > 20 ? [`- and ${grouped(pinned.length - 20)} more`] : [])].join('\n')
}

function described({documents, has, lacks, value}: PinnedNumber, {lexicon}: Release): string {
  const {anchors, words} = lexicon
  const partitions = partitionsOf(lexicon)
  const name = (variable: number) => {
    if (variable < anchors.length) return JSON.stringify(anchors[variable].concept)
    const word = variable - anchors.length
    return word < words.length
      ? `the word ${JSON.stringify(words[word])}`
      : `no value of ${printableLine(partitions[word - words.length].field)}`
  }
  const which = {first: '', second: '', added: 'added since: '}[documents]
  const without = lacks.length === 0 ? '' : ` without ${lacks.map(name).join(' and ')}`
  return `${which}${has.map(name).join(' and ') || 'documents'}${without}: ${grouped(value)}`
}
