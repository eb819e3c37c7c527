import fc from 'fast-check'
import {describe, expect, test} from 'vitest'
import {AdfaError} from '../../base/checks/index.ts'
import {anchorsToJson, parseAnchors} from '../../read/data/index.ts'
import {labelRowsToText, parseLabelRows} from '../../use/labelling/index.ts'
import {nowNames, type Project, snapshotOf} from '../project/index.ts'
import {applyEdit, changeHistory, type Edit, type History, MOST_STEPS, startHistory} from './edits.ts'
import {edited, editedWhereAllowed, edits, emptyProject, labelRow} from './test-project.ts'

const makeEdit = (history: History, edit: Edit) => changeHistory(history, {kind: 'edit', edit})
const fall = {concept: 'fall', any: ['fell'], not: [], rates: undefined}
const project = edited(
  emptyProject,
  {kind: 'addConcept', concept: 'alcohol'},
  {kind: 'addMember', concept: 'alcohol', feature: 'etoh'},
  {kind: 'addConcept', concept: 'fall'},
  {kind: 'addMember', concept: 'fall', feature: 'fell'}
)
const file = ({anchors}: Project) => anchorsToJson(anchors)
const ids = ({labels}: Project) => labels.map(({id}) => id)

describe('applyEdit', () => {
  test('adds, moves and removes concepts, members and vetoes, and leaves the project itself as it was', () => {
    const before = JSON.stringify(project)
    expect(file(project)).toEqual({alcohol: 'etoh', fall: 'fell'})
    const more = edited(
      project,
      {kind: 'addMember', concept: 'alcohol', feature: '/\\bciwa\\b/'},
      {kind: 'addVeto', concept: 'alcohol', feature: 'wipe'},
      {kind: 'addVeto', concept: 'alcohol', feature: 'denies'},
      {kind: 'moveMember', feature: 'fell', from: 'fall', to: 'alcohol'},
      {kind: 'setRates', concept: 'fall', rates: {kind: 'rates', truePositive: 0.6, falsePositive: 0.01}}
    )
    expect(file(more)).toEqual({
      alcohol: {any: ['etoh', '/\\bciwa\\b/', 'fell'], not: ['wipe', 'denies']},
      fall: {any: [], truePositive: 0.6, falsePositive: 0.01}
    })
    const less = edited(
      more,
      {kind: 'removeMember', concept: 'alcohol', feature: 'etoh'},
      {kind: 'removeVeto', concept: 'alcohol', feature: 'denies'},
      {kind: 'setRates', concept: 'fall', rates: undefined}
    )
    expect(file(less)).toEqual({alcohol: {any: ['/\\bciwa\\b/', 'fell'], not: ['wipe']}, fall: []})
    expect(file(edited(less, {kind: 'removeConcept', concept: 'alcohol'}))).toEqual({fall: []})
    expect(JSON.stringify(project)).toBe(before)
  })

  test.each<[Edit, RegExp]>([
    [{kind: 'addConcept', concept: 'fall'}, /there is a concept "fall" already; choose another name/],
    [{kind: 'addConcept', concept: ' '}, /a concept needs a name/],
    [{kind: 'addConcept', concept: 'fall '}, /"fall ": a name must not begin or end with a space/],
    [{kind: 'addConcept', concept: '$schema'}, /names that begin with "\$" are reserved/],
    [{kind: 'addConcept', concept: 'a\nb'}, /the name of a concept is one line/],
    [{kind: 'removeConcept', concept: 'falls'}, /there is no concept "falls"/],
    [{kind: 'renameConcept', concept: 'fall', to: 'alcohol'}, /there is a concept "alcohol" already/],
    [{kind: 'renameConcept', concept: 'fall', to: 'fall'}, /"fall" has this name already/],
    [{kind: 'addMember', concept: 'fall', feature: 'etoh'}, /move it to "fall", or leave it in "alcohol"/],
    [{kind: 'addMember', concept: 'fall', feature: 'text:ETOH'}, /"text:ETOH" belongs to "alcohol" already/],
    [{kind: 'addMember', concept: 'alcohol', feature: 'etoh'}, /is a member of "alcohol" already/],
    [{kind: 'addMember', concept: 'alcohol', feature: '/(/'}, /concept "alcohol": .*\(/],
    [{kind: 'addMember', concept: 'alcohol', feature: ''}, /a feature is a word, a phrase or an \/expression\//],
    [{kind: 'addVeto', concept: 'alcohol', feature: 'etoh'}, /is a member of "alcohol" already/],
    [{kind: 'removeMember', concept: 'fall', feature: 'etoh'}, /"etoh" is no member of "fall"/],
    [{kind: 'removeVeto', concept: 'fall', feature: 'etoh'}, /"etoh" is no veto of "fall"/],
    [{kind: 'moveMember', feature: 'etoh', from: 'fall', to: 'alcohol'}, /"etoh" is no member of "fall"/],
    [{kind: 'moveMember', feature: 'etoh', from: 'alcohol', to: 'alcohol'}, /choose another concept/],
    [
      {kind: 'setRates', concept: 'fall', rates: {kind: 'rates', truePositive: 1.5, falsePositive: 0.1}},
      /concept "fall": truePositive must lie strictly between 0 and 1; got 1.5/
    ],
    [{kind: 'setAnchors', anchors: [fall, fall], words: ''}, /"fall" is named twice/],
    [{kind: 'setAnchors', anchors: [{...fall, concept: '$x'}], words: ''}, /reserved/],
    [{kind: 'setReading', reading: {text: ['a:b']}, documents: undefined}, /field names without colons/],
    [{kind: 'setReading', reading: {text: [], number: ['age']}, documents: undefined}, /a field and its bins/],
    [{kind: 'setName', name: ' '}, /a project needs a name/],
    [{kind: 'setRule', a: 'fall', b: 'falls', rule: 'require'}, /there is no concept "falls"; add it first/],
    [
      {kind: 'setRule', a: 'fall', b: 'fall', rule: 'forbid'},
      /a link joins two concepts; choose another one beside "fall"/
    ],
    [{kind: 'setRule', a: 'fall', b: 'alcohol', rule: 'free'}, /no rule for "fall" and "alcohol"; it is free already/]
  ])('refuses %j', (edit, message) => {
    expect(() => applyEdit(project, edit)).toThrow(AdfaError)
    expect(() => applyEdit(project, edit)).toThrow(message)
  })

  test('names the concept that has a member already, and how it is written there', () => {
    try {
      applyEdit(project, {kind: 'addMember', concept: 'fall', feature: 'ETOH'})
      expect.unreachable()
    } catch (error) {
      expect((error as AdfaError).details).toEqual({takenBy: 'alcohol', feature: 'etoh'})
    }
  })

  test('moves a member that both concepts have by leaving it in one', () => {
    const both = edited(project, {
      kind: 'setAnchors',
      anchors: [fall, {...fall, concept: 'trauma'}],
      words: ''
    })
    const one = edited(both, {kind: 'moveMember', feature: 'fell', from: 'fall', to: 'trauma'})
    expect(file(one)).toEqual({fall: [], trauma: 'fell'})
  })
})

describe('edge rules', () => {
  const three = edited(project, {kind: 'addConcept', concept: 'sepsis'})
  const ruled = edited(
    three,
    {kind: 'setRule', a: 'fall', b: 'alcohol', rule: 'require'},
    {kind: 'setRule', a: 'sepsis', b: 'fall', rule: 'forbid'}
  )

  test('a pair has one rule, which the last edit sets, whatever the order of its concepts', () => {
    expect(ruled.edges).toEqual({require: [['fall', 'alcohol']], forbid: [['sepsis', 'fall']]})
    const turned = edited(ruled, {kind: 'setRule', a: 'alcohol', b: 'fall', rule: 'forbid'})
    expect(turned.edges).toEqual({
      require: [],
      forbid: [
        ['sepsis', 'fall'],
        ['alcohol', 'fall']
      ]
    })
    const free = edited(
      turned,
      {kind: 'setRule', a: 'fall', b: 'sepsis', rule: 'free'},
      {kind: 'setRule', a: 'fall', b: 'alcohol', rule: 'free'}
    )
    expect(free).toEqual(three)
    expect(free).not.toHaveProperty('edges')
  })

  test('rules are renamed and removed with their concepts', () => {
    expect(edited(ruled, {kind: 'renameConcept', concept: 'fall', to: 'trauma'}).edges).toEqual({
      require: [['trauma', 'alcohol']],
      forbid: [['sepsis', 'trauma']]
    })
    expect(edited(ruled, {kind: 'removeConcept', concept: 'alcohol'}).edges).toEqual({
      require: [],
      forbid: [['sepsis', 'fall']]
    })
    expect(edited(ruled, {kind: 'setAnchors', anchors: [fall], words: ''})).not.toHaveProperty('edges')
  })

  test('concepts that exclude each other cannot be linked', () => {
    const json = '{"a":"x","b":"y","c":"z","$exclusive":[["a","b"]]}'
    const grouped = edited(emptyProject, {kind: 'setAnchors', anchors: parseAnchors(json, 'a'), words: ''})
    expect(() => applyEdit(grouped, {kind: 'setRule', a: 'a', b: 'b', rule: 'require'})).toThrow(
      /"a" and "b" exclude each other/
    )
    expect(edited(grouped, {kind: 'setRule', a: 'a', b: 'c', rule: 'require'}).edges?.require).toEqual([['a', 'c']])
  })

  test('after any edits, every rule is of two concepts of the project, and each pair has one', () => {
    fc.assert(
      fc.property(edits, some => {
        const {anchors, edges} = editedWhereAllowed(ruled, some)
        const rules = edges === undefined ? [] : [...edges.require, ...edges.forbid]
        if (edges !== undefined) expect(rules.length).toBeGreaterThan(0)
        for (const rule of rules)
          expect(anchors.filter(({concept}) => rule.includes(concept)).map(({concept}) => concept)).toHaveLength(2)
        expect(new Set(rules.map(rule => JSON.stringify(rule.toSorted()))).size).toBe(rules.length)
      }),
      {numRuns: 200}
    )
  })
})

describe('labels and groups', () => {
  const rows = [
    labelRow(1, {alcohol: true, fall: false}),
    labelRow(2, {alcohol: true}, {drawn: 'anchored'}),
    labelRow(3, {}, {drawn: 'anchored', skipped: {concept: 'alcohol'}}),
    labelRow(4, {}, {skipped: {concept: undefined}}),
    labelRow(5, {fall: true, other: true}, {drawn: undefined})
  ]
  const labelled = edited(project, {kind: 'setLabels', labels: rows, words: 'take labels'})

  test('removing a concept removes its labels, and rows that are about it alone', () => {
    const without = edited(labelled, {kind: 'removeConcept', concept: 'alcohol'})
    expect(ids(without)).toEqual([1, 4, 5])
    expect([...without.labels[0].labels]).toEqual([['fall', false]])
    expect(without.labels[2]).toBe(rows[4])
    expect(ids(edited(without, {kind: 'removeConcept', concept: 'fall'}))).toEqual([4, 5])
  })

  test('taking other anchors removes labels of concepts that are gone, and of no others', () => {
    const taken = edited(labelled, {kind: 'setAnchors', anchors: [fall], words: 'take 1 concept'})
    expect(taken.labels).toEqual(edited(labelled, {kind: 'removeConcept', concept: 'alcohol'}).labels)
    expect(edited(taken, {kind: 'setAnchors', anchors: [], words: ''}).labels.at(-1)?.labels.has('other')).toBe(true)
  })

  test('renaming a concept renames its labels, in place', () => {
    const renamed = edited(labelled, {kind: 'renameConcept', concept: 'alcohol', to: 'drinking'})
    expect(labelRowsToText(renamed.labels)).toBe(labelRowsToText(rows).replaceAll('alcohol', 'drinking'))
    expect(() => applyEdit(labelled, {kind: 'renameConcept', concept: 'fall', to: 'other'})).toThrow(
      /the labels name a concept "other" already/
    )
  })

  test('a group of exclusive concepts keeps its meaning', () => {
    const json = '{"a":"x","b":"y","c":"z","$exclusive":[["a","b","c"]]}'
    const grouped = edited(emptyProject, {kind: 'setAnchors', anchors: parseAnchors(json, 'a'), words: ''})
    const groups = (of: Project) => file(of).$exclusive
    expect(groups(edited(grouped, {kind: 'renameConcept', concept: 'b', to: 'q'}))).toEqual([['a', 'q', 'c']])
    // A document may have the concept that is gone.
    const two = edited(grouped, {kind: 'removeConcept', concept: 'b'})
    expect(groups(two)).toEqual([{group: ['a', 'c'], atMostOne: true}])
    expect(groups(edited(two, {kind: 'addConcept', concept: 'b'}))).toEqual([{group: ['a', 'c'], atMostOne: true}])
    const one = edited(two, {kind: 'removeConcept', concept: 'c'})
    expect(one.anchors).toEqual([{concept: 'a', any: ['x'], not: [], rates: undefined}])
  })

  test('after any edits, anchors and labels are those of the files that hold them', () => {
    fc.assert(
      fc.property(edits, some => {
        const {anchors, labels} = editedWhereAllowed(project, some)
        if (anchors.length > 0) expect(parseAnchors(JSON.stringify(anchorsToJson(anchors)), 'a')).toEqual(anchors)
        expect(parseLabelRows(labelRowsToText(labels), 'l')).toEqual(labels)
      }),
      {numRuns: 200}
    )
  })
})

describe('the history of a project', () => {
  const add = (concept: string): Edit => ({kind: 'addConcept', concept})
  const undo = (history: History) => changeHistory(history, {kind: 'undo'})
  const redo = (history: History) => changeHistory(history, {kind: 'redo'})
  const words = ({undos, redos}: History) =>
    [undos, redos].map(steps => steps.map(({edit}) => edit.kind === 'addConcept' && edit.concept))

  test('undo(...) and redo(...) go back and forth; a new edit drops what was undone', () => {
    const two = [add('a'), add('b')].reduce(makeEdit, startHistory(emptyProject))
    const one = undo(two)
    expect(words(one)).toEqual([['a'], ['b']])
    expect(redo(one)).toEqual(two)
    expect(undo(undo(one))).toEqual(undo(one))
    const other = makeEdit(one, add('c'))
    expect(words(other)).toEqual([['a', 'c'], []])
    expect(redo(other)).toBe(other)
    expect(undo(startHistory(emptyProject)).project).toBe(emptyProject)
  })

  test(`${MOST_STEPS} edits can be undone, and no more`, () => {
    let history = startHistory(emptyProject)
    for (let at = 0; at < MOST_STEPS + 5; at++) history = makeEdit(history, add(`c${at}`))
    for (let at = 0; at < MOST_STEPS; at++) history = undo(history)
    expect([history.undos.length, history.project.anchors.length]).toEqual([0, 5])
  })

  /** Edits that cannot be done change nothing. */
  function tryEdit(history: History, edit: Edit): History {
    try {
      return makeEdit(history, edit)
    } catch {
      return history
    }
  }

  test('undoing any edits returns to the start, and redoing them to the end', () => {
    fc.assert(
      fc.property(edits, some => {
        const end = some.reduce(tryEdit, startHistory(emptyProject))
        let history = end
        while (history.undos.length > 0) history = undo(history)
        expect(history.project).toBe(emptyProject)
        while (history.redos.length > 0) history = redo(history)
        expect(history).toEqual(end)
        expect(history.project).toBe(end.project)
      }),
      {numRuns: 200}
    )
  })
})

const take = (name: string, model?: string): Edit => ({kind: 'takeSnapshot', name, model})
const rename = (concept: string, to: string): Edit => ({kind: 'renameConcept', concept, to})
const one = edited(emptyProject, {kind: 'addConcept', concept: 'alcohol'})

describe('snapshots of a project', () => {
  test('are the project without its snapshots, with its model', () => {
    const project = edited(one, take('first', 'text'), {kind: 'addConcept', concept: 'fall'}, take('second'))
    expect(project.snapshots).toEqual([
      {name: 'first', project: one, renamed: [], model: 'text'},
      {name: 'second', project: {...one, anchors: project.anchors}, renamed: []}
    ])
  })

  test('are renamed and deleted, and undone', () => {
    const history = makeEdit(startHistory(one), take('first'))
    const named = makeEdit(history, {kind: 'renameSnapshot', snapshot: 'first', to: 'before'})
    expect(named.project.snapshots?.map(({name}) => name)).toEqual(['before'])
    const gone = makeEdit(named, {kind: 'deleteSnapshot', snapshot: 'before'})
    expect(gone.project).toEqual(one)
    expect(changeHistory(gone, {kind: 'undo'}).project).toBe(named.project)
  })

  test.each([
    [one, take(' '), /a snapshot needs a name/],
    [edited(one, take('a')), take('a'), /there is a snapshot "a" already; choose another name/],
    [edited(one, take('a'), take('b')), {kind: 'renameSnapshot', snapshot: 'a', to: 'b'}, /"b" already/],
    [one, {kind: 'renameSnapshot', snapshot: 'a', to: 'b'}, /there is no snapshot "a"/],
    [one, {kind: 'deleteSnapshot', snapshot: 'a'}, /there is no snapshot "a"/],
    [edited(one, ...Array.from({length: 20}, (_, at) => take(`${at}`))), take('x'), /keeps 20 snapshots at most/]
  ] as const)('refuse what cannot be, with the way out', (project, edit, message) => {
    expect(() => applyEdit(project, edit)).toThrow(AdfaError)
    expect(() => applyEdit(project, edit)).toThrow(message)
  })

  test('know what their concepts are called today: a concept by a free name is another one', () => {
    const project = edited(
      one,
      take('first'),
      rename('alcohol', 'drinking'),
      {kind: 'addConcept', concept: 'alcohol'},
      take('second'),
      rename('alcohol', 'wine'),
      rename('drinking', 'etoh')
    )
    expect([...nowNames(snapshotOf(project, 'first'))]).toEqual([['alcohol', 'etoh']])
    expect([...nowNames(snapshotOf(project, 'second'))]).toEqual([
      ['drinking', 'etoh'],
      ['alcohol', 'wine']
    ])
    expect(edited(project, rename('etoh', 'alcohol')).snapshots?.[0].renamed).toEqual([])
  })

  test('follow any renames, as numbers that stay with the concepts do', () => {
    const names = ['a', 'b', 'c', 'd', 'e']
    const steps = fc.array(fc.tuple(fc.constantFrom(...names), fc.constantFrom(...names)), {maxLength: 20})
    fc.assert(
      fc.property(steps, renames => {
        const start = edited(
          emptyProject,
          ...names.slice(0, 3).map((concept): Edit => ({kind: 'addConcept', concept})),
          take('first')
        )
        // Anchors keep their order, so a place is an id.
        const end = renames.reduce((project, [from, to]) => {
          const has = (name: string) => project.anchors.some(({concept}) => concept === name)
          return has(from) && !has(to) ? applyEdit(project, rename(from, to)) : project
        }, start)
        expect([...nowNames(snapshotOf(end, 'first')).values()].sort()).toEqual(
          end.anchors.map(({concept}) => concept).sort()
        )
        const expected = start.anchors.map(({concept}, at) => [concept, end.anchors[at].concept])
        expect([...nowNames(snapshotOf(end, 'first'))]).toEqual(expected)
      })
    )
  })
})
