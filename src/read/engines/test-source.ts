import {type Rng, randomIndex} from '../../base/numeric/index.ts'
import type {Row} from '../data/index.ts'
import {rowOf} from '../data/test-rows.ts'
import type {RowSource} from './counting-engine.ts'

/** Rows in memory as a source, in batches of the given size, that knows how often it was read. */
export function sourceOf(values: readonly unknown[], batchSize = 7): RowSource & {passes: number} {
  const rows: readonly Row[] = values.map(value => rowOf(value))
  return {
    passes: 0,
    async *batches() {
      this.passes++
      for (let from = 0; from < rows.length; from += batchSize) yield rows.slice(from, from + batchSize)
    }
  }
}

/** A question as on a site of questions: a title that may name its tags, a text, and the tags. */
export interface Question {
  readonly id: number
  readonly title: string
  readonly text: string
  readonly tags: readonly string[]
}

const topics: Readonly<Record<string, readonly string[]>> = {
  python: ['list', 'pandas', 'indent', 'script'],
  'c#': ['class', 'linq', 'winforms', 'compile'],
  linux: ['shell', 'kernel', 'script', 'mount'],
  'machine-learning': ['train', 'model', 'pandas', 'loss'],
  regex: ['match', 'group', 'pattern', 'escape'],
  git: ['branch', 'merge', 'commit', 'shell']
}

/** Questions whose tags stand in the title now and then, and whose words go with their tags. */
export function drawQuestions(count: number, random: Rng): Question[] {
  const names = Object.keys(topics)
  const some = (words: readonly string[]) => words.filter(() => random.next() < 0.4)
  return Array.from({length: count}, (_, at) => {
    const drawn = Array.from({length: 1 + randomIndex(random, 3)}, () => names[randomIndex(random, names.length)])
    const tags = [...new Set(drawn)]
    const title = [...tags.filter(() => random.next() < 0.6), ...some(['how', 'why', 'best'])]
    const text = [...tags.flatMap(tag => some(topics[tag])), ...some(['the', 'and', 'error', 'help'])]
    return {id: at, title: title.join(' '), text: text.join(' '), tags}
  })
}

/** A pool for many engines: they leave its threads running when they have counted. */
export function kept<Pool extends {close(): Promise<void>}>(pool: Pool): () => Pool {
  return () => ({...pool, close: async () => {}})
}
