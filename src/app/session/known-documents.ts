/** The documents of an evaluation: those with tags, or all of them with labels, as `adfa evaluate` reads them. */
import {AdfaError} from '../../base/checks/index.ts'
import {grouped, nameList} from '../../base/text/index.ts'
import {type Model, trainingCheck} from '../../learn/model/index.ts'
import {createLabelReader, labelKey, rowKey, StrayTags} from '../../read/data/index.ts'
import {learnedNote} from '../../use/evaluation/index.ts'
import {labelsByKey} from '../../use/labelling/index.ts'
import type {Project} from '../project/index.ts'
import type {Documents} from './documents.ts'
import type {Job} from './job.ts'
import {type EvaluationTask, type KnownDocuments, KnownPacker} from './judge.ts'
import type {LearnedResult} from './pipeline.ts'

interface Gathering {
  readonly learned: LearnedResult
  readonly documents: Documents
  readonly job: Job
}

interface Tagged {
  readonly known: KnownDocuments
  /** The documents by their numbers in the project. */
  readonly numbers: readonly number[]
  /** The share of them that the model was learned from; undefined where it is not known. */
  readonly learnedShare: number | undefined
  /** What makes figures doubtful, in words. */
  readonly notes: readonly string[]
}

/** Those of the documents from `first` up to `end` that have tags or labels of their own. */
export async function taggedDocuments(gathering: Gathering, first: number, end: number): Promise<Tagged> {
  const {learned, documents, job} = gathering
  const {model} = learned
  const read = createLabelReader(model.lexicon.anchors)
  const training = trainingCheck(model)
  const packer = new KnownPacker(model)
  const stray = new StrayTags(model.lexicon)
  const numbers: number[] = []
  const marked = {known: 0, read: 0}
  const visit = (at: number) => {
    const row = documents.row(at)
    stray.add(row)
    const labels = read(row)
    if (labels === undefined) return
    const evidence = learned.evidence(at)
    const wasRead = training.wasRead({key: rowKey(row), words: evidence.words})
    if (wasRead !== undefined) marked.known++
    if (wasRead) marked.read++
    packer.add(evidence, labels)
    numbers.push(at)
  }
  await job.each(end - first, place => visit(first + place))
  if (numbers.length === 0)
    throw new AdfaError('bad-document', 'none of these documents has tags or labels; evaluate on documents that do')
  const learnedShare = marked.known === 0 ? undefined : marked.read / marked.known
  const skipped = end - first - numbers.length
  return {
    known: packer.finish(),
    numbers,
    learnedShare,
    notes: [
      ...(learnedShare ? [learnedNote(learnedShare)] : []),
      ...(skipped > 0 ? [`left out: ${grouped(skipped)} without tags`] : []),
      ...nameNotes(model, packer, stray)
    ]
  }
}

/** A concept that is no tag has no document in which it is right. */
function nameNotes({concepts}: Model, packer: KnownPacker, stray: StrayTags): string[] {
  const untagged = concepts.filter((_, i) => !packer.occurs(i))
  const names = nameList(
    untagged.map(({name}) => name),
    5
  )
  const note = `no document has the tag of ${names}; a concept is evaluated by the tag of the same name, so rename it on Anchors if its tag is spelt differently`
  return untagged.length === 0 ? stray.notes() : [note, ...stray.notes()]
}

/** All documents that were read, with the labels of the project. */
export async function labelledDocuments(
  {learned, documents, job}: Gathering,
  labels: Project['labels']
): Promise<{task: EvaluationTask; numbers: readonly number[]}> {
  const {model} = learned
  const read = createLabelReader(model.lexicon.anchors, labelsByKey(labels))
  const isWhole = new Set(labels.filter(({drawn}) => drawn !== 'anchored').map(({id}) => String(id)))
  const numbers = [...documents.inOrder()]
  const packer = new KnownPacker(model)
  const unknown = new Int8Array(model.concepts.length).fill(-1)
  const rows = new Map<number, {key: string; isWhole: boolean}>()
  await job.each(numbers.length, place => {
    const row = documents.row(numbers[place])
    const own = read(row)
    packer.add(learned.evidence(numbers[place]), own ?? unknown)
    if (own !== undefined) rows.set(place, {key: rowKey(row), isWhole: isWhole.has(labelKey(row))})
  })
  if (![...rows.values()].some(one => one.isWhole))
    throw new AdfaError('bad-document', 'no labelled document drawn at random is among these; label some first')
  return {task: {by: 'labels', model, known: packer.finish(), rows, seed: 0}, numbers}
}
