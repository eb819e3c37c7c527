import {AdfaError, badOption, whole, withDefaults} from '../../base/checks/index.ts'
import {type CountOptions, type Counts, checkCountOptions, countDefaults} from '../counts/index.ts'
import {
  type AnchorRule,
  checkVocabularyOptions,
  type Lexicon,
  lexiconPasses,
  type VocabularyOptions,
  vocabularyDefaults,
  type WordSurvey
} from '../data/index.ts'
import type {CountingEngine, CountKept, EngineControl, RowSource, SampleOptions} from './counting-engine.ts'
import {documentsEngine} from './worker-engine.ts'

/** Where anchors and words come from: a rule to learn them by, or counts or a model made before. */
export type AnchorSource = AnchorRule | {readonly kind: 'lexicon'; readonly lexicon: Lexicon}

export interface CountingOptions extends VocabularyOptions, CountOptions {}

export const countingDefaults: CountingOptions = {...vocabularyDefaults, ...countDefaults}

/**
 * Count the documents of an engine: by the passes of `lexiconPasses`, then one to count, which also draws
 * `control.sample`; an engine that keeps what the last pass read needs no further one. With a known lexicon, only the last.
 */
export async function countWith(
  engine: CountingEngine,
  anchors: AnchorSource,
  options?: Partial<CountingOptions>,
  control: EngineControl = {}
): Promise<Counts> {
  const checked = checkCountOptions(withDefaults('counting', countingDefaults, options))
  checkVocabularyOptions('counting', checked)
  if (control.sample !== undefined) checkSample(engine, control.sample)
  const counting = {labelShare: checked.labelShare, seed: checked.seed}
  if (anchors.kind === 'lexicon') return engine.count({lexicon: anchors.lexicon, ...counting}, control)
  const {lexicon, countKept} = await runPasses(engine, anchors, checked, {...control, counting})
  const header = {lexicon, ...counting}
  return (await countKept?.(header)) ?? engine.count(header, control)
}

/** {@link countWith} documents that this process reads, in streaming passes with bounded memory. */
export async function countDocuments(
  source: RowSource,
  anchors: AnchorSource,
  options?: Partial<CountingOptions>,
  control?: EngineControl
): Promise<Counts> {
  return countWith(documentsEngine(source, 0), anchors, options, control)
}

/** Anchors that work and the vocabulary, by the passes of `lexiconPasses`, and how to count what the last of them kept. */
async function runPasses(
  engine: CountingEngine,
  rule: AnchorRule,
  options: CountingOptions,
  control: EngineControl
): Promise<{readonly lexicon: Lexicon; readonly countKept?: CountKept | undefined}> {
  if (rule.kind === 'votes')
    rowsOf(engine, 'anchors', 'no anchors given, and votes are read in documents; give `anchors`')
  const passes = lexiconPasses(rule, options)
  let step = passes.next()
  let countKept: CountKept | undefined
  while (!step.done) {
    const pass = step.value
    let survey: WordSurvey | undefined
    if (pass.stage === 'tags') await engine.surveyTags(pass.to, control)
    else ({survey, countKept} = await engine.surveyWords(pass.by, control))
    step = passes.next(survey)
  }
  return {lexicon: step.value, countKept}
}

function checkSample(engine: CountingEngine, {size}: SampleOptions): void {
  const [holds, rule] = whole(1)
  if (!holds(size)) throw badOption('counting', 'sample.size', rule, size)
  rowsOf(engine, 'sample', 'a sample is drawn from documents; leave `sample` out')
}

function rowsOf({name, rows}: CountingEngine, option: string, fault: string): RowSource {
  if (rows !== undefined) return rows
  const wayOut = name === 'groups' ? 'give the documents themselves, not groups of them' : 'use the memory engine'
  throw new AdfaError('bad-option', `${fault}, or ${wayOut}`, {details: {option}})
}
