import type {Draw, DrawnDocument} from './draw-documents.ts'

/** What the reader is asked: which of all concepts a document has, or whether it has one. */
export type Question =
  | {readonly drawn: 'random'; readonly document: DrawnDocument}
  | {readonly drawn: 'anchored'; readonly document: DrawnDocument; readonly concept: number}

/** Short questions come in blocks after so many whole documents: each kind is quicker answered in a row. */
const BLOCK = 10
/** All short questions are asked by this many documents, the fewest that are worth stopping at. */
const ANCHORED_BY = 100

/**
 * The order of the questions: documents drawn at random, and between them, in even blocks, the short questions, a round of all
 * concepts after another. So one may stop at any time and has been asked a bit of everything.
 */
export function planQuestions({random, anchored}: Pick<Draw, 'random' | 'anchored'>): Question[] {
  const rounds = Math.max(0, ...anchored.map(documents => documents.length))
  const short: Question[] = Array.from({length: rounds}, (_, round) =>
    anchored.flatMap((documents, concept) =>
      round < documents.length ? [{drawn: 'anchored' as const, document: documents[round], concept}] : []
    )
  ).flat()
  const blocks = Math.max(1, Math.ceil(Math.min(random.length, ANCHORED_BY) / BLOCK))
  const questions: Question[] = []
  for (let block = 0; block * BLOCK < random.length || block < blocks; block++) {
    for (const document of random.slice(block * BLOCK, (block + 1) * BLOCK)) questions.push({drawn: 'random', document})
    const [from, to] = [block, block + 1].map(b => Math.round((b * short.length) / blocks))
    questions.push(...short.slice(from, to))
  }
  return questions
}
