// What the built studio saves is what the built command line writes, to the byte, by whatever path of edits.
import {execFileSync} from 'node:child_process'
import {mkdtempSync, readFileSync, rmSync, writeFileSync} from 'node:fs'
import {tmpdir} from 'node:os'
import {join} from 'node:path'
import {fileURLToPath} from 'node:url'
import type {Page} from 'playwright-core'
import {afterAll, expect} from 'vitest'
import {rng} from '../src/base/numeric/index.ts'
import {csvText} from '../src/base/text/index.ts'
import {
  addConcept,
  addWord,
  allReady,
  exported,
  goTo,
  journeys,
  memberRow,
  openConcept,
  patient,
  probeField,
  readFiles,
  readQuestion,
  saved
} from './built-studio.ts'
import {asLines} from './emergency-visits.ts'
import {triageConcepts, triageVisits} from './triage-notes.ts'

const program = fileURLToPath(new URL('../dist/adfa.js', import.meta.url))
const folder = mkdtempSync(join(tmpdir(), 'adfa-studio-'))
const visits = triageVisits(800, 5)
const table = csvText([
  ['id', 'note', 'sex', 'age', 'meds', 'level', 'truth'],
  ...visits.map(({id, note, sex, age, meds, level, truth}) => [
    id,
    note,
    sex,
    age,
    meds.join('|'),
    String(level),
    truth.join('|')
  ])
])
const anchors = JSON.stringify({alcohol: ['etoh', 'intoxicated'], 'chest pain': ['chest pain', 'cp'], fall: ['fell']})
const labels = asLines(
  visits.slice(0, 60).map(({id, truth}) => ({
    id,
    labels: Object.fromEntries(triageConcepts.slice(0, 3).map(name => [name, truth.includes(name)])),
    drawn: 'random'
  }))
)

const EXPORTS = {
  'anchors.json': 'Anchors',
  'labels.jsonl': 'Labels',
  'documents.counts': 'Counts',
  'model.json': 'Model (model.json)',
  'predictions.jsonl': 'Predictions, JSON Lines',
  'predictions.csv': 'Predictions, CSV',
  'report.html': 'Report (report.html)',
  'network.bif': 'BIF'
} as const

type Step = (page: Page) => Promise<void>

/** Words, phrases, expressions, vetoes, given rates and names; each is one edit. */
const EDITS: readonly Step[] = [
  page => open(page, 'alcohol').then(() => addWord(page, '/\\bvodk?a\\b/')),
  page => addWord(page, 'slurred speech'),
  page => addVeto(page, 'police'),
  page => open(page, 'chest pain').then(() => addWord(page, 'substernal')),
  page => giveRates(page, ['0.8', '0.01']),
  page => addConcept(page, 'asthma'),
  page => open(page, 'asthma').then(() => addWord(page, 'wheezing')),
  page => addWord(page, 'meds:albuterol'),
  page => open(page, 'fall').then(() => addWord(page, 'mechanical fall')),
  page => memberRow(page, 'fell').getByRole('button', {name: 'Remove fell'}).click(),
  page => addVeto(page, '/\\bdenies (any )?falls?\\b/'),
  page => rename(page, 'fall', "fall, it's one"),
  page => addConcept(page, 'no words yet')
]

journeys('the studio and the command line', journey => {
  afterAll(() => rmSync(folder, {recursive: true, force: true}))

  journey('give the same bytes after edits, undoing and redoing', async page => {
    await readFiles(page, {'my visits.csv': table, 'anchors.json': anchors, 'labels.jsonl': labels}, async () => {
      await page.getByLabel('truth is read as').selectOption('tags')
      await page.getByLabel('Negation').selectOption('yes')
      await page.getByLabel('Words per field').fill('300')
      await page.getByLabel('Words per field').press('Enter')
    })
    await allReady(page)
    const before = await exportAll(page)

    const random = rng(3)
    const [undo, redo] = ['Undo', 'Redo'].map(name => page.locator('.topbar').getByRole('button', {name, exact: true}))
    for (const edit of EDITS) {
      const words = await undo.getAttribute('title')
      await edit(page)
      await expect.poll(() => undo.getAttribute('title'), patient).not.toBe(words)
      if (random.next() > 0.4) continue
      await undo.click()
      await expect.poll(() => undo.getAttribute('title'), patient).toBe(words)
      await redo.click()
    }
    await goTo(page, 'Label')
    await readQuestion(page)
    await page.keyboard.press('1')
    await page.keyboard.press('Enter')
    await expect.poll(() => undo.getAttribute('title'), patient).toMatch(/^Undo: label V\d+: 1 concept/)
    await allReady(page)
    const after = await exportAll(page)
    expect(after['model.json'].equals(before['model.json'])).toBe(false)

    // All the way back, and forth again.
    while (await undo.isEnabled()) await undo.click()
    await allReady(page)
    expect(differences(await exportAll(page), before)).toEqual([])
    while (await redo.isEnabled()) await redo.click()
    await allReady(page)
    expect(differences(await exportAll(page), after)).toEqual([])

    const {name, bytes} = await saved(page, () => page.getByRole('button', {name: 'Save project'}).click())
    writeFileSync(join(folder, name), bytes)
    writeFileSync(join(folder, 'my visits.csv'), table)
    for (const file of ['anchors.json', 'labels.jsonl'] as const) writeFileSync(join(folder, file), after[file])
    adfa('fit', '--project', name, '-o', 'model.json')
    adfa('count', '--project', name, '-o', 'documents.counts')
    for (const file of ['predictions.jsonl', 'predictions.csv'])
      adfa('predict', 'model.json', 'my visits.csv', '-o', file)
    adfa(
      'report',
      'model.json',
      '--counts',
      'documents.counts',
      '--title',
      name.replace('.adfa.json', ''),
      '-o',
      'report.html'
    )
    adfa('export', 'model.json', '--to', 'bif', '-o', 'network.bif')
    const written = Object.fromEntries(Object.keys(EXPORTS).map(name => [name, readFileSync(join(folder, name))]))
    expect(differences(after, written)).toEqual([])
  })
})

function adfa(...args: readonly string[]): void {
  execFileSync(process.execPath, [program, ...args, '--quiet'], {cwd: folder})
}

async function exportAll(page: Page): Promise<Record<string, Buffer>> {
  const files: Record<string, Buffer> = {}
  for (const [name, words] of Object.entries(EXPORTS)) {
    const file = await exported(page, words)
    expect(file.name).toBe(name)
    files[name] = file.bytes
  }
  return files
}

/** The names of files that differ. */
function differences(ones: Readonly<Record<string, Buffer>>, others: Readonly<Record<string, Buffer>>): string[] {
  return Object.keys(EXPORTS).filter(name => !ones[name].equals(others[name]))
}

async function open(page: Page, concept: string): Promise<void> {
  await openConcept(page, concept)
  expect(await probeField(page).inputValue()).toBe('')
}

async function openAdvanced(page: Page): Promise<void> {
  await page.locator('.advanced').evaluate(details => details.setAttribute('open', ''))
}

async function addVeto(page: Page, feature: string): Promise<void> {
  await openAdvanced(page)
  await page.getByLabel('Ruled out by').fill(feature)
  await page.getByLabel('Ruled out by').press('Enter')
  await memberRow(page, feature).waitFor()
}

async function giveRates(page: Page, [first, second]: readonly [string, string]): Promise<void> {
  await openAdvanced(page)
  await page.locator('.rates select').selectOption('rates')
  const fields = page.locator('.given .field')
  await fields.nth(0).fill(first)
  await fields.nth(1).fill(second)
  await page.getByRole('button', {name: 'Use these'}).click()
}

async function rename(page: Page, concept: string, to: string): Promise<void> {
  await page.getByRole('button', {name: 'Rename'}).click()
  await page.getByLabel(`New name of ${concept}`).fill(to)
  await page.keyboard.press('Enter')
}
