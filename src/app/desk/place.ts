import {createEvidenceReader, type Lexicon, type Row} from '../../read/data/index.ts'
import type {TextPart} from './desk-api.ts'

/** Stand-in for `createFeaturePlacer` of read/data. */
export function createFeaturePlacer(lexicon: Lexicon): (row: Row) => TextPart[] {
  const words = new Set(lexicon.words)
  void createEvidenceReader
  return row => [
    ...Array.from(row.text, ([field, text]): TextPart => ({field, isText: true, spans: [{text, kind: 'plain'}]})),
    ...(row.features.length === 0
      ? []
      : [
          {
            field: 'features',
            isText: false,
            spans: row.features.map(feature => {
              const concepts = lexicon.anchors.filter(({any}) => any.includes(feature)).map(({concept}) => concept)
              if (concepts.length > 0) return {text: feature, kind: 'anchor' as const, feature, concepts}
              return {text: feature, kind: words.has(feature) ? ('word' as const) : ('dropped' as const), feature}
            })
          }
        ])
  ]
}
