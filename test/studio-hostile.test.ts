// Files, rows, names and words that do harm where programs are careless: the built studio says what is wrong, and goes on.
import {gzipSync} from 'node:zlib'
import type {Page} from 'playwright-core'
import {expect} from 'vitest'
import {
  addConcept,
  addWord,
  allReady,
  giveFiles,
  goTo,
  hasField,
  journeys,
  patient,
  probeField,
  readFiles,
  statusBar
} from './built-studio.ts'
import {asLines} from './emergency-visits.ts'

const markup = '<img src=x onerror=alert(1)>'
const turned = '\u202eetoh\u202c\u200f'
const texts = ['etoh on board, unsteady', 'calm, no complaint', 'fell down the stairs', 'chest pain since noon']
const good = Array.from({length: 240}, (_, at) => ({
  id: at,
  text: `${texts[at % 4]} ${texts[(at * 7) % 3]} w${at % 11}`
}))
const packed = gzipSync(asLines(good))

/** What is given, and what is said: file, place, rule and way out, as the command line says it. Engines word faults of JSON differently. */
const FAULTY: readonly (readonly [content: string | Uint8Array, said: RegExp])[] = [
  ['', /rows.jsonl: the file holds no documents; at least one is needed; check that it is the right file/],
  [
    packed.subarray(0, packed.length / 2),
    /rows.jsonl: the gzip data is damaged or cut short.*copy or download it again/
  ],
  ['\0\0\0\0\0\0\0\0', /rows.jsonl:1: not valid JSON: .*; fix or remove the line/],
  [`${asLines(good)}{"id":`, /rows.jsonl:241: not valid JSON: .*; fix or remove the line/],
  [`${asLines(good)}7\n`, /rows.jsonl:241: the row is not an object; expected one JSON object per document/],
  [
    Buffer.from(`\ufeff${asLines(good)}`, 'utf16le').subarray(0, -3),
    /rows.jsonl: not text in UTF-16LE .*; save it as UTF-8, or name its `encoding`/
  ],
  [asLines(good.map(() => ({text: 'etoh'}))), /^No field is read, so documents have no words/],
  ['{"format":"adfa-project","version":7}', /rows.jsonl: it has version 7; this program reads version 1/]
]

const hostile = [
  {id: markup, text: `${markup} <script>alert(2)</script> etoh`, __proto__x: 'a', ward: '__proto__'},
  {id: '__proto__', text: '__proto__ constructor toString etoh', ward: 'constructor'},
  {id: 'nul', text: 'before\0after etoh', ward: markup},
  {id: turned, text: `${turned} chest pain`, ward: turned},
  {id: 'long', text: `${'a'.repeat(1_000_000)}!`, ward: 'x'},
  {id: 'twice', text: 'etoh twice', ward: 'x'},
  {id: 'twice', text: 'etoh twice', ward: 'x'}
]

journeys('hostile data in the studio', journey => {
  journey('is refused in the words of the library or shown as text, and the studio goes on', async (page, faults) => {
    const isClean = async () => {
      expect(await page.locator('img, script:not([src]), [onerror]').count()).toBe(0)
      expect(faults).toEqual([])
    }

    for (const [content, said] of FAULTY) {
      await giveFiles(page, {'rows.jsonl': content})
      await expect.poll(() => page.getByRole('alert').innerText(), patient).toMatch(said)
      expect(await page.getByRole('alert').innerText()).toContain('Nothing was loaded.')
    }
    await isClean()

    // Text in another encoding is read, not refused.
    const old = asLines(good).replace('calm', 'caf\u00e9')
    await giveFiles(page, {'rows.jsonl': Buffer.from(old, 'latin1')})
    await page.locator('.preview', {hasText: 'caf\u00e9'}).waitFor()
    await page.getByText('rows.jsonl: read as Windows-1252 (Latin-1), since it is not UTF-8').waitFor()

    await readFiles(page, {'rows.jsonl': asLines([...hostile, ...good])}, async () => {
      await page.getByLabel('text is read as').selectOption('text')
      await page.getByLabel('ward is read as').selectOption('category')
      await page.locator('.preview', {hasText: '<script>alert(2)</script>'}).waitFor()
    })
    for (const [concept, word] of [
      [markup, 'ward:__proto__'],
      ['__proto__', '__proto__'],
      ['constructor', 'chest pain'],
      [turned, 'fell']
    ]) {
      await addConcept(page, concept)
      await addWord(page, word)
    }
    for (const [typed, said] of [
      ['/^(a+)+$/', 'occurs in no document'],
      ['/(a/', /unterminated group/i],
      [`/${'a?'.repeat(40)}${'a'.repeat(40)}b/`, /occurs in no document|too/],
      [markup, /./]
    ] as const) {
      await probeField(page).fill(typed)
      const answer = page.locator('.probe .answer[aria-busy=false]')
      await expect.poll(() => answer.innerText(), patient).toMatch(said)
    }
    await page.keyboard.press('Escape')
    await settled(page)
    await isClean()

    await goTo(page, 'Label')
    await page.locator('#doc-title').waitFor()
    await goTo(page, 'Documents')
    for (const [word, text] of [
      ['/alert.2/', '<script>alert(2)</script> etoh'],
      ['tostring', '__proto__ constructor toString'],
      ['/before/', 'after etoh'],
      ['/\\u202e/', 'chest pain'],
      ['/a{60}/', 'a'.repeat(60)]
    ])
      await findDocument(page, word, text)
    // Nobody has set a concept, whatever its name is.
    expect(await page.locator('.tags').innerText()).not.toContain('set to')
    await isClean()

    // Nothing can be learned where all rows are alike: that is said, and one good file later all is well.
    await goTo(page, 'Start')
    await readFiles(page, {
      'rows.jsonl': asLines(good.map(({id}) => ({id, text: 'etoh on board, and more words of the same'})))
    })
    await settled(page)
    await goTo(page, 'Start')
    await readFiles(page, {'rows.jsonl': asLines(good)})
    await settled(page)
    // The last concept is left, whose word these documents have.
    await page.locator('.concepts a').first().click()
    while ((await page.locator('.concepts a').count()) > 1)
      await page.getByRole('button', {name: 'Delete', exact: true}).click()
    await allReady(page)
    await isClean()
  })
})

/** Wait until nothing is computed any more, whether or not there is a model. */
async function settled(page: Page): Promise<void> {
  await expect.poll(() => statusBar(page), patient).not.toMatch(/(Numbers|Scores) (computing|provisional|old)/)
}

/** Find a document by a word on Documents, and open it. */
async function findDocument(page: Page, word: string, text: string): Promise<void> {
  await hasField(page).fill(word)
  const opened = async () => {
    await page.locator('.hit').first().click()
    return page.locator('.text').innerText()
  }
  // The list of the word before may still be there.
  await expect.poll(opened, patient).toContain(text)
}
