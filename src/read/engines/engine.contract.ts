import {describe, expect, test} from 'vitest'
import {AdfaError} from '../../base/checks/index.ts'
import {countsToBytes} from '../counts/index.ts'
import {countDocuments, countWith} from './count-with.ts'
import type {CountingEngine} from './counting-engine.ts'
import type {TestCorpus} from './test-corpora.ts'
import {sourceOf} from './test-source.ts'

/** An engine to be held to the contract. */
export interface EngineCase {
  readonly name: string
  readonly corpora: readonly TestCorpus[]
  /** Put the documents where the engine finds them, and open it; called for one corpus after another. */
  readonly open: (corpus: TestCorpus, at: number) => Promise<CountingEngine>
}

/** What every engine promises: the counts, or the error, of the plainest one. */
export function describeEngine({name, corpora, open}: EngineCase): void {
  describe(`${name} engine`, () => {
    test(`countWith(...) gives the bytes of one thread on ${corpora.length} corpora`, {timeout: 600_000}, async () => {
      let counted = 0
      for (const [at, corpus] of corpora.entries()) {
        const expected = await outcome(() => countDocuments(sourceOf(corpus.rows), corpus.anchors, corpus.options))
        const engine = await open(corpus, at)
        try {
          const found = await outcome(() => countWith(engine, corpus.anchors, corpus.options))
          // What SQL cannot follow is refused, with this way out.
          if (/^bad-option: .*memory engine$/.test(found)) continue
          if (found !== expected) expect({at, found}).toEqual({at, found: expected})
          if (!/^[a-z-]+: /.test(found)) counted++
        } finally {
          await engine.close()
        }
      }
      // Corpora that are refused are part of the contract, but most must be counted for it to mean anything.
      expect(counted).toBeGreaterThan(corpora.length / 2)
    })
  })
}

/** The bytes of counts as a text, which is quickly compared, or the error. */
async function outcome(count: () => ReturnType<typeof countDocuments>): Promise<string> {
  try {
    return Buffer.from(countsToBytes(await count())).toString('latin1')
  } catch (error) {
    if (!(error instanceof AdfaError)) throw error
    return `${error.code}: ${error.message}`
  }
}
