// The built studio: files of the command line, the question on leaving, and what its scripts must not have.
import {mkdtempSync, rmSync, writeFileSync} from 'node:fs'
import {tmpdir} from 'node:os'
import {join} from 'node:path'
import {gzipSync} from 'node:zlib'
import {afterAll, expect, test} from 'vitest'
import {builtText, giveFiles, journeys, patient, statusBar} from './built-studio.ts'
import {asLines} from './emergency-visits.ts'

const folder = mkdtempSync(join(tmpdir(), 'adfa-studio-'))
const words = ['fell', 'etoh', 'drunk', 'hip', 'pain', 'ankle', 'beer']
const rows = Array.from({length: 60}, (_, at) => ({id: at, text: `${words[at % 7]} ${words[(at * 3) % 7]} canary`}))
const files = {
  'notes.jsonl': asLines(rows),
  'anchors.json': JSON.stringify({alcohol: ['etoh', 'drunk'], fall: ['fell']})
}
for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text)
const handed = Object.keys(files).map(name => join(folder, name))

journeys(
  'the studio in a browser',
  journey => {
    afterAll(() => rmSync(folder, {recursive: true}))
    const results: string[] = []

    for (const place of ['served', 'from disk'] as const)
      journey(
        `${place}, files of the command line are read, with the same results`,
        async page => {
          if (place === 'from disk') await giveFiles(page, files)
          await page.getByRole('cell', {name: 'anchors of 2 concepts'}).waitFor()
          await page.getByRole('button', {name: /^Read .*documents$/}).click()
          await page.locator('nav [aria-current]', {hasText: 'Anchors'}).waitFor()
          await expect.poll(() => statusBar(page), patient).toMatch(/^60 documents .*Scores (ready|failed)/)
          expect(await page.evaluate('location.hash')).not.toContain('canary')
          results.push(`${await statusBar(page)} ${await page.locator('.concepts').innerText()}`)
          expect(results.at(-1)).toBe(results[0])
        },
        place
      )

    journey('leaving asks while there is work that is not saved', async page => {
      let asked = 0
      page.on('dialog', () => asked++)
      await page.getByLabel('Name of the project').fill('visits')
      await page.keyboard.press('Enter')
      await page.getByText('not saved').waitFor()
      await page.reload()
      expect(asked).toBe(1)
      expect(await page.getByLabel('Name of the project').inputValue()).toBe('untitled')
    })

    test.each([
      ['studio', 64_000],
      ['session', 200_000],
      ['solver', 180_000]
    ])('the script %s has less than %d bytes, compressed', (name, limit) => {
      expect(gzipSync(builtText(`studio/${name}.js`)).length).toBeLessThan(limit)
    })

    test('what needs HiGHS is left out', () => {
      const solver = builtText('studio/solver.js')
      expect(solver).toContain('needs the solver HiGHS, which the studio does not have')
      expect(solver).not.toContain('mip_rel_gap')
    })

    journey(
      'a method that needs HiGHS is refused in words',
      async page => {
        const anchors = JSON.parse(files['anchors.json'])
        const fit = {structure: 'tree', polytope: 'cycle', solver: 'conditional-gradient'}
        const project = {format: 'adfa-project', version: 1, documents: ['notes.jsonl'], anchors, fit}
        await giveFiles(page, {'notes.jsonl': files['notes.jsonl'], 'a.adfa.json': JSON.stringify(project)})
        await page.getByRole('button', {name: /^Read .*documents$/}).click()
        await page.getByText('needs the solver HiGHS, which the studio does not have').first().waitFor()
      },
      'from disk'
    )

    test('no worker starts another one, which stops both now and then in Firefox', () => {
      expect(builtText('studio/studio.js')).toContain('new Worker(')
      // One is in the library that unpacks archives, for entries that are compressed; workbooks are given to it stored.
      expect(builtText('studio/session.js').split('new Worker(')).toHaveLength(2)
      expect(builtText('studio/solver.js')).not.toContain('new Worker(')
    })
  },
  handed
)
