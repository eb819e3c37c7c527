/** How the library is called for a project: `learn(documents, project.anchors, learnOptionsOf(project))`. */
import {AdfaError} from '../../base/checks/index.ts'
import {DEFAULT_REPLICATES} from '../../learn/bootstrap.ts'
import type {LearnOptions, ReadOptions} from '../../learn/learn.ts'
import {checkFitOptions, type FitOptions} from '../../learn/options.ts'
import {exactSearchLimit} from '../../learn/structure/index.ts'
import {
  checkVocabularyOptions,
  textOptionsOf,
  type VocabularyOptions,
  vocabularyDefaults
} from '../../read/data/index.ts'
import {type LabelRow, labelsByKey} from '../../use/labelling/index.ts'
import type {FitSettings, Project, Reading} from './project.ts'

/** The options of `learn`. Anchors that cannot work are always skipped, so that one of them does not stop the others. */
export function learnOptionsOf(project: Project): LearnOptions & Partial<ReadOptions> {
  const {reading, fit, labels, edges} = project
  return {
    ...readOptionsOf(reading),
    ...fitOptionsOf(fit),
    skipBadAnchors: true,
    ...(edges && {edges}),
    ...(labels.length > 0 && {labels: checkedLabels(labels, fit.noise)})
  }
}

/** The labels of rows. Those of documents that were drawn because an anchor fires cannot be the source of the rates alone. */
export function checkedLabels(
  rows: readonly LabelRow[],
  noise: unknown,
  file?: string
): ReturnType<typeof labelsByKey> {
  const where = file === undefined ? '' : `${file}: `
  const anchored = rows.filter(({drawn}) => drawn === 'anchored').length
  if (noise === 'labels' && anchored > 0)
    throw new AdfaError(
      'bad-option',
      `${where}${anchored} of the labels belong to documents drawn because an anchor fires; \`noise\` 'labels' needs documents drawn at random; use \`noise\` 'auto', which handles both`,
      {details: {option: 'noise'}}
    )
  return labelsByKey(rows)
}

/** The options of the fit as the library takes them, checked. */
export function fitOptionsOf({structure, intervals = false, ...settings}: FitSettings): LearnOptions {
  const options = {...settings, ...(structure !== undefined && {network: structure})} as FitOptions
  checkFitOptions(options)
  if (intervals === false) return options
  return {...options, intervals: intervals === true ? DEFAULT_REPLICATES : Number(intervals)}
}

/** Whether the structure search needs HiGHS, which the studio does not have: exact searches of more than 22 concepts do. */
export function searchNeedsHighs(project: Project): boolean {
  const {structure, search} = project.fit
  const isExact = /^indegree:[2-9]$/.test(String(structure)) && search !== 'greedy'
  return isExact && project.anchors.filter(({any}) => any.length > 0).length > exactSearchLimit
}

/** How documents are read, as the library takes it: all options of a lexicon, checked. */
export function readOptionsOf(reading: Reading): VocabularyOptions {
  const options = {...vocabularyDefaults, ...textOptionsOf(reading), skipBadAnchors: true}
  checkVocabularyOptions('reading', options)
  return options
}
