import fc from 'fast-check'
import {describe, expect, test} from 'vitest'
import {AdfaError} from '../../base/checks/index.ts'
import {nowNames, snapshotOf} from '../project/index.ts'
import {applyEdit, changeHistory, type Edit, type History, startHistory} from './edits.ts'
import {edited, emptyProject} from './test-project.ts'

const take = (name: string, model?: string): Edit => ({kind: 'takeSnapshot', name, model})
const rename = (concept: string, to: string): Edit => ({kind: 'renameConcept', concept, to})
const makeEdit = (history: History, edit: Edit) => changeHistory(history, {kind: 'edit', edit})
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
