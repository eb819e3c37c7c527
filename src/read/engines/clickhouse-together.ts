import type {OpenTable} from './clickhouse-open.ts'
import type {CountingStage, EngineControl} from './counting-engine.ts'

/** A signal of its own that also follows another. */
export function linkedAbort(signal: AbortSignal | undefined): {signal: AbortSignal; stop(): void} {
  const own = new AbortController()
  return {
    signal: signal === undefined ? own.signal : AbortSignal.any([signal, own.signal]),
    stop: () => own.abort()
  }
}

/** Ask all tables at once. When one fails, the others are stopped, and its error is told after that. */
export async function together<T>(
  tables: readonly OpenTable[],
  signal: AbortSignal | undefined,
  ask: (open: OpenTable, signal: AbortSignal) => Promise<T>
): Promise<T[]> {
  const link = linkedAbort(signal)
  const failures: unknown[] = []
  const answers = await Promise.all(
    tables.map(async open => {
      try {
        return [await ask(open, link.signal)]
      } catch (error) {
        failures.push(error)
        link.stop()
        return []
      }
    })
  )
  if (failures.length > 0) throw failures[0]
  return answers.flat()
}

/** Adds up how far each table is. */
export interface Progress {
  of(open: OpenTable): ((rows: number) => void) | undefined
  end(documents: number): void
}

export function createProgress(stage: CountingStage, {onProgress}: EngineControl): Progress {
  const rows = new Map<OpenTable, number>()
  return {
    of(open) {
      if (onProgress === undefined || !open.hasDocumentRows) return undefined
      return read => {
        rows.set(open, read)
        let sum = 0
        for (const some of rows.values()) sum += some
        onProgress(stage, sum)
      }
    },
    end: documents => onProgress?.(stage, documents)
  }
}
