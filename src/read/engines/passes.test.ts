import {describe, expect, test, vi} from 'vitest'
import {rng} from '../../base/numeric/index.ts'
import {anchorRule, parseAnchors} from '../data/index.ts'
import {openDocuments} from '../files/index.ts'
import {testFolder} from '../files/test-folder.ts'
import {type AnchorSource, type CountingOptions, countWith} from './count-with.ts'
import {drawQuestions} from './test-source.ts'
import {documentsEngine} from './worker-engine.ts'

/** Paths in the order in which files were opened for reading. */
const {opened} = vi.hoisted(() => ({opened: [] as unknown[]}))
vi.mock('node:fs/promises', async original => {
  const real = await original<typeof import('node:fs/promises')>()
  const open: typeof real.open = (path, ...rest) => {
    opened.push(path)
    return real.open(path, ...rest)
  }
  return {...real, open}
})

const folder = testFolder()
const questions = drawQuestions(300, rng(7))
const path = folder.file('questions.jsonl', questions.map(question => JSON.stringify(question)).join('\n'))
const fields = ['title', 'text']
const fromTags: AnchorSource = {kind: 'tags', fields: ['title'], topTags: 4}
const given = (entries: object): AnchorSource => anchorRule(parseAnchors(JSON.stringify(entries), 'anchors'))

async function count(source: AnchorSource, options: Partial<CountingOptions>, workers: number) {
  opened.length = 0
  const documents = openDocuments([path], {text: fields})
  const engine = documentsEngine(documents, workers)
  try {
    const counts = await countWith(engine, source, {text: fields, ...options})
    expect(opened.every(each => each === path)).toBe(true)
    // A pass opens the file twice: to see its format, and for its only piece.
    return {counts, reads: opened.length / 2}
  } finally {
    await engine.close()
    await documents.close()
  }
}

describe.each([0, 2])('with %i threads', workers => {
  // Anchors that are skipped show in the pass that was to be the last, which is not kept.
  test.each<[string, AnchorSource, Partial<CountingOptions>, number]>([
    ['anchors', given({python: 'title:python', git: 'title:git'}), {phrases: ['best list']}, 1],
    ['anchors from tags and minTags', fromTags, {minTags: 1}, 2],
    ['skipped anchors', given({python: 'title:python', absent: 'title:nowhere'}), {skipBadAnchors: true}, 2]
  ])('countWith(...) reads a file no more often than it must: %s', async (_, source, options, passes) => {
    const {counts, reads} = await count(source, options, workers)
    expect(reads).toBe(passes)
    expect((await count({kind: 'lexicon', lexicon: counts.lexicon}, {}, workers)).reads).toBe(1)
  })
})
