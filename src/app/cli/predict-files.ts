import {usualWorkers} from '../../read/engines/index.ts'
import type {DocumentSource} from '../../read/files/index.ts'
import type {DocumentBlock} from '../../read/reading/index.ts'
import {eachBlock} from './each-block.ts'
import type {Output} from './output.ts'
import {createBlockPredictor, type PredictedBlock, type PredictionJob, type TagCounts} from './predict-blocks.ts'

/** These may take a second per document, during which no signal would get through: they run on a thread. */

/** What all blocks add up to. */
export interface Predicted {
  readonly documents: number
  readonly unconverged: number
  readonly unseen: readonly string[]
  readonly tags: TagCounts | undefined
  /** Tags of the documents, where these are the known concepts. */
  readonly knownTags: ReadonlySet<string>
}

/** Predicts all documents and closes them; `write` takes the blocks in order. */
export async function predictDocuments(
  job: PredictionJob,
  source: DocumentSource,
  {workers = usualWorkers(source), output}: {readonly workers?: number | undefined; readonly output: Output},
  write: (block: PredictedBlock) => Promise<void>
): Promise<Predicted> {
  let sum: Predicted = {documents: 0, unconverged: 0, unseen: [], tags: undefined, knownTags: new Set()}
  const take = async (block: PredictedBlock) => {
    await write(numbered(block, sum.documents + 1))
    sum = added(sum, block)
  }
  const worker = new URL('./predict-worker.ts', import.meta.url)
  const isSlow = job.use.method === 'exact'
  await eachBlock(
    source,
    {stage: 'predicting', job, begin: createBlockPredictor, worker, take},
    {workers: isSlow ? Math.max(1, workers) : workers, output, blocks: isSlow ? singly(source) : undefined}
  )
  return sum
}

/** Blocks of one document, so that the first is written before many more are predicted. */
async function* singly(source: DocumentSource): AsyncGenerator<DocumentBlock> {
  for await (const batch of source.batches()) for (const row of batch) yield {kind: 'rows', rows: [row]}
}

/** The block with the numbers of documents without an id, of which the first has the number `first`. */
function numbered(block: PredictedBlock, first: number): PredictedBlock {
  const {bytes, cells, unnamed} = block
  if (unnamed.length === 0) return block
  const parts: Uint8Array[] = []
  let from = 0
  for (const {document, place} of unnamed) {
    const id = String(first + document)
    if (cells.length > 0) cells[document][0] = id
    parts.push(bytes.subarray(from, place), Buffer.from(id))
    from = place
  }
  return cells.length > 0 ? block : {...block, bytes: Buffer.concat([...parts, bytes.subarray(from)])}
}

function added(sum: Predicted, {documents, unconverged, unseen, tags, knownTags}: PredictedBlock): Predicted {
  const isFirst = sum.documents === 0
  return {
    documents: sum.documents + documents,
    unconverged: sum.unconverged + unconverged,
    unseen: isFirst ? unseen : sum.unseen.filter(name => unseen.includes(name)),
    tags: sum.tags === undefined || tags === undefined ? tags : addedTags(sum.tags, tags),
    knownTags: knownTags.length === 0 ? sum.knownTags : new Set([...sum.knownTags, ...knownTags])
  }
}

function addedTags(a: TagCounts, b: TagCounts): TagCounts {
  const plus = (x: readonly number[], y: readonly number[]) => x.map((value, i) => value + y[i])
  return {
    documents: a.documents + b.documents,
    anchored: plus(a.anchored, b.anchored),
    tagged: plus(a.tagged, b.tagged),
    withoutAnchor: plus(a.withoutAnchor, b.withoutAnchor),
    likely: plus(a.likely, b.likely),
    labelled: a.labelled + b.labelled,
    withTags: a.withTags + b.withTags
  }
}
