// What the team lead gets: a report to read without the studio, pictures, and a project with its model.
import {execFileSync} from 'node:child_process'
import {mkdtempSync, readFileSync, rmSync, writeFileSync} from 'node:fs'
import {tmpdir} from 'node:os'
import {join} from 'node:path'
import {fileURLToPath, pathToFileURL} from 'node:url'
import {type Browser, chromium, type Page} from 'playwright-core'
import {afterAll, beforeAll, describe, expect, test} from 'vitest'
import {allReady, exported, giveFiles, lacksBrowser, readFiles, studioServer, wide} from './built-studio.ts'
import {asLines, emergencyVisits} from './emergency-visits.ts'
import {findChromium} from './run-in-worker.ts'

const program = fileURLToPath(new URL('../dist/adfa.js', import.meta.url))
const folder = mkdtempSync(join(tmpdir(), 'adfa-report-'))
const visits = asLines(emergencyVisits(3000, 9))
const anchors = JSON.stringify({
  alcohol: ['etoh', 'intoxicated'],
  asthma: 'asthma',
  fall: 'fall',
  // It occurs nowhere: the doctor says so, and the model goes without it.
  misspelt: 'xyzzy'
})

function adfa(...args: readonly string[]): void {
  execFileSync(process.execPath, [program, ...args, '--quiet', '--no-project'], {cwd: folder})
}

describe.skipIf(lacksBrowser)('the report of the studio', () => {
  const studio = studioServer()
  let opened: Awaited<ReturnType<typeof studio.open>>
  let page: Page

  beforeAll(async () => {
    opened = await studio.open()
    page = opened.page
    await readFiles(page, {'visits.jsonl': visits, 'anchors.json': anchors})
    await page.getByLabel('Name of the project').fill('Visits, "2024" & <before>')
    await page.keyboard.press('Enter')
  }, 300_000)
  afterAll(async () => {
    await opened?.close()
    rmSync(folder, {recursive: true, force: true})
  })

  const keep = async (words: string) => {
    await allReady(page)
    const {name, bytes} = await exported(page, words)
    writeFileSync(join(folder, name), bytes)
    return {name, bytes}
  }

  test('is that of adfa report, to the byte', async () => {
    for (const words of ['Model (model.json)', 'Counts', 'Report']) await keep(words)
    const saved = readFileSync(join(folder, 'report.html'))
    const title = 'Visits, "2024" & <before>'
    adfa('report', 'model.json', '--counts', 'documents.counts', '--title', title, '-o', 'command.html')
    expect(saved.equals(readFileSync(join(folder, 'command.html')))).toBe(true)
    expect(opened.faults).toEqual([])
  }, 300_000)

  test('answers a team lead with scripts and network off', async () => {
    const {bytes} = await keep('Report')
    const text = await readWithoutScripts(join(folder, 'report.html'))
    expect(text).toContain('Visits, "2024" & <before>')
    // Which concepts, how common, how sure.
    for (const concept of ['alcohol', 'asthma', 'fall'])
      expect(text).toMatch(new RegExp(`${concept}[^\\n]*\\n?[^\\n]*\\d(\\.\\d+)?%`))
    expect(text).toMatch(/90% intervals/)
    // The network, in words.
    expect(text).toMatch(/Edges, strongest first[\s\S]*(alcohol|asthma|fall) and (alcohol|asthma|fall) [×÷]/)
    // What is weak, and what is proven.
    expect(text).toMatch(/doctor’s findings[\s\S]*xyzzy/)
    expect(text).toMatch(/What is proven/)
    expect(text).toMatch(/Settings and provenance[\s\S]*documents\.counts/)
    expect(bytes.toString()).not.toMatch(/(?:src|href)="https?:/)
  }, 300_000)

  test('pictures are files that look the same in either scheme', async () => {
    const svg = (await keep('Picture, SVG')).bytes.toString()
    const png = (await keep('Picture, PNG')).bytes
    const [, width, height] = /^<svg [^>]*width="(\d+)" height="(\d+)"/.exec(svg) ?? []
    expect(png.subarray(1, 4).toString()).toBe('PNG')
    expect([png.readUInt32BE(16), png.readUInt32BE(20)]).toEqual([2 * Number(width), 2 * Number(height)])
    expect(svg).not.toMatch(/<style|var\(|currentColor/)
    await page.emulateMedia({colorScheme: 'dark'})
    expect((await exported(page, 'Picture, SVG')).bytes.toString()).toBe(svg)
    expect((await exported(page, 'Picture, PNG')).bytes.equals(png)).toBe(true)
    await page.emulateMedia({colorScheme: null})
    expect(opened.faults).toEqual([])
  }, 300_000)

  test('a project with its model says what it holds, and is compared once its documents are there', async () => {
    const {name, bytes} = await keep('Project with its model')
    expect(name).toBe('Visits- -2024- - -before-.adfa.json')
    writeFileSync(join(folder, 'visits.jsonl'), visits)
    writeFileSync(join(folder, 'shared.adfa.json'), bytes)
    const other = await studio.open()
    await giveFiles(other.page, {'shared.adfa.json': bytes})
    const main = other.page.locator('main')
    await main.getByText('Needs documents.').waitFor()
    const said = (await main.innerText()).replace(/\s+/g, ' ')
    expect(said).toContain('4 concepts (alcohol, asthma, fall, misspelt), 0 answers, and a model of 3 concepts')
    expect(said).toContain('learned from 3,000 documents')
    expect(said).toContain('The project was made with visits.jsonl (3,000 documents)')
    await readFiles(other.page, {'visits.jsonl': visits})
    await allReady(other.page)
    await other.page.getByText('is the one that was learned here, byte for byte').waitFor()
    expect(other.faults).toEqual([])
    await other.close()

    adfa('predict', 'model.json', 'visits.jsonl', '-o', 'by-model.jsonl')
    execFileSync(process.execPath, [program, 'predict', 'shared.adfa.json', '-o', 'by-project.jsonl', '--quiet'], {
      cwd: folder
    })
    expect(readFileSync(join(folder, 'by-project.jsonl'))).toEqual(readFileSync(join(folder, 'by-model.jsonl')))
  }, 300_000)
})

/** All that a reader sees who lets nothing run and nothing load; folded parts are opened. */
async function readWithoutScripts(file: string): Promise<string> {
  const executablePath = findChromium()
  let browser: Browser | undefined
  try {
    browser = await chromium.launch({
      ...(executablePath && {executablePath}),
      args: ['--no-sandbox', '--disable-background-networking']
    })
    const context = await browser.newContext({...wide, javaScriptEnabled: false, offline: true})
    const page = await context.newPage()
    await page.goto(pathToFileURL(file).href)
    for (const fold of await page.locator('details:not([open]) > summary').all())
      if (await fold.isVisible()) await fold.click()
    return await page.locator('body').innerText()
  } finally {
    await browser?.close()
  }
}
