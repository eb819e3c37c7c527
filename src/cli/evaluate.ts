import type {Command} from 'commander'
import {
  AdfaError,
  anchorsInNetwork,
  type CorpusDocument,
  createEncoder,
  type Evidence,
  type EvidenceUse,
  fitIndependent,
  loadModel,
  type Model,
  modelPredictor,
  OracleTrainer,
  openEvaluation,
  type Predictor,
  trainBaselines,
  trainCeiling
} from '../index.ts'
import {openDocuments, readTextFile} from '../node.ts'
import {addCommonOptions, addFormatOptions, type CommonOptions, type FormatOptions, outputOf} from './common-options.ts'
import {figureTable, reliabilityTable} from './figures.ts'
import {interruptible} from './interruptible.ts'
import type {Output} from './output.ts'
import {channelOption} from './predict.ts'

interface EvaluateOptions extends CommonOptions, FormatOptions {
  readonly train?: readonly string[]
  readonly baselines?: true
  readonly channel: EvidenceUse['channel']
  readonly reliability?: true
}

export function addEvaluateCommand(program: Command): void {
  const command = program
    .command('evaluate')
    .summary("compare predictions with the rows' tags, beside baselines")
    .description("Compare a model with the truth in the rows' tags or labels. Baselines always stand beside it.")
    .argument('<model>', 'a model file')
    .argument('<docs...>', 'tagged documents that the model was not fitted on, or -')
    .option('--train <files...>', 'tagged training documents, for the oracle that learns from true tags')
    .option(
      '--baselines',
      'with --train: also classifiers that learn from anchors, and ceilings that learn from true tags'
    )
    .addOption(channelOption())
    .option('--reliability', 'also show how often each probability comes true')
  addCommonOptions(addFormatOptions(command))
    .addHelpText(
      'after',
      `
Figures: accuracy of the last tag given the others; mean log-likelihood of the tags; and, with no tag known, mean average
precision, AUC, F1 from a probability of 0.5 on and from each method's own threshold on (*), Brier score and calibration error. "noisy-or" is
the same model, read by its noisy-or links. "prior" and "anchors-only" take concepts as independent, as does "independent", the same
learner without a network. The classifiers of --baselines take the anchor as label (anchor-label), correct that for what is unlabelled (positive-unlabelled) or for noise
(noise-unbiased, noise-weighted), or impute tags once; "-rule" believes a fired anchor. supervised and oracle-ml read true tags.

Examples:
  adfa evaluate model.json heldout.jsonl --reliability
  adfa evaluate model.json heldout.jsonl --train train.jsonl --json
  adfa evaluate model.json heldout.jsonl --train train.jsonl --baselines   # minutes`
    )
    .action(async (modelPath: string, paths: string[], options: EvaluateOptions) => {
      const output = outputOf(options)
      const loaded = loadModel(await readTextFile(modelPath), modelPath)
      const model: Model = options.channel === 'noisy-or' ? {...loaded, channel: {kind: 'noisy-or'}} : loaded
      if (options.baselines && options.train === undefined)
        throw new AdfaError('bad-option', '--baselines are trained on documents; name them with --train')
      let oracle: Model | undefined
      let others: Readonly<Record<string, Predictor>> = {}
      if (options.train !== undefined) {
        const trainer = new OracleTrainer(model)
        const documents: CorpusDocument[] = []
        await eachTagged(model, options.train, options, output, 'training', (evidence, truth) => {
          trainer.add(evidence, truth)
          if (options.baselines) documents.push({key: String(documents.length), evidence, truth})
        })
        oracle = trainer.finish()
        if (options.baselines) others = trainOthers(model, documents, options.seed, output)
      }
      const evaluation = openEvaluation(model, oracle, others)
      const {skipped, filtered} = await eachTagged(model, paths, options, output, 'held-out', (evidence, truth) =>
        evaluation.add(evidence, truth)
      )
      const result = evaluation.finish()
      output.json({...result, untagged: skipped, filtered})
      const left = [
        skipped > 0 ? `${skipped} without tags` : '',
        filtered > 0 ? `${filtered} not passing the model's document filter` : ''
      ].filter(text => text !== '')
      if (left.length > 0) output.note(`left out: ${left.join(', ')}`)
      output.print(
        `${result.documents.toLocaleString('en')} documents, ${result.latents} concepts\n\n${figureTable(result)}`
      )
      if (options.reliability) output.print(`\n${reliabilityTable(result.tagging)}`)
    })
}

/** What learns from anchors, and what learns from true tags. */
function trainOthers(model: Model, documents: readonly CorpusDocument[], seed: number, output: Output) {
  const {latents, lexicon, network} = model
  const corpus = {lexicon, documents}
  const telling = (what: string) => ({
    onProgress: (done: number, all: number) => output.progress(`training ${what}: classifiers`, done / all)
  })
  return interruptible(() => ({
    'anchors-network': anchorsInNetwork(corpus, latents, network),
    independent: modelPredictor(fitIndependent(model, documents)),
    ...trainBaselines(corpus, latents, {seed}, telling('baselines')),
    ...trainCeiling(corpus, latents, {seed}, telling('ceilings'))
  }))
}

/** Visit every document that says something of the truth and passes the model's filter. */
async function eachTagged(
  model: Model,
  paths: readonly string[],
  {format, separator}: FormatOptions,
  output: Output,
  purpose: 'training' | 'held-out',
  visit: (evidence: Evidence, truth: Int8Array) => void
): Promise<{skipped: number; filtered: number}> {
  const encoder = createEncoder(model.lexicon)
  const source = openDocuments(paths, {fields: model.lexicon.text.fields, format, separator})
  let documents = 0
  let skipped = 0
  let filtered = 0
  try {
    for await (const batch of source.batches()) {
      for (const row of batch) {
        const truth = encoder.truth(row)
        if (truth === undefined) skipped++
        else if (encoder.accepts(row)) visit(encoder.encode(row), truth)
        else filtered++
      }
      documents += batch.length
      output.progress(
        `reading ${purpose} documents: ${documents.toLocaleString('en')} documents`,
        source.bytesRead() / (source.byteCount ?? Number.NaN)
      )
    }
  } finally {
    output.done()
    await source.close()
  }
  if (skipped + filtered === documents)
    throw new AdfaError(
      'bad-document',
      `${source.names.join(', ')}: no ${purpose} document has tags or labels and passes the model's filter; ` +
        `of ${documents}, ${skipped} have none and ${filtered} do not pass; give documents that do`
    )
  return {skipped, filtered}
}
