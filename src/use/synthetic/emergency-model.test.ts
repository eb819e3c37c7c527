import {expect, test} from 'vitest'
import {networkTable} from '../../base/network/index.ts'
import {backgroundWords, conditionTable} from './emergency-conditions.ts'
import {emergencyModel} from './emergency-model.ts'

const model = emergencyModel()
const indexOf = (name: string) => {
  const at = model.concepts.findIndex(concept => concept.name === name)
  if (at < 0) throw new Error(`no condition ${name}`)
  return at
}

/** The paper's table of learned medical concepts: condition | its anchor | its words, misprints mended. */
const paperTable = `
abdominal pain | abdominal pain | pain, dispensed:ondansetron, nausea, neg:fevers, dispensed:morphine sulfate, vomiting, days, dispensed:hydromorphone (dilaudid), neg:vomiting
alcohol | etoh | sex:m, sober, admits, found, drink, dispensed:thiamine, dispensed:folic acid, dispensed:diazepam, dispensed:multivitamins
allergic reaction | allergy | disposition, initial vitals, pending, consults, interventions, trigger, imaging, ed, diagnosis, pain
asthma-copd | asthma | med-history:albuterol sulfate, sob, dispensed:methylprednisolone sodium succ, cough, nebs, med-history:spiriva with handihaler, home, days, dyspnea
back pain | back pain | pain, neg:or, neg:pain, back, denies, lower back, dispensed:oxycodone-acetaminophen, neg:of, low back, neg:bowel
cellulitis | cellulitis | ed, admit, swelling, imaging, diagnosis, days, consults, iv, leg, interventions
stroke | stroke | age 80, admit, patient, head, ekg, weakness, ed, ct head, neuro, htn
epistaxis | epistaxis | nose, bleeding, blood, neg:bleeding, ekg, neg:with, ed, bleed, consults, today
fall | fell down | pain, denies, neg:pain, p fall, neg:or, ed, imaging, consults, interventions, neg:loc
gastrointestinal bleed | gi bleed | blood, dispensed:pantoprazole sodium, hct, gi, stool, admit, rectal, today, dispensed:lidocaine jelly 2% (urojet)
headache | headache | head, nausea, today, neg:or, denies, neg:pain, days, dispensed:acetaminophen, pain, neck pain
hematuria | hematuria | sex:m, urine, urology, blood, foley, neg:pain, days, neg:fevers, dysuria, bladder
hiv+ | hiv | sex:m, med-history:truvada, cd4, age 40, med-history:ritonavir, days, pcp, cough, fever, denies
intracranial hemorrhage | ich | osh, ct, fall, age 80, found, head ct, transfer, sex:m, repeat, small
kidney stone | kidney stone | pain, flank pain, dispensed:ondansetron, dispensed:ketorolac, stone, nausea, urology, ct, dispensed:morphine sulfate
liver failure (history) | cirrhosis | sex:m, liver, age 50, med-history:lactulose, admit, ed, med-history:folic acid, med-history:furosemide, med-history:multivitamin, med-history:lasix
motor vehicle collision | mvc | car, neg:loc, age 20, hit, neck, neg:head, driver, mph, neg:airbag, front
pneumonia | pna | cxr, admit, sex:m, cough, ed, fever, diagnosis, ekg, medicine, admit medicine
severe sepsis | severe sepsis | dispensed:fentanyl citrate, found, icu, osh, vanc, age 80, imaging, consults, interventions, lactate
sexual assault | sane nurse | patient, dispensed:ondansetron odt, evaluation, ceftriaxone, man, eval, age 30, home, plan, flagyl
suicidal ideation | si | depression, neg:hi, denies, states, neg:si, plan, dispensed:lorazepam, eval, age 40, section
syncope | syncope | ekg, neg:pain, fall, head, fell, denies, neg:cp, ed, neg:of, loc
urinary tract infection | uti | ed, imaging, consults, interventions, diagnosis, ua, cipro, admit, pending, disposition`

test('emergencyModel() has the 23 conditions of the paper, each with its anchor first and switching on its words', () => {
  const rows = paperTable.trim().split('\n')
  expect(model.concepts.map(concept => concept.name)).toEqual(rows.map(row => row.split(' | ')[0]))
  expect(rows).toHaveLength(23)
  const {wordCount, failure} = model.loadings
  for (const [i, row] of rows.entries()) {
    const [, anchor, words] = row.split(' | ')
    expect(model.lexicon.anchors[i].any[0]).toBe(anchor)
    for (const word of words.split(', '))
      expect(failure[i * wordCount + model.lexicon.words.indexOf(word)], `${row} ${word}`).toBeLessThan(1)
  }
})

test('emergencyModel() has 200 to 300 words in ascending order, none of them an anchor, and probabilities in range', () => {
  const {words, anchors} = model.lexicon
  expect(words.length).toBeGreaterThanOrEqual(200)
  expect(words.length).toBeLessThanOrEqual(300)
  expect(words.every((word, j) => j === 0 || words[j - 1] < word)).toBe(true)
  const members = anchors.flatMap(anchor => anchor.any)
  expect(new Set([...words, ...members]).size).toBe(words.length + members.length)
  for (const {any} of anchors) expect([2, 3, 4]).toContain(any.length)
  for (const {truePositive, falsePositive} of model.concepts) {
    expect(truePositive >= 0.3 && truePositive <= 0.9).toBe(true)
    expect(falsePositive >= 0.001 && falsePositive <= 0.02).toBe(true)
  }
  expect(model.loadings.failure.every(f => f > 0 && f <= 1)).toBe(true)
  expect(model.loadings.leak.every(l => l > 0 && l < 0.5)).toBe(true)
})

test('emergencyModel() is read from lists that name no word twice', () => {
  // Two lines of a condition come before its words.
  const conditions = conditionTable.trim().split(/\n(?=\S)/)
  expect(conditions).toHaveLength(23)
  expect(model.network.parents.flat().every(parent => parent >= 0)).toBe(true)
  for (const list of [backgroundWords, ...conditions.map(text => text.split('\n').slice(2).join(' '))]) {
    const names = list.split(',').map(entry => entry.trim().replace(/ [\d.]+$/, ''))
    expect(new Set(names).size, list).toBe(names.length)
  }
})

test('emergencyModel() explains away: cellulitis accounts for the sepsis that spoke for pneumonia', () => {
  const table = networkTable(model.network, ['severe sepsis', 'cellulitis', 'pneumonia'].map(indexOf))
  const pneumonia = table[1] + table[3] + table[5] + table[7]
  const givenSepsis = (table[5] + table[7]) / (table[4] + table[5] + table[6] + table[7])
  const givenBoth = table[7] / (table[6] + table[7])
  expect(givenSepsis).toBeGreaterThan(2 * pneumonia)
  expect(givenBoth).toBeLessThan(givenSepsis / 2)
})
