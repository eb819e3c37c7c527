/** How the library is called for a project: `learn(documents, learnAnchorsOf(project), learnOptionsOf(project))`. */
import {AdfaError, badOption, nearestName, trueOrFalse, whole} from '../../base/checks/index.ts'
import {DEFAULT_REPLICATES} from '../../learn/bootstrap.ts'
import type {LearnOptions, ReadOptions} from '../../learn/learn.ts'
import {parseShrinkage} from '../../learn/moments/index.ts'
import {checkFitOptions, presets} from '../../learn/options.ts'
import {exactSearchLimit} from '../../learn/structure/index.ts'
import {
  type Anchors,
  checkVocabularyOptions,
  type Labels,
  textOptionsOf,
  type VocabularyOptions,
  vocabularyDefaults
} from '../../read/data/index.ts'
import {type LabelRow, labelsByKey} from '../../use/labelling/index.ts'
import type {EdgeRules, FitSettings, Project, Reading} from './project.ts'
import {settledAnchors, withoutConcept, withRulesOf} from './project-parts.ts'

/** The options of `learn`. Anchors that cannot work are always skipped, so that one of them does not stop the others. */
export function learnOptionsOf(project: Project): LearnOptions & Partial<ReadOptions> {
  const labels = learnLabelsOf(project)
  const edges = learnEdgesOf(project)
  return {
    ...readOptionsOf(project.reading),
    ...fitOptionsOf(project.fit),
    skipBadAnchors: true,
    ...(edges && {edges}),
    ...(labels.length > 0 && {labels: checkedLabels(labels, project.fit)})
  }
}

/** The anchors to learn from: concepts without a member are left out until they have one. */
export function learnAnchorsOf({anchors}: Pick<Project, 'anchors'>): Anchors {
  return settledAnchors(anchors.filter(({any}) => any.length > 0))
}

/** The label rows to learn from: without labels of concepts that are left out. */
export function learnLabelsOf({anchors, labels}: Pick<Project, 'anchors' | 'labels'>): readonly LabelRow[] {
  return anchors.reduce((rows, {concept, any}) => (any.length > 0 ? rows : withoutConcept(rows, concept)), labels)
}

/** The rules to learn by: without those of concepts that are left out. */
export function learnEdgesOf(project: Project): EdgeRules | undefined {
  return withRulesOf(project, new Set(learnAnchorsOf(project).map(({concept}) => concept))).edges
}

function checkedLabels(rows: readonly LabelRow[], {noise}: FitSettings): Labels {
  const anchored = rows.filter(({drawn}) => drawn === 'anchored').length
  if (noise === 'labels' && anchored > 0)
    throw new AdfaError(
      'bad-option',
      `${anchored} of the labels belong to documents drawn because an anchor fires; \`noise\` 'labels' needs documents drawn at random; use \`noise\` 'auto', which handles both`,
      {details: {option: 'noise'}}
    )
  return labelsByKey(rows)
}

/** Options that name files: they are for the command line. */
const FILE_OPTIONS: readonly string[] = ['edges']
const SHRINKAGES: readonly string[] = ['shrinkage', 'wordShrinkage']
/** What a project calls `structure` is the option `network` of the library. */
const SETTINGS: readonly string[] = [
  'intervals',
  ...Object.keys(presets.robust)
    .filter(name => name !== 'edges' && name !== 'skipBadAnchors')
    .map(name => (name === 'network' ? 'structure' : name))
]

/** The options of the fit as the library takes them, checked; those that only the command line has are refused. */
export function fitOptionsOf(fit: FitSettings): LearnOptions {
  for (const name of Object.keys(fit)) {
    if (FILE_OPTIONS.includes(name))
      throw new AdfaError(
        'bad-option',
        `"fit" has "${name}", which names a file that only the command line reads; remove it to work in the studio`
      )
    if (SETTINGS.includes(name)) continue
    const near = nearestName(name, SETTINGS)
    throw new AdfaError(
      'bad-option',
      `"fit" has no "${name}"; ${near === undefined ? `it has ${SETTINGS.join(', ')}` : `did you mean "${near}"?`}`
    )
  }
  const {structure, intervals, ...given} = fit
  const options: LearnOptions = Object.fromEntries([
    ...Object.entries(given).map(([name, value]) => [
      name,
      SHRINKAGES.includes(name) && value !== 'gated' ? parseShrinkage(`${value}`) : value
    ]),
    ...(structure === undefined ? [] : [['network', structure]])
  ])
  checkFitOptions(options)
  checkAround(fit)
  return {
    ...options,
    ...(intervals !== undefined &&
      intervals !== false && {intervals: intervals === true ? DEFAULT_REPLICATES : Number(intervals)})
  }
}

/** Whether the structure search needs HiGHS, which the studio does not have: exact searches of more than 22 concepts do. */
export function searchNeedsHighs(project: Project): boolean {
  const {structure, search} = project.fit
  const isExact = /^indegree:[2-9]$/.test(String(structure)) && search !== 'greedy'
  return isExact && learnAnchorsOf(project).length > exactSearchLimit
}

const MOST_INTERVALS = 100_000

/** Options of `learn` beside those of `fit`; and a seed is one that the command line takes, too. */
function checkAround({intervals = false, seed = 0}: FitSettings): void {
  const [isSeed, least] = whole(0)
  if (!isSeed(seed)) throw badOption('fit', 'seed', least, seed)
  const [isFlag] = trueOrFalse
  const [isCount, count] = whole(1, MOST_INTERVALS)
  if (!isFlag(intervals) && !isCount(intervals)) throw badOption('learn', 'intervals', `${count}, or true`, intervals)
}

/** How documents are read, as the library takes it: all options of a lexicon, checked. */
export function readOptionsOf(reading: Reading): VocabularyOptions {
  const options = {...vocabularyDefaults, ...textOptionsOf(reading), skipBadAnchors: true}
  checkVocabularyOptions('reading', options)
  return options
}
