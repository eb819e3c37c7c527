import {AdfaError} from '../../base/checks/index.ts'
import type {Model} from '../../learn/model/index.ts'
import {
  type AnchorScores,
  judgeNoise,
  type NoiseMethod,
  type NoiseVerdict,
  scoreAnchors
} from '../../learn/noise/index.ts'
import {type Counts, labelledDocuments} from '../../read/counts/index.ts'
import type {Corpus, Row} from '../../read/data/index.ts'
import {findForms} from './anchor-forms.ts'
import {type Diagnosis, diagnose} from './diagnose.ts'

/** What a check of anchors reads beside the counts. */
export interface ExamineInput {
  readonly noise?: NoiseMethod | undefined
  readonly seed: number
  /** The sample of documents that a fit reads, as rows; undefined where there are only counts. */
  readonly rows: readonly Row[] | undefined
  /** The same documents read by the lexicon of the counts, with their labels. */
  readonly sample: () => Corpus | undefined
  readonly onProgress?: ((done: number, concepts: number) => void) | undefined
}

export interface Examination {
  readonly diagnosis: Diagnosis
  /** The rates that a fit uses, or why it refuses a concept. */
  readonly verdict: NoiseVerdict
  /** Where rates rest on the words of documents. */
  readonly scores: AnchorScores | undefined
}

/** Check every anchor, with the verdict of a fit on the same documents, by the same rule and from the same numbers. */
export async function examine(counts: Counts, input: ExamineInput): Promise<Examination> {
  const {noise = 'auto', seed, rows, onProgress} = input
  // No word changes the verdict of `auto`, and scoring all documents takes long.
  const isScored = noise === 'positive-only' || noise === 'irreducible'
  const sample = input.sample()
  const scores = isScored && sample ? scoreAnchors(sample, {seed}, onProgress && {onProgress}) : undefined
  const verdict = judgeNoise(counts, noise, {scores})
  const forms = findForms(counts, rows)
  const encoded = sample?.documents ?? []
  const labelled = labelledDocuments(counts) > 0 ? encoded : []
  const diagnosis = await diagnose(counts, {...verdict, forms, labelled, encoded, ...(rows && {documents: rows})})
  return {diagnosis, verdict, scores}
}

/** What `adfa doctor` finds in counts with the anchors of the model; `name` is that of the counts. */
export async function diagnoseModel(model: Model, counts: Counts, name: string): Promise<Diagnosis> {
  checkSameAnchors(model, counts, name)
  return (await examine(counts, {seed: 0, rows: undefined, sample: () => undefined})).diagnosis
}

/** Every anchor of the model must be in the counts, with the same features; the counts may have more. */
function checkSameAnchors({lexicon}: Model, counts: Counts, name: string): void {
  const described = ({any, not}: Counts['lexicon']['anchors'][number]) => JSON.stringify([any, not])
  const counted = new Map(counts.lexicon.anchors.map(anchor => [anchor.concept, described(anchor)]))
  const other = lexicon.anchors.find(anchor => counted.get(anchor.concept) !== described(anchor))
  if (other !== undefined)
    throw new AdfaError(
      'mismatch',
      `${name}: its anchors are not those of the model: "${other.concept}" is ${counted.has(other.concept) ? 'anchored otherwise' : 'not in it'}; ` +
        'give the counts the model was learned from, or count with --like and the model'
    )
}
