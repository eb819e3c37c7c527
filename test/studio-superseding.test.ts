// Edits faster than fits: only the model of the last one is shown as ready, and a fit can be cancelled.
import type {Page} from 'playwright-core'
import {expect} from 'vitest'
import {
  addConcept,
  addWord,
  allReady,
  exported,
  journeys,
  memberRow,
  openConcept,
  patient,
  readFiles,
  statusBar,
  watchStatusBar
} from './built-studio.ts'
import {asLines, emergencyVisits} from './emergency-visits.ts'

const anchors = JSON.stringify({
  alcohol: ['etoh', 'intoxicated'],
  stroke: ['stroke', 'cva'],
  fall: ['mechanical fall', 'fell down'],
  'abdominal pain': ['abd pain', 'belly pain']
})

journeys('quick edits in the studio', journey => {
  journey(
    'lead to the model of the last, at once where it is known; Cancel keeps the last model, marked old',
    async page => {
      await readFiles(page, {'visits.jsonl': asLines(emergencyVisits(2000, 4)), 'anchors.json': anchors})
      await allReady(page)
      await openConcept(page, 'alcohol')
      await addWord(page, 'alcohol intoxication')
      await allReady(page)
      const model = async () => (await exported(page, 'Model (model.json)')).bytes
      const withAll = await model()

      // Both ways at the speed of keys: 21 edits between two models that are known, the last of which takes the word away.
      const seen = await watchStatusBar(page)
      await page.locator('main').focus()
      for (let edits = 0; edits < 21; edits++)
        await page.keyboard.press(edits % 2 === 0 ? 'Control+z' : 'Control+Shift+z')
      await expect.poll(() => memberRow(page, 'alcohol intoxication').count(), patient).toBe(0)
      await allReady(page)
      const words = await seen()
      expect(words.length).toBeGreaterThan(0)
      expect(words.filter(now => /computing|failed/.test(now))).toEqual([])
      const without = await model()
      expect(without.equals(withAll)).toBe(false)
      await page.keyboard.press('Control+Shift+z')
      await expect.poll(() => memberRow(page, 'alcohol intoxication').count(), patient).toBe(1)
      await allReady(page)
      expect((await model()).equals(withAll)).toBe(true)

      // Twice: a second solver is started after the first was ended.
      for (const [name, word] of [
        ['first', 'nausea'],
        ['second', 'ekg']
      ]) {
        await addConcept(page, name)
        await addWord(page, word)
        await cancelFit(page)
        expect(await page.getByRole('button', {name: 'Cancel computing'}).count()).toBe(0)
        await page.getByRole('button', {name: 'Export', exact: true}).click()
        expect(await page.locator('#exports').getByRole('button', {name: 'Model (model.json)'}).isDisabled()).toBe(true)
        await page.keyboard.press('Escape')
      }
      // The prevalences on the screen are still those of the last model.
      await openConcept(page, 'alcohol')
      await expect
        .poll(() => page.locator('.measure').innerText(), patient)
        .toMatch(/true share unknown[\s\S]*from before the last edit/)
      await page.locator('.topbar').getByRole('button', {name: 'Undo', exact: true}).click()
      await allReady(page)
    }
  )
})

/** Cancel the fit. Where it is over before the button is found, another word begins one. */
async function cancelFit(page: Page): Promise<void> {
  const button = page.getByRole('button', {name: 'Cancel computing'})
  const more = ['days', 'home', 'today']
  let isAsked = false
  const tries = async () => {
    // A button that is gone by now was too late.
    if (await button.isVisible())
      isAsked = await button.click({timeout: 1000}).then(
        () => true,
        () => isAsked
      )
    const words = await statusBar(page)
    if (/Scores ready/.test(words)) {
      isAsked = false
      await addWord(page, more.pop() ?? '')
    }
    return isAsked ? words : 'not asked yet'
  }
  await page.locator('main').focus()
  await expect.poll(tries, patient).toMatch(/Numbers old .*Scores old/)
}
