import {mkdtempSync, rmSync} from 'node:fs'
import {tmpdir} from 'node:os'
import {join} from 'node:path'
import {afterAll, beforeAll, describe, expect, test} from 'vitest'
import {type FuzzTarget, fuzzTargets, runFuzzCase} from './fuzz-targets.ts'

/** A short run of research/fuzz.ts, which breaks many more files and also ends those that hang. */
const casesPerKind = 8
const folder = mkdtempSync(join(tmpdir(), 'adfa-fuzz-'))
let targets: readonly FuzzTarget[] = []

beforeAll(async () => {
  targets = await fuzzTargets(folder)
})
afterAll(() => rmSync(folder, {recursive: true}))

describe('files of every kind', () => {
  test('files as they should be are read, so that the broken ones show what they should', async () => {
    for (const target of targets)
      for (const command of target.commands) {
        const whole = {...target, mutate: (file: Uint8Array) => file, commands: [command]}
        // Counts of a shard cannot be fitted, and every case of `options` has some options of its own.
        if (target.name === 'counts of a shard' || target.name === 'options') continue
        expect((await runFuzzCase(whole, 0, folder, 1)).slice(0, 1), target.name).toEqual(['done'])
      }
  })

  test('broken files end in success or in an error for the user', {timeout: 180_000}, async () => {
    for (const target of targets)
      for (let at = 0; at < casesPerKind; at++) {
        const [outcome, report] = await runFuzzCase(target, at, folder, 20)
        expect(['done', 'refused'], `${target.name}, case ${at}: ${report}`).toContain(outcome)
      }
  })
})
