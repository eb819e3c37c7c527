/** The first documents as they would be read, before they are. */
import {
  type Anchors,
  createFeaturePlacer,
  DocumentIndex,
  type FeatureSpan,
  type Row,
  type SeenFeature
} from '../../read/data/index.ts'
import {bareLexicon, spanView} from './document-views.ts'
import type {Reading} from './project.ts'
import {readOptionsOf} from './read-options.ts'
import type {Source} from './sources.ts'
import type {Preview} from './views.ts'

const SHOWN = 20
/** Rows from which shares of words are estimated. */
const SURVEYED = 200
const DROPPED = 20
/** Words and stretches between them that are shown of a field. */
const SPANS = 400

export async function preview(source: Source, reading: Reading, anchors: Anchors): Promise<Preview> {
  const options = readOptionsOf(reading)
  const rows: Row[] = []
  for await (const batch of source.batches(reading, options)) {
    rows.push(...batch.rows.slice(0, SURVEYED - rows.length))
    if (rows.length >= SURVEYED) break
  }
  const index = new DocumentIndex(options)
  for (const row of rows) index.add(row)
  const words = [...index.words()].sort((a, b) => b.documents - a.documents)
  const isFrequent = ({documents}: SeenFeature) => documents > options.maxShare * rows.length
  const kept = words.filter(word => !isFrequent(word)).map(({name}) => name)
  const lexicon = bareLexicon(options, {anchors: anchors.filter(({any}) => any.length > 0), words: kept.sort()})
  const place = createFeaturePlacer(lexicon)
  return {
    rows: rows.slice(0, SHOWN).map((row, at) => ({
      name: String(row.id ?? at + 1),
      parts: place(row).map(({field, isText, spans}) => ({field, isText, spans: cut(spans).map(spanView)}))
    })),
    surveyed: rows.length,
    kept: kept.length,
    dropped: words
      .filter(isFrequent)
      .slice(0, DROPPED)
      .map(({name, documents}) => ({word: name, share: documents / rows.length}))
  }
}

function cut(spans: readonly FeatureSpan[]): readonly FeatureSpan[] {
  return spans.length <= SPANS ? spans : [...spans.slice(0, SPANS), {text: ' …', kind: 'plain'}]
}
