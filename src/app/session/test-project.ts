import fc from 'fast-check'
import type {LabelRow} from '../../use/labelling/index.ts'
import type {Project} from '../project/index.ts'
import {applyEdit, type Edit} from './edits.ts'

export const emptyProject: Project = {
  name: 'visits',
  reading: {text: ['text']},
  anchors: [],
  fit: {},
  labels: [],
  documents: undefined
}

/** The project after some edits, all of which must work. */
export function edited(project: Project, ...edits: readonly Edit[]): Project {
  return edits.reduce(applyEdit, project)
}

/** The project after those of the edits that work. */
export function editedWhereAllowed(project: Project, edits: readonly Edit[]): Project {
  return edits.reduce((before, edit) => {
    try {
      return applyEdit(before, edit)
    } catch {
      return before
    }
  }, project)
}

export function labelRow(id: string | number, labels: Readonly<Record<string, boolean>>, more: object = {}): LabelRow {
  return {
    id,
    labels: new Map(Object.entries(labels)),
    drawn: 'random',
    skipped: undefined,
    others: new Map(),
    ...more
  }
}

// Few names, so that edits meet; some that are odd as keys of objects.
const concept = fc.constantFrom('alcohol', 'fall', 'chest pain', '10', '2', '__proto__', 'a"b', '$x', '')
const feature = fc.constantFrom(
  'etoh',
  'ETOH',
  'text:etoh',
  'chest pain',
  '/fell|fall/',
  '/(/',
  'sex:m',
  'votes:a=fall'
)
const share = fc.constantFrom(0.01, 0.2, 0.9, 1)
const rates = fc.oneof(
  fc.record({kind: fc.constant('rates' as const), truePositive: share, falsePositive: share}),
  fc.record({kind: fc.constant('shares' as const), prevalence: share, precision: share}),
  fc.constant(undefined)
)

const rows: fc.Arbitrary<LabelRow[]> = fc.uniqueArray(
  fc.record({
    id: fc.oneof(fc.string(), fc.integer()),
    labels: fc
      .dictionary(fc.constantFrom('alcohol', 'fall', '10', 'other'), fc.boolean())
      .map(labels => new Map(Object.entries(labels))),
    drawn: fc.constantFrom('random', 'anchored', undefined),
    skipped: fc.constantFrom(undefined, {concept: undefined}, {concept: 'fall'}),
    others: fc.dictionary(fc.stringMatching(/^x/), fc.jsonValue()).map(others => new Map(Object.entries(others)))
  }),
  {selector: ({id}) => String(id), maxLength: 5}
)

const names = fc.uniqueArray(fc.constantFrom('note', 'a, b', ' c ', "d'e"), {maxLength: 3})
const number = fc.constantFrom(['age:10'], ['age:18,40', 'pulse:5'])
const vocabulary = fc.integer({min: 1, max: 2000})
const format = fc.constantFrom('jsonl', 'csv')
const reading = fc.record({text: names, format, number, vocabulary, negation: fc.boolean()}, {requiredKeys: ['text']})
const shrinkage = fc.constantFrom('10/N', 0.1)
const fit = fc.record({seed: fc.nat(), shrinkage, intervals: fc.constantFrom(true, 20)}, {requiredKeys: []})
const group = fc.constantFrom(undefined, {group: 3, size: 2}, {group: 4, size: 3, atMostOne: true as const})
const anchors = fc.uniqueArray(
  fc
    .record({
      concept: fc.constantFrom('alcohol', 'fall', '7', 'other'),
      any: fc.uniqueArray(fc.constantFrom('etoh', 'fell', '/x+/')),
      not: fc.constantFrom([], ['denies']),
      rates: fc.constant(undefined),
      exclusive: group
    })
    .map(({exclusive, ...anchor}) => (exclusive === undefined ? anchor : {...anchor, exclusive})),
  {selector: anchor => anchor.concept}
)

const snapshot = fc.constantFrom('first', 'a "b"\n', '__proto__', '')

/** Edits, some of which cannot be done. */
export const edits: fc.Arbitrary<Edit[]> = fc.array(
  fc.oneof(
    fc.record({kind: fc.constant('addConcept' as const), concept}),
    fc.record({kind: fc.constant('removeConcept' as const), concept}),
    fc.record({kind: fc.constant('renameConcept' as const), concept, to: concept}),
    fc.record({kind: fc.constantFrom('addMember' as const, 'removeMember' as const), concept, feature}),
    fc.record({kind: fc.constant('moveMember' as const), feature, from: concept, to: concept}),
    fc.record({kind: fc.constantFrom('addVeto' as const, 'removeVeto' as const), concept, feature}),
    fc.record({kind: fc.constant('setRates' as const), concept, rates}),
    fc.record({kind: fc.constant('setAnchors' as const), anchors, words: fc.constant('take anchors')}),
    fc.record({kind: fc.constant('setLabels' as const), labels: rows, words: fc.constant('label 7')}),
    fc.record({
      kind: fc.constant('setReading' as const),
      reading,
      documents: fc.constantFrom(undefined, {files: ['visits.jsonl'], count: 12, hash: '00ff'})
    }),
    fc.record({kind: fc.constant('setFit' as const), fit}),
    fc.record({kind: fc.constant('setName' as const), name: fc.string()}),
    fc.record({
      kind: fc.constant('setRule' as const),
      a: concept,
      b: concept,
      rule: fc.constantFrom('require' as const, 'forbid' as const, 'free' as const)
    }),
    fc.record({
      kind: fc.constant('takeSnapshot' as const),
      name: snapshot,
      model: fc.constantFrom(undefined, '{"format": "adfa-model"}\n')
    }),
    fc.record({kind: fc.constant('renameSnapshot' as const), snapshot, to: snapshot}),
    fc.record({kind: fc.constant('deleteSnapshot' as const), snapshot})
  ),
  {maxLength: 40}
)
