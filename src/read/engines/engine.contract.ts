import {describe, expect, test} from 'vitest'
import {AdfaError} from '../../base/checks/index.ts'
import {countsToBytes} from '../counts/index.ts'
import {countDocuments, countWith} from './count-with.ts'
import type {CountingEngine} from './counting-engine.ts'
import {drawCorpora, type TestRow} from './test-corpora.ts'
import {sourceOf} from './test-source.ts'

/** An engine to be held to the contract. */
export interface EngineCase {
  readonly name: string
  /** Whether it reads text; otherwise the corpora have ready-made words alone. */
  readonly text: boolean
  readonly corpora: number
  /** Put the documents where the engine finds them, and open it; called for one corpus after another. */
  readonly open: (rows: readonly TestRow[], at: number) => Promise<CountingEngine>
}

/** What every engine promises: the counts, or the error, of the plainest one. */
export function describeEngine({name, text, corpora, open}: EngineCase): void {
  describe(`${name} engine`, () => {
    test(`countWith(...) gives the bytes of one thread on ${corpora} corpora`, {timeout: 600_000}, async () => {
      let counted = 0
      for (const [at, corpus] of drawCorpora(corpora, {text, seed: text ? 1 : 2}).entries()) {
        const expected = await outcome(() => countDocuments(sourceOf(corpus.rows), corpus.anchors, corpus.options))
        const engine = await open(corpus.rows, at)
        try {
          const found = await outcome(() => countWith(engine, corpus.anchors, corpus.options))
          if (!sameOutcome(found, expected))
            expect({at, found: describeOutcome(found)}).toEqual({at, found: describeOutcome(expected)})
        } finally {
          await engine.close()
        }
        if (expected instanceof Uint8Array) counted++
      }
      // Corpora that are refused are part of the contract, but most must be counted for it to mean anything.
      expect(counted).toBeGreaterThan(corpora / 2)
    })
  })
}

type Outcome = Uint8Array | {readonly code: string; readonly message: string}

async function outcome(count: () => ReturnType<typeof countDocuments>): Promise<Outcome> {
  try {
    return countsToBytes(await count())
  } catch (error) {
    if (!(error instanceof AdfaError)) throw error
    return {code: error.code, message: error.message}
  }
}

function sameOutcome(a: Outcome, b: Outcome): boolean {
  if (a instanceof Uint8Array && b instanceof Uint8Array) return Buffer.compare(a, b) === 0
  return describeOutcome(a) === describeOutcome(b)
}

function describeOutcome(found: Outcome): string {
  return found instanceof Uint8Array ? Buffer.from(found).toString('latin1') : `${found.code}: ${found.message}`
}
