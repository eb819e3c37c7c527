// What the team lead gets: a report to read without the studio, pictures, and a project with its model.
import {execFileSync} from 'node:child_process'
import {mkdtempSync, readFileSync, rmSync, writeFileSync} from 'node:fs'
import {tmpdir} from 'node:os'
import {join} from 'node:path'
import {fileURLToPath, pathToFileURL} from 'node:url'
import {type Browser, chromium, type Page} from 'playwright-core'
import {afterAll, expect} from 'vitest'
import {allReady, exported, giveFiles, goTo, journeys, readFiles, saved, wide} from './built-studio.ts'
import {asLines, emergencyVisits} from './emergency-visits.ts'
import {findChromium} from './run-in-worker.ts'
import {workbook} from './workbook.ts'

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
  execFileSync(process.execPath, [program, ...args, '--quiet'], {cwd: folder})
}

const title = 'Visits, "2024" & <before>'
afterAll(() => rmSync(folder, {recursive: true, force: true}))

/** An empty studio. */
async function restart(page: Page): Promise<void> {
  await page.reload()
  await goTo(page, 'Start')
}

async function keep(page: Page, words: string): Promise<Buffer> {
  const {name, bytes} = await exported(page, words)
  writeFileSync(join(folder, name), bytes)
  return bytes
}

journeys('what the studio gives to others', journey => {
  journey('a report to read without it, pictures, and a project with its model', async page => {
    await readFiles(page, {'visits.jsonl': visits, 'anchors.json': anchors})
    await page.getByLabel('Name of the project').fill(title)
    await page.keyboard.press('Enter')
    await allReady(page)
    for (const words of ['Model (model.json)', 'Counts', 'Report']) await keep(page, words)
    const report = readFileSync(join(folder, 'report.html'))
    adfa('report', 'model.json', '--counts', 'documents.counts', '--title', title, '-o', 'command.html')
    expect(report.equals(readFileSync(join(folder, 'command.html')))).toBe(true)
    expectAnswers(await readWithoutScripts(join(folder, 'report.html')))
    expect(report.toString()).not.toMatch(/(?:src|href)="https?:/)

    await expectPictures(page)

    const shared = (await exported(page, 'Project with its model')).bytes
    await restart(page)
    await expectShared(page, shared)
  })

  journey('workbooks and Parquet are read as the command line reads them', async page => {
    const rows = emergencyVisits(400, 3).map(({id, text, sex}) => [id, text, sex])
    writeFileSync(join(folder, 'visits.xlsx'), workbook({Visits: [['id', 'note', 'sex'], ...rows]}))
    writeFileSync(join(folder, 'small.json'), JSON.stringify({alcohol: ['etoh', 'intoxicated'], fall: 'fall'}))
    adfa('predict', 'model.json', 'visits.xlsx', '--allow-missing', '-o', 'visits.parquet')
    for (const name of ['visits.xlsx', 'visits.parquet']) {
      await readFiles(page, {
        [name]: readFileSync(join(folder, name)),
        'anchors.json': readFileSync(join(folder, 'small.json'))
      })
      await allReady(page)
      const model = (await exported(page, 'Model (model.json)')).bytes
      const project = await saved(page, () => page.getByRole('button', {name: 'Save project'}).click())
      writeFileSync(join(folder, 'small.adfa.json'), project.bytes)
      adfa('fit', 'small.adfa.json', '-o', 'small-model.json')
      expect(model.equals(readFileSync(join(folder, 'small-model.json')))).toBe(true)
      await restart(page)
    }
  })

  journey(
    'one file from disk reads them too',
    async page => {
      const rows = emergencyVisits(400, 3).map(({id, text, sex}) => [id, text, sex])
      await readFiles(page, {
        'visits.xlsx': workbook({Visits: [['id', 'note', 'sex'], ...rows]}),
        'anchors.json': JSON.stringify({alcohol: ['etoh', 'intoxicated'], fall: 'fall'})
      })
      await allReady(page)
      expect(await page.locator('.status-bar').innerText()).toContain('400 documents')
    },
    'from disk'
  )
})

/** Which concepts, how common, how sure; the network in words; what is weak, and what is proven. */
function expectAnswers(text: string): void {
  expect(text).toContain(title)
  for (const concept of ['alcohol', 'asthma', 'fall'])
    expect(text).toMatch(new RegExp(`${concept}[^\\n]*\\n?[^\\n]*\\d documents`))
  expect(text).toMatch(/Without labels the rates and prevalences of all concepts are unknown/)
  expect(text).toMatch(/Edges, strongest first[\s\S]*(alcohol|asthma|fall) and (alcohol|asthma|fall) [×÷]/)
  expect(text).toMatch(/doctor’s findings[\s\S]*xyzzy/)
  expect(text).toMatch(/What is proven/)
  expect(text).toMatch(/Settings and provenance[\s\S]*documents\.counts/)
}

/** Files that look the same in either scheme. */
async function expectPictures(page: Page): Promise<void> {
  const svg = (await keep(page, 'Picture, SVG')).toString()
  const png = await keep(page, 'Picture, PNG')
  const [, width, height] = /^<svg [^>]*width="(\d+)" height="(\d+)"/.exec(svg) ?? []
  expect(png.subarray(1, 4).toString()).toBe('PNG')
  expect([png.readUInt32BE(16), png.readUInt32BE(20)]).toEqual([2 * Number(width), 2 * Number(height)])
  expect(svg).not.toMatch(/<style|var\(|currentColor/)
  await page.emulateMedia({colorScheme: 'dark'})
  expect((await exported(page, 'Picture, SVG')).bytes.toString()).toBe(svg)
  expect((await exported(page, 'Picture, PNG')).bytes.equals(png)).toBe(true)
  await page.emulateMedia({colorScheme: null})
}

/** It says what it holds and which documents are missing; its model predicts by itself. */
async function expectShared(page: Page, shared: Buffer): Promise<void> {
  await giveFiles(page, {'shared.adfa.json': shared})
  const main = page.locator('main')
  await main.getByText('Needs documents.').waitFor()
  const said = (await main.innerText()).replace(/\s+/g, ' ')
  expect(said).toContain('a project with 4 concepts and no labels')
  expect(said).toContain('The project was made with visits.jsonl (3,000 documents)')
  await readFiles(page, {'visits.jsonl': visits})
  await allReady(page)
  writeFileSync(join(folder, 'visits.jsonl'), visits)
  writeFileSync(join(folder, 'shared.adfa.json'), shared)
  adfa('predict', 'model.json', 'visits.jsonl', '-o', 'by-model.jsonl')
  adfa('predict', 'shared.adfa.json', '-o', 'by-project.jsonl')
  expect(readFileSync(join(folder, 'by-project.jsonl'))).toEqual(readFileSync(join(folder, 'by-model.jsonl')))
}

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
