// A data scientist in the built studio: tagged packages in, concepts from tags, figures beside simpler methods, predictions out.
import {execFile} from 'node:child_process'
import {mkdtemp, readFile, rm, writeFile} from 'node:fs/promises'
import {tmpdir} from 'node:os'
import {join} from 'node:path'
import {fileURLToPath} from 'node:url'
import {promisify} from 'node:util'
import {gunzipSync} from 'node:zlib'
import type {Page} from 'playwright-core'
import {expect} from 'vitest'
import {addWord, allReady, exported, goTo, journeys, patient, readFiles} from './built-studio.ts'

const run = promisify(execFile)
const program = fileURLToPath(new URL('../dist/adfa.js', import.meta.url))
const corpus = fileURLToPath(new URL('../corpora/npm-packages.jsonl.gz', import.meta.url))

journeys('a data scientist in the studio', journey => {
  journey('sees the figures of adfa evaluate beside simpler methods, and the documents behind them', async page => {
    const folder = await mkdtemp(join(tmpdir(), 'adfa-scientist-'))
    const adfa = async (...args: string[]) => (await run(process.execPath, [program, ...args], {cwd: folder})).stdout
    const packages = gunzipSync(await readFile(corpus))
    await writeFile(join(folder, 'packages.jsonl'), packages)
    await readFiles(page, {'packages.jsonl': packages}, () => page.getByLabel(/quarter/).check())
    await page.getByRole('button', {name: 'Take from tags'}).click()
    await page.getByLabel('How many tags').fill('8')
    await page.getByRole('button', {name: 'Take them'}).click()
    await allReady(page)
    for (const [words, name] of [
      ['Model', 'model.json'],
      ['Predictions, JSON Lines', 'predictions.jsonl']
    ])
      await writeFile(join(folder, name), (await exported(page, words)).bytes)

    await goTo(page, 'Evaluate')
    await allMethods(page)
    const printed = await adfa('evaluate', 'model.json', 'packages.jsonl', '--hold-out')
    const rows = await shownRows(page)
    expect(rows.length).toBeGreaterThanOrEqual(4)
    const lines = printed.split('\n').map(line => line.trim().split(/ {2,}/))
    for (const row of rows) expect(lines).toContainEqual(row)
    const lead = await page.locator('.finding-lead').innerText()
    const beaten = printed.split('\n').filter(line => / does better than this model in /.test(line))
    for (const line of beaten) expect(lead).toContain(line)
    if (beaten.length === 0) expect(lead).toContain('No simpler method is clearly better')
    await page.locator('.chart svg').waitFor()

    // From a number to its documents, from a document to a better anchor, and the figures are old until they follow.
    const missed = page.locator('.per-concept tbody tr').first().locator('td').last().getByRole('link')
    const count = await missed.innerText()
    await missed.click()
    await page.locator('#miss-title', {hasText: `Missed: ${count}`}).waitFor()
    await page.locator('.mistakes .hit').first().click()
    await page.locator('.reason .verdict').waitFor()
    await page.getByRole('link', {name: 'Its anchor'}).click()
    await page.locator('#bench-title').waitFor()
    await addWord(page, 'framework')
    await goTo(page, 'Evaluate')
    await allReady(page)
    await page.locator('#miss-title').waitFor()
    await page.getByRole('button', {name: 'All figures'}).click()
    await expect.poll(async () => (await shownRows(page)).length, patient).toBe(rows.length)
    await expect.poll(() => page.locator('.page-head .old').count(), patient).toBe(0)
    expect(await shownRows(page)).not.toEqual(rows)

    // What the studio saved is what the command line writes.
    await adfa('predict', 'model.json', 'packages.jsonl', '-o', 'written.jsonl')
    const [saved, written] = await Promise.all(
      ['predictions.jsonl', 'written.jsonl'].map(name => readFile(join(folder, name)))
    )
    expect(saved.equals(written)).toBe(true)
    await rm(folder, {recursive: true})
  })
})

/** Methods are shown as they are ready. */
async function allMethods(page: Page): Promise<void> {
  await page.locator('.figures').waitFor()
  await page.getByRole('region', {name: 'At work'}).waitFor({state: 'detached'})
}

/** The figures of each method, without the words that mark the best and without intervals. */
async function shownRows(page: Page): Promise<string[][]> {
  return page.evaluate(`[...document.querySelectorAll('.figures tbody tr')].map(row => [
    row.querySelector('th').firstChild.textContent.trim(),
    ...[...row.querySelectorAll('td')].map(cell => cell.firstChild.textContent)
  ])`)
}
