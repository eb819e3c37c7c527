import {AdfaError, badOption, throwIfCancelled, whole, withDefaults} from '../../base/checks/index.ts'
import {type CountOptions, type Counts, checkCountOptions, countDefaults} from '../counts/index.ts'
import {
  type AnchorRule,
  checkVocabularyOptions,
  type Lexicon,
  type LexiconPass,
  lexiconPasses,
  type Row,
  type VocabularyOptions,
  vocabularyDefaults
} from '../data/index.ts'
import type {CountingEngine, CountingStage, EngineControl, RowSource} from './counting-engine.ts'
import type {SampleOptions} from './document-sample.ts'
import {memoryEngine} from './worker-engine.ts'

/** Where anchors and words come from: a rule to learn them by, or counts or a model made before. */
export type AnchorSource = AnchorRule | {readonly kind: 'lexicon'; readonly lexicon: Lexicon}

export interface CountingOptions extends VocabularyOptions, CountOptions {}

export const countingDefaults: CountingOptions = {...vocabularyDefaults, ...countDefaults}

/**
 * Count the documents of an engine: by the passes of `lexiconPasses`, then one to count, which also draws
 * `control.sample`. With a known lexicon, only the last.
 */
export async function countWith(
  engine: CountingEngine,
  anchors: AnchorSource,
  options?: Partial<CountingOptions>,
  control: EngineControl = {}
): Promise<Counts> {
  const checked = checkOptions(withDefaults('counting', countingDefaults, options))
  if (control.sample !== undefined) checkSample(engine, control.sample)
  const {labelShare, seed} = checked
  const lexicon =
    anchors.kind === 'lexicon'
      ? anchors.lexicon
      : await learnLexicon(engine, anchors, checked, {...control, counting: {labelShare, seed}})
  return engine.count({lexicon, labelShare, seed}, control)
}

/** {@link countWith} documents that this process reads, in streaming passes with bounded memory. */
export async function countDocuments(
  source: RowSource,
  anchors: AnchorSource,
  options?: Partial<CountingOptions>,
  control?: EngineControl
): Promise<Counts> {
  return countWith(memoryEngine(source), anchors, options, control)
}

/** Anchors that work, and the vocabulary, by the passes of `lexiconPasses`. */
export async function learnLexicon(
  engine: CountingEngine,
  rule: AnchorRule,
  options: CountingOptions,
  control: EngineControl
): Promise<Lexicon> {
  const passes = lexiconPasses(rule, options)
  let step = passes.next()
  while (!step.done) {
    await runPass(engine, step.value, control)
    step = passes.next()
  }
  return step.value
}

async function runPass(engine: CountingEngine, pass: LexiconPass, control: EngineControl): Promise<void> {
  if (pass.stage === 'tags') return engine.surveyTags(pass.to, control)
  if (pass.stage === 'vocabulary') return engine.surveyWords(pass.to, control)
  if (engine.rows === undefined)
    throw new AdfaError(
      'bad-option',
      `no anchors given, and the engine ${engine.name} holds ready-made words, not votes; give \`anchors\``,
      {details: {option: 'anchors'}}
    )
  await eachBatch(engine.rows, pass.stage, control, batch => {
    for (const row of batch) pass.to.add(row)
  })
}

async function eachBatch(
  rows: RowSource,
  stage: CountingStage,
  {onProgress, signal}: EngineControl,
  visit: (batch: readonly Row[]) => void
): Promise<void> {
  let documents = 0
  for await (const batch of rows.batches(signal)) {
    throwIfCancelled(signal)
    visit(batch)
    documents += batch.length
    onProgress?.(stage, documents)
  }
}

function checkOptions(options: CountingOptions): CountingOptions {
  checkVocabularyOptions('counting', options)
  return checkCountOptions(options)
}

function checkSample({name, rows}: CountingEngine, {size}: SampleOptions): void {
  const [holds, rule] = whole(1)
  if (!holds(size)) throw badOption('counting', 'sample.size', rule, size)
  if (rows === undefined)
    throw new AdfaError(
      'bad-option',
      `the engine ${name} holds no documents to draw a sample from; leave \`sample\` out`,
      {
        details: {option: 'sample'}
      }
    )
}
