// Two states of a project in the built studio: what is on the screen is what the library says.
import {expect} from 'vitest'
import {loadModel} from '../src/learn/model/index.ts'
import {type Comparison, compareModels} from '../src/use/comparison/index.ts'
import {addWord, allReady, exported, goTo, journeys, patient, readFiles, saved} from './built-studio.ts'
import {asLines, emergencyVisits} from './emergency-visits.ts'

const visits = asLines(emergencyVisits(2000, 8))
const rated = (any: string[]) => ({any, truePositive: 0.7, falsePositive: 0.01})
const anchors = JSON.stringify({
  alcohol: rated(['etoh', 'intoxicated']),
  stroke: rated(['stroke', 'cva']),
  fall: rated(['mechanical fall', 'fell down']),
  syncope: rated(['syncope', 'near syncope'])
})

journeys('comparing in the studio', journey => {
  journey('a rename and one word more are one rename and one word', async page => {
    const cells = async (title: string) => {
      const rows = page.locator('table', {has: page.locator('caption', {hasText: title})}).locator('tbody tr')
      return Promise.all((await rows.all()).map(async row => (await row.locator('th, td').allInnerTexts()).map(clean)))
    }
    await readFiles(page, {'visits.jsonl': visits, 'anchors.json': anchors})
    await allReady(page)
    const before = loadModel((await exported(page, 'Model')).bytes.toString(), 'before')
    await goTo(page, 'Compare')
    await page.getByLabel('Name of a new snapshot').fill('before')
    await page.getByRole('button', {name: 'Take a snapshot'}).click()
    await page.getByText(/4 concepts, with its model, \d+ KB/).waitFor()

    await goTo(page, 'Anchors')
    await page.locator('.concepts a', {hasText: 'alcohol'}).click()
    await page.getByRole('button', {name: /^Rename/}).click()
    await page.getByLabel('New name of alcohol').fill('drinking')
    await page.keyboard.press('Enter')
    await page.locator('#bench-title', {hasText: 'drinking'}).waitFor()
    await addWord(page, 'sober')
    await allReady(page)
    const after = loadModel((await exported(page, 'Model')).bytes.toString(), 'after')

    await goTo(page, 'Compare')
    await page.getByLabel('A, before').selectOption('before')
    await page.getByRole('button', {name: 'Compare', exact: true}).click()
    await page.getByRole('heading', {name: 'A: before; B: the model as it is'}).waitFor()
    await page.getByText('alcohol is called drinking in B.').waitFor()
    await page.getByText('The anchor of drinking has sober in B only.').waitFor()
    expect(await page.getByText(/^Only [AB] has/).count()).toBe(0)

    // The file is what the library gives, and what the screen shows.
    const json = await saved(page, () => page.getByRole('button', {name: 'Save JSON of the comparison'}).click())
    const {crossed = [], ...comparison}: Comparison = JSON.parse(json.bytes.toString())
    const renamed = new Map([['alcohol', 'drinking']])
    expect(comparison).toEqual(
      JSON.parse(JSON.stringify(compareModels(before, after, {renamed, isSameDocuments: true})))
    )
    const verdicts = comparison.concepts.flatMap(({concept, rates}) =>
      Object.values(rates).map(({verdict}) => [concept, verdict])
    )
    const rates = await cells('Rates')
    expect(rates.map(([concept]) => concept)).toContain('drinking')
    for (const row of rates) expect(verdicts).toContainEqual([row[0], row.at(-1)])
    expect((await cells('Documents that cross')).map(row => Number.parseInt(row[1].replaceAll(',', ''), 10))).toEqual(
      crossed.map(({entered}) => entered)
    )
    const svg = await saved(page, () => page.getByRole('button', {name: 'Save SVG of the comparison'}).click())
    expect(svg.bytes.toString()).toMatch(/^<svg[\s\S]*drinking/)
    expect(await page.locator('.chart svg').first().innerHTML()).toContain('drinking')

    // From the number to its documents, and back to the same comparison.
    const own = crossed.find(({concept}) => concept === 'drinking')
    expect(own?.entered).toBeGreaterThan(0)
    await page.getByRole('link', {name: `${own?.entered} documents of drinking, reported only by B`}).click()
    await expect.poll(() => page.locator('.result b').innerText(), patient).toBe(String(own?.entered))
    await goTo(page, 'Compare')
    await page.getByText('alcohol is called drinking in B.').waitFor()
  })

  journey('a project with a snapshot is opened again, and its snapshot compared with another structure', async page => {
    await readFiles(page, {'visits.jsonl': visits, 'anchors.json': anchors})
    await allReady(page)
    await goTo(page, 'Compare')
    await page.getByRole('button', {name: 'Take a snapshot'}).click()
    await page.locator('.snapshots li').waitFor()
    const file = await saved(page, () => page.getByRole('button', {name: 'Save project'}).click())
    await page.reload()
    await goTo(page, 'Start')
    await readFiles(page, {'visits.jsonl': visits, [file.name]: file.bytes})
    await allReady(page)
    await goTo(page, 'Compare')
    await page.getByLabel('A, before').selectOption('snapshot 1')
    await page.getByRole('button', {name: 'Compare', exact: true}).click()
    await page.getByText('The two models do not differ.').waitFor()
    await goTo(page, 'Graph')
    await page.getByLabel('Structure').selectOption('tree')
    await allReady(page)
    await goTo(page, 'Compare')
    await page.getByRole('button', {name: 'Compare', exact: true}).click()
    await page.getByText('no interval').first().waitFor()
    expect(await page.getByText('The two models do not differ.').count()).toBe(0)
  })
})

function clean(text: string): string {
  return text.replace(/\s+/g, ' ').trim()
}
