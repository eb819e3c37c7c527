import fc from 'fast-check'
import {describe, expect, it} from 'vitest'
import {Encoder} from './encoder.ts'
import {anchorRule, learnLexicon} from './learn-lexicon.ts'
import {textDefaults} from './lexicon.ts'
import {createFeaturePlacer, type PlacedField} from './place-features.ts'
import {anyEdits, anyReading, anyRows, edited, firstAnchors} from './test-edits.ts'
import {lexiconOf, messageOf, rowOf} from './test-rows.ts'

describe('places of features', () => {
  it('join to the text, and have the words and members of the evidence', () => {
    fc.assert(
      fc.property(
        anyReading.chain(options => fc.tuple(fc.constant(options), anyRows(options))),
        anyEdits,
        ([options, rows], edits) => {
          const anchors = edits.reduce(edited, firstAnchors)
          const learn = () => learnLexicon(rows, anchorRule(anchors), options)
          if (messageOf(learn) !== undefined) return
          const lexicon = learn()
          const place = createFeaturePlacer(lexicon)
          const read = new Encoder(lexicon).encode
          for (const row of rows) {
            const fields = place(row)
            for (const [field, content] of row.text) expect(textOf(fields, field)).toBe(content)
            const ready = fields.filter(({isText}) => !isText).flatMap(({spans}) => spans)
            expect(ready.map(({feature}) => feature).sort()).toEqual(row.features.toSorted())
            const spans = fields.flatMap(({spans}) => spans)
            const evidence = read(row)
            const words = evidence.words.map(j => lexicon.words[j])
            expect(ascending(spans.filter(({kind}) => kind === 'word').map(({feature}) => feature))).toEqual(words)
            const concepts = evidence.anchors.map(i => lexicon.anchors[i].concept)
            expect(ascending(spans.flatMap(span => span.concepts ?? []))).toEqual(concepts.sort())
          }
        }
      )
    )
  })

  const row = rowOf(
    {text: 'İ has Chest-pain, no fever; heart SIZE is enlarged. 胸痛', sex: 'M', features: ['q']},
    {text: ['text'], category: ['sex']}
  )
  const anchors = {
    pain: 'chest pain',
    heart: '/heart size/',
    fever: 'text:fever',
    male: {any: 'sex:m', not: 'q'},
    large: {any: 'enlarged', not: '/\\bhas/'}
  }
  const reading = {...textDefaults, text: ['text'], category: ['sex'], negation: true}
  const lexicon = lexiconOf(anchors, ['q', 'text:enlarged', 'text:has', 'text:neg:fever', 'text:胸'], reading)

  it('tell members, words, negated words and dropped words apart', () => {
    expect(shown(createFeaturePlacer(lexicon)(row))).toEqual([
      'text: dropped[İ] _ word[has] _ anchor[Chest-pain]pain _ dropped[no] _ word!neg[fever] _ anchor[heart SIZE]heart _ dropped[is] _ word[enlarged] _ dropped[胸痛]',
      'features: word[q]',
      'sex: dropped[m]'
    ])
  })

  it('name the feature: an expression for what it takes away', () => {
    const [{spans}] = createFeaturePlacer(lexicon)(row)
    const names = spans.filter(({kind}) => kind === 'anchor' || kind === 'word').map(({feature}) => feature)
    expect(names).toEqual(['text:has', 'text:chest pain', 'text:neg:fever', '/heart size/', 'text:enlarged'])
  })
})

function textOf(fields: readonly PlacedField[], field: string): string | undefined {
  return fields
    .find(part => part.isText && part.field === field)
    ?.spans.map(({text}) => text)
    .join('')
}

function ascending(names: readonly (string | undefined)[]): string[] {
  return [...new Set(names)].filter(name => name !== undefined).sort()
}

/** One line per field, `_` for text between words. */
function shown(fields: readonly PlacedField[]): string[] {
  return fields.map(({field, spans}) => {
    const words = spans.map(({text, kind, isNegated, concepts = []}) =>
      kind === 'plain' ? '_' : `${kind}${isNegated ? '!neg' : ''}[${text}]${concepts.join()}`
    )
    return `${field}: ${words.join(' ')}`
  })
}
