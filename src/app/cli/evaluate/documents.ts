import {AdfaError} from '../../../base/checks/index.ts'
import {counted} from '../../../base/text/index.ts'
import type {Model} from '../../../learn/model/index.ts'
import {type CorpusDocument, createEncoder, type Evidence} from '../../../read/data/index.ts'
import {openDocuments} from '../../../read/files/index.ts'
import {anchorsInNetwork, type Baseline, trainBaselines, trainCeiling} from '../../../use/baselines/index.ts'
import {type Evaluation, fitIndependent, OracleTrainer, openEvaluation} from '../../../use/evaluation/index.ts'
import {createPredictor, type Predictor} from '../../../use/prediction/index.ts'
import type {FormatOptions} from '../common-options.ts'
import type {Output} from '../output.ts'
import {loadPlugin, type Plugin} from '../plugin.ts'
import {interruptible} from '../signals.ts'

/** Comparisons that need training. */
export interface ComparisonOptions extends FormatOptions {
  /** Tagged training documents, for the oracle. */
  readonly train?: readonly string[]
  /** Also train classifiers and ceilings on them. */
  readonly baselines?: true
  /** A module with further baselines. */
  readonly plugin?: string
  readonly seed: number
}

export interface EvaluatedDocuments {
  readonly evaluation: Evaluation
  /** Documents left out: without tags, or rejected by the filter of the model. */
  readonly skipped: number
  readonly filtered: number
}

/** Compares a model, and the comparisons that `options` ask for, with the tags of documents. */
export async function evaluateDocuments(
  model: Model,
  paths: readonly string[],
  options: ComparisonOptions,
  output: Output
): Promise<EvaluatedDocuments> {
  if (options.baselines && options.train === undefined)
    throw new AdfaError('bad-option', '--baselines are trained on documents; name them with --train')
  let oracle: Model | undefined
  let others: Readonly<Record<string, Predictor>> = {}
  if (options.train !== undefined) {
    const trainer = new OracleTrainer(model)
    const documents: CorpusDocument[] = []
    const source = {paths: options.train, options, purpose: 'training'} as const
    await eachTagged(model, source, output, (evidence, truth) => {
      trainer.add(evidence, truth)
      if (options.baselines) documents.push({key: String(documents.length), evidence, truth})
    })
    oracle = trainer.finish()
    if (options.baselines) {
      const {baselines} = await loadPlugin(options.plugin)
      const trained = trainOthers(model, documents, options.seed, output)
      noteUntrained(trained, output)
      others = {...trained, ...trainOwn(baselines, model, documents, options.seed)}
    }
  }
  const evaluation = openEvaluation(model, oracle, others)
  const source = {paths, options, purpose: 'held-out'} as const
  const left = await eachTagged(model, source, output, (evidence, truth) => evaluation.add(evidence, truth))
  return {evaluation: evaluation.finish(), ...left}
}

/** Baselines that learn from anchors, and upper bounds that learn from true tags. */
function trainOthers(model: Model, documents: readonly CorpusDocument[], seed: number, output: Output) {
  const {concepts, lexicon, network} = model
  const corpus = {lexicon, documents}
  const telling = (what: string) => ({
    onProgress: (done: number, all: number) => output.progress(`training ${what}: classifiers`, done / all)
  })
  return interruptible(() => ({
    'anchors-network': anchorsInNetwork(corpus, concepts, network),
    independent: createPredictor(fitIndependent(model, documents)),
    ...trainBaselines(corpus, concepts, {seed}, telling('baselines')),
    ...trainCeiling(corpus, concepts, {seed}, telling('ceilings'))
  }))
}

/** Names the concepts that classifiers could not learn. */
function noteUntrained(
  {'anchor-label': onAnchors, supervised}: Readonly<Record<'anchor-label' | 'supervised', Baseline>>,
  output: Output
): void {
  for (const [what, {certificate}] of [
    ['on anchors', onAnchors],
    ['on tags', supervised]
  ] as const)
    for (const {concept, reason} of certificate.untrained ?? [])
      output.note(`classifiers ${what} have only the prevalence of "${concept}": ${reason}`)
}

function trainOwn(
  trainers: Plugin['baselines'],
  {concepts, lexicon}: Model,
  documents: readonly CorpusDocument[],
  seed: number
): Record<string, Predictor> {
  const trained = Object.entries(trainers).map(([name, train]) => [name, train({lexicon, documents}, concepts, {seed})])
  return Object.fromEntries(trained)
}

interface TaggedSource {
  readonly paths: readonly string[]
  readonly options: FormatOptions
  readonly purpose: 'training' | 'held-out'
}

/** Visits every document that has tags or labels and passes the filter of the model. */
async function eachTagged(
  model: Model,
  {paths, options: {format, separator}, purpose}: TaggedSource,
  output: Output,
  visit: (evidence: Evidence, truth: Int8Array) => void
): Promise<{skipped: number; filtered: number}> {
  const encoder = createEncoder(model.lexicon)
  const source = openDocuments(paths, {...model.lexicon.text, format, separator})
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
        `reading ${purpose} documents: ${counted(documents, 'document')}`,
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
