import type {Command} from 'commander'
import {AdfaError} from '../../../base/checks/index.ts'
import {counted} from '../../../base/text/index.ts'
import type {EvidenceUse} from '../../../learn/inference/index.ts'
import type {Model} from '../../../learn/model/index.ts'
import {Encoder, FieldSurvey} from '../../../read/data/index.ts'
import {openDocuments} from '../../../read/files/index.ts'
import {OpenLabelEvaluation} from '../../../use/evaluation/index.ts'
import {createLabelledReader} from '../../pipeline/index.ts'
import {blocksText, evaluationBlocks, labelBlocks, leftOutNotes, reliabilityBlocks} from '../../present/index.ts'
import {flagOf, share, workerSettings} from '../../project/index.ts'
import {
  type CommonOptions,
  commonOptions,
  formatOptions,
  outputOf,
  readModel,
  typedOptions,
  usageError,
  WORD_MODELS,
  WORDS_OPTION
} from '../common-options.ts'
import {addCommand} from '../declare.ts'
import {type ComparisonOptions, evaluateDocuments} from '../evaluate/documents.ts'
import type {Output} from '../output.ts'
import {readLabels} from '../read-anchors.ts'
import {eachDocument, readingOf} from '../read-input.ts'
import {MISSING_OPTION, refuseMissing} from '../unseen-fields.ts'

interface EvaluateOptions extends CommonOptions, ComparisonOptions {
  readonly words: EvidenceUse['wordModel']
  readonly reliability?: true
  readonly labels?: string
  readonly threshold?: number
}

export function addEvaluateCommand(program: Command): void {
  addCommand(program, {words: WORD_MODELS, threshold: share}, [...formatOptions, ...workerSettings, ...commonOptions])`
evaluate: compare predictions with true tags, alongside baselines
Compare the predictions of a model with the tags or labels of documents, alongside those of simple baselines.
  <model>             a model file
  <docs...>           tagged documents not used for fitting, or -
  --train <files...>  tagged training documents, for an oracle that learns from true tags
  --baselines         with --train: also train classifiers on anchors, and upper bounds on true tags
  --hold-out          judge only on the documents that adfa fit --hold-out left out; --train takes the others
  ${WORDS_OPTION}
  ${MISSING_OPTION}
  --reliability       also show a calibration table
  --labels <file>     F1, precision and recall with intervals from labels written by adfa label; replaces tags (default: those of adfa.json, if no document has tags)
  --threshold <p>     with --labels: probability from which a concept is reported (default: the threshold of the model, or 0.5)

Figures: accuracy of predicting the last tag from the others; mean log-likelihood of the tags; and, with no tag known, mean
average precision, AUC, F1 at a threshold of 0.5 and at the method's own threshold (*), Brier score and calibration error.

Baselines: "noisy-or" is the same model with its noisy-or links, "prior" and "anchors-only" know nothing of words. Those of --baselines learn from
anchors or votes; "oracle", "oracle-ml" and "supervised" learn from true tags, the last one from all and from 100, 500, 1,000 and 2,000 labelled
documents, which tells how many labels the model is worth. A report (adfa report --data) says what each method is.

Examples:
  adfa evaluate model.json notes.jsonl --labels labels.jsonl   # all documents, some of them labelled
  adfa evaluate model.json heldout.jsonl
  adfa evaluate model.json heldout.jsonl --reliability
  adfa evaluate model.json notes.jsonl --hold-out              # after adfa fit notes.jsonl --hold-out
  adfa evaluate model.json heldout.jsonl --train train.jsonl --json
  adfa evaluate model.json heldout.jsonl --train train.jsonl --baselines   # takes minutes`.action(runEvaluate)
}

async function runEvaluate(
  modelPath: string,
  paths: string[],
  options: EvaluateOptions,
  command: Command
): Promise<void> {
  const output = outputOf(options, command)
  const loaded = await readModel(modelPath)
  const model: Model = options.words === 'noisy-or' ? {...loaded, wordModel: {kind: 'noisy-or'}} : loaded
  // The labels of a project are for documents without tags; a threshold is for labels.
  const ofProject = command.getOptionValueSource('labels') === 'config' ? options.labels : undefined
  if (options.labels !== undefined && (ofProject === undefined || options.threshold !== undefined))
    return evaluateLabels(model, paths, options, command, output)
  if (options.threshold !== undefined)
    throw usageError('--threshold is for --labels; give a labels file, or leave it out')
  const found = await evaluateDocuments(model, paths, options, output).catch(error => {
    if (ofProject !== undefined && error instanceof AdfaError && error.details.isUntagged) return undefined
    throw error
  })
  if (found === undefined) {
    output.note(`no document has tags; evaluated by the labels of ${ofProject}`)
    return evaluateLabels(model, paths, options, command, output)
  }
  const {evaluation, left} = found
  output.json({...evaluation, untagged: left.skipped, filtered: left.filtered, learnedShare: left.learnedShare})
  for (const note of leftOutNotes(left)) output.note(note)
  output.print(
    blocksText([...evaluationBlocks(evaluation), ...(options.reliability ? reliabilityBlocks(evaluation) : [])])
  )
}

/** F1, precision and recall from labelled documents. */
async function evaluateLabels(
  model: Model,
  paths: readonly string[],
  options: EvaluateOptions,
  command: Command,
  output: Output
): Promise<void> {
  const {labels: path = '', threshold, seed} = options
  const named = (['train', 'baselines', 'reliability'] as const).filter(name => options[name] !== undefined)
  const tagged = [...named, ...typedOptions(command, ['holdOut', 'workers'])]
  if (tagged.length > 0)
    throw usageError(`${tagged.map(flagOf).join(', ')} needs tagged documents; leave it out, or leave --labels out`)
  const labels = await readLabels(path)
  const read = createLabelledReader(model, labels, labels.rows)
  const encoder = new Encoder(model.lexicon)
  const evaluation = new OpenLabelEvaluation(model, threshold)
  const source = openDocuments(paths, readingOf(model, options, output))
  const survey = new FieldSurvey(model.lexicon.reading)
  const documents = await eachDocument(source, 'reading documents', output, row => {
    survey.add(row)
    if (encoder.accepts(row)) evaluation.add({...read(row), evidence: encoder.encode(row)})
  })
  await refuseMissing(survey.unseen(), model.lexicon, paths, options)
  labels.check(model, output, false)
  if (evaluation.labelled === 0)
    throw new AdfaError(
      'bad-document',
      `${path}: none of its documents drawn at random is among the ${counted(documents, 'document')} read that pass the model's filter; label some with adfa label`
    )
  const judged = evaluation.finish(seed)
  output.json(judged)
  output.print(blocksText(labelBlocks(judged, model)))
}
