import {describe, expect, it} from 'vitest'
import {testFolder} from '../test-run.ts'
import {openLabelStore, readSheetFile} from './store.ts'

const folder = testFolder()
const answer = (id: number) => ({
  id,
  labels: new Map([['fever', true]]),
  drawn: 'random' as const,
  skipped: undefined,
  others: new Map()
})
const line = (id: number) => `{"id":${id},"labels":{"fever":true},"drawn":"random"}\n`

describe('openLabelStore', () => {
  it('openLabelStore(...) begins without a file, and save(...) writes it whole every time', async () => {
    const store = await openLabelStore(folder.at('new.jsonl'))
    expect(store.rows).toEqual([])
    expect(folder.names()).toEqual([])
    await store.save([answer(1)])
    await store.save([answer(1), answer(2)])
    expect(folder.text('new.jsonl')).toBe(line(1) + line(2))
    await store.save([answer(2)])
    expect((await openLabelStore(folder.at('new.jsonl'))).rows).toEqual([answer(2)])
  })

  it('save(...) refuses to write over what another program has written meanwhile', async () => {
    const path = folder.write('shared.jsonl', line(1))
    const store = await openLabelStore(path)
    folder.write('shared.jsonl', line(1) + line(7))
    await expect(store.save([answer(1), answer(2)])).rejects.toThrow(/another program has changed it/)
    expect(folder.text('shared.jsonl')).toBe(line(1) + line(7))
  })
})

describe('readSheetFile', () => {
  it('readSheetFile(...) reads more lines than a function takes arguments', async () => {
    const path = folder.write('long.csv', 'id,done\n1,x\n'.repeat(100_000))
    expect(await readSheetFile(path)).toHaveLength(200_000)
  })
})
