import fc from 'fast-check'
import {describe, expect, test} from 'vitest'
import {textDefaults} from './lexicon.ts'
import {CLOSES, createNegationMarker, NEGATED, OPENS, PLAIN, rulesOf, spellOut} from './negation.ts'
import {NEGATION_KINDS, type NegationKind, type NegationLanguage, textLanguage} from './negation-words.ts'
import {tokenizePlaced} from './tokenize.ts'

const markNegation = createNegationMarker(textDefaults.negationScope)

/** The tokens that a text negates, in their order. */
function negatedTokens(text: string): string[] {
  const tokens = tokenizePlaced(text)
  const marks = markNegation(text, tokens)
  return tokens.filter((_, at) => marks[at] === NEGATED).map(({token}) => token)
}

/** Sentences with what they negate in braces, and so both the text and the tokens expected of it. */
function examples(sentences: string): [string, string[]][] {
  return sentences
    .split('\n')
    .map(line => line.trim())
    .filter(line => line !== '')
    .map(marked => [
      marked.replace(/[{}]/g, ''),
      [...marked.matchAll(/\{([^}]*)\}/g)].flatMap(([, inside]) => tokenizePlaced(inside).map(({token}) => token))
    ])
}

const SENTENCES: Readonly<Record<string, string>> = {
  'words before': `
    No {fever}.
    The patient denies {chest pain}.
    There is no evidence of {pneumonia}.
    No radiographic evidence of {active disease}.
    Negative for {pneumothorax or pleural effusion}.
    The lungs are free of {focal infiltrates}.
    CT to r/o {pulmonary embolism}.
    The heart is not {enlarged}.
    He doesn't {drink alcohol}.
    He doesn’t {drink alcohol}.
    Absent {breath sounds on the left}.
    Abdomen soft w/o {guarding}.
    Neither {fever} nor {rash}.
    Atelectasis rather than {pneumonia}.`,
  'words after': `
    {Pneumonia} was ruled out.
    {Pleural effusion} is absent.
    {A pneumothorax} is not seen.
    {Fever, chills and cough} are absent.
    {Nausea or vomiting} was denied.
    {Troponin}: negative.
    {Strep test} negative, discharged home.
    {Allergies}: none.
    {Rash}: no.
    Lungs: {effusion} absent.
    {Pneumonia} resolved with antibiotics.
    {Myocardial infarction} ruled out by enzymes.
    The heart is enlarged and {pneumonia} was ruled out.
    History of asthma, {tuberculosis} excluded.
    Cough present; {fever} absent.`,
  'where it ends': `
    No {fever}. Cough for three days.
    No {fever}! Cough for three days.
    No {fever}; cough for three days.
    No {fever} but productive cough.
    No {abnormality} except mild cardiomegaly.
    No {fever} which had been present yesterday.
    No {pneumothorax}, there is a small effusion.
    No {pneumothorax} and the heart is enlarged.
    No {effusion}, lungs are hyperinflated.
    No {fever}, has a cough.
    No {definite effusion seen}, left hilar calcifications.
    No {pneumothorax}, stable cardiomegaly.
    Headache (no {fever}) and cough.
    Headache [denies {fever}] and cough.
    No {fever (tympanic) or chills}.
    No {fever} - cough since Monday.
    No {fever} -- cough since Monday.
    No {effusion.There} are opacities.
    No {one two three four five six or seven eight nine ten eleven twelve}.
    No {one two three four five six and seven eight nine ten eleven twelve}.
    No {one two three four five six seven eight nine ten} eleven twelve.`,
  lists: `
    No {fever, chills or cough}.
    No {fever, chills, night sweats, weight loss, cough, hemoptysis, chest pain, or leg swelling}.
    Denies {fever, chills, and cough}.
    Without {focal consolidation, pneumothorax, or large pleural effusion}.
    No {focal consolidation, large effusion or pneumothorax is identified}.
    No {acute, displaced fractures are demonstrated}.
    No {edema, effusion or pneumothorax is present}.
    No {edema}, the effusion is seen again.
    No {fever/chills}.
    No {fever}, no {chills}, no {cough}.
    Denies {fever, chills, cough}.
    Negative for {focal consolidation, pleural effusion, pneumothorax}.
    No {acute, displaced rib fractures identified}.
    Denies {fever}, alcohol on breath.
    Denies {fever, chills}, alcohol on breath.
    Denies {fever, chills or cough}, smells of alcohol since last night.
    Denies {fever, pain in the chest or shortness of breath on exertion}.
    Denies {loc}, laceration to scalp, fell down stairs.
    Denies {fever}, vomiting x 3 days.
    Denies {fever}, drank a bottle of vodka tonight.
    Denies {fever}, and alcohol on breath.
    Denies {chest pain}, smells of alcohol.
    No {focal pneumonia}, normal chest radiograph.
    No {fever}, denies {chills}.
    Neither {edema}, nor {effusion}, nor {mass}.`,
  'what only looks like a negation': `
    No change in the right effusion.
    Without significant change in the effusion.
    Not only fever but also cough.
    Gram negative rods in the urine.
    Gram-negative rods in the urine.
    Pneumonia cannot be excluded.
    Pneumonia can't be ruled out.
    Difficult to entirely exclude a cavitary lesion.
    A nodule is not entirely excluded.
    There is no doubt that she has pneumonia.
    No prior study for comparison of the nodule.
    Bed no. 5, fever.`,
  'twice negated': `
    Not without pain.
    She does not deny alcohol use.
    The culture was not negative.
    No {effusion}, no change in cardiomegaly.
    No {effusion} without {pneumothorax}.`,
  'spelling and layout': `
    NO {FEVER}. COUGH.
    DENIES {CHEST PAIN} BUT REPORTS COUGH
    No {non-productive cough}.
    A non-tender abdomen with a no-show.
    No {x-ray changes of follow-up}.
    No {fever as Dr. Smith says}. Cough.
    No {fever vs. chills}. Cough.
    No {lesions, e.g. nodules}. Cough.
    No {nodule above .5 cm}. Cough.
    No {nodule above 0.5 cm}. Cough.
    1. No {effusion}. 2. Cardiomegaly. 3. No {edema}.`
}

describe.each(Object.entries(SENTENCES))('markNegation, %s', (_, sentences) => {
  test.each(examples(sentences))('markNegation(%j) negates %j', (text, expected) => {
    expect(negatedTokens(text)).toEqual(expected)
  })
})

describe('markNegation, lines', () => {
  test.each([
    ['No fever\nCough present', ['fever']],
    ['No fever\n\nCough present', ['fever']],
    ['- no fever\n- cough', ['fever']],
    ['The patient was seen this morning in clinic and has no\nfever at all. Cough.', ['fever', 'at', 'all']],
    ['The patient was seen this morning in clinic and has no fever\n\nor cough', ['fever']],
    ['The patient was seen this morning in clinic and has no fever\n- cough', ['fever']],
    ['', []],
    ['no', []],
    ['No.', []],
    ['absent', []],
    ['Is there any fever? No. Cough?', []]
  ])('markNegation(%j) negates %j', (text, expected) => {
    expect(negatedTokens(text)).toEqual(expected)
  })
})

describe('markNegation, for any text', () => {
  const plainWords = 'fever cough the of heart enlarged and or is seen x-ray 5 now'.split(' ')
  const rulingWords = 'no;not;denies;without;was ruled out;absent;no change;but;negative;free of'.split(';')
  const joints = [' ', ' ', ' ', ', ', ': ', ' (', ') ', '/']
  const sentence = (words: readonly string[]) =>
    fc
      .array(fc.tuple(fc.constantFrom(...words), fc.constantFrom(...joints)), {minLength: 1, maxLength: 14})
      .map(parts => parts.map(([word, joint]) => word + joint).join(''))
  const marksOf = (text: string) => [...markNegation(text, tokenizePlaced(text))]

  test('markNegation(...) gives one mark a token and never throws, and the same every time', () => {
    fc.assert(
      fc.property(
        fc.oneof(fc.string({unit: 'binary', maxLength: 60}), sentence([...plainWords, ...rulingWords])),
        text => {
          const marks = marksOf(text)
          expect(marks).toHaveLength(tokenizePlaced(text).length)
          expect(marks.every(mark => [PLAIN, NEGATED, OPENS, CLOSES].includes(mark))).toBe(true)
          expect(marksOf(text)).toEqual(marks)
        }
      ),
      {seed: 1, numRuns: 300}
    )
  })

  test('markNegation(...) marks nothing in a text without a word that negates', () => {
    fc.assert(
      fc.property(sentence(plainWords), text => {
        expect(new Set(marksOf(text))).toEqual(new Set([PLAIN]))
      }),
      {seed: 2, numRuns: 500}
    )
  })

  test('markNegation(...) reads each sentence by itself', () => {
    const any = sentence([...plainWords, ...rulingWords])
    fc.assert(
      fc.property(any, any, (left, right) => {
        expect(marksOf(`${left}. ${right}`)).toEqual([...marksOf(`${left}.`), ...marksOf(right)])
      }),
      {seed: 3, numRuns: 1000}
    )
  })

  test('markNegation(...) is the same in upper case', () => {
    fc.assert(
      fc.property(sentence([...plainWords, ...rulingWords]), text => {
        expect(marksOf(text.toUpperCase())).toEqual(marksOf(text))
      }),
      {seed: 4, numRuns: 300}
    )
  })

  test('markNegation(...) goes through many words without looking at them again and again', () => {
    // Quadratic work would take hours here, so the test's own time limit is the assertion on it.
    expect(negatedTokens('no fever, '.repeat(100_000))).toHaveLength(100_000)
    expect(negatedTokens(`${'fever and '.repeat(100_000)}cough are absent`)).toHaveLength(200_001)
    expect(negatedTokens('fever and cough absent, '.repeat(50_000))).toHaveLength(150_000)
  })
})

/** A word before each rule that tells the language, and one that negates. */
const LANGUAGES: Readonly<Record<NegationLanguage, readonly [string, string]>> = {
  English: ['there', 'no'],
  German: ['im', 'kein'],
  French: ['dans', 'sans'],
  Spanish: ['por', 'sin']
}
const languages = Object.entries(LANGUAGES) as [NegationLanguage, readonly [string, string]][]

describe.each(languages)('the rules of %s', (language, [first, no]) => {
  // "w o" and "r o" are the words of w/o and r/o.
  const spellings = (kind: NegationKind) =>
    rulesOf(language, kind).flatMap(rule =>
      spellOut(rule.replace(/\.$/, '')).map(words => words.join(' ').replace(': ', ''))
    )
  const negates = (text: string) => negatedTokens(text).includes('zebra')

  test('markNegation(...) negates what follows each rule of "before"', () => {
    expect(spellings('before').filter(rule => !negates(`${first} ${rule} zebra`))).toEqual([])
  })

  test('markNegation(...) negates what stands in front of each rule of "after"', () => {
    expect(spellings('after').filter(rule => !negates(`${first} zebra: ${rule}`))).toEqual([])
  })

  test('markNegation(...) negates nothing around each rule of "seeming"', () => {
    expect(spellings('seeming').filter(rule => negates(`${first} zebra ${rule} zebra`))).toEqual([])
  })

  test('markNegation(...) ends a negation at each rule of "end"', () => {
    expect(spellings('end').filter(rule => negates(`${first} ${no} lion ${rule} zebra`))).toEqual([])
    expect(spellings('end').filter(rule => !negates(`${first} ${no} zebra ${rule} lion`))).toEqual([])
  })

  test('each sequence of words belongs to one kind alone, unless the clause ends', () => {
    const kinds = new Map<string, Set<NegationKind>>()
    for (const kind of NEGATION_KINDS)
      for (const words of rulesOf(language, kind).flatMap(spellOut)) {
        const rule = words.join(' ')
        kinds.set(rule, (kinds.get(rule) ?? new Set()).add(kind))
      }
    expect([...kinds].filter(([, of]) => of.size > 1)).toEqual([])
    expect(kinds.size).toBeGreaterThan(100)
  })
})

test.each([
  ['Kein Pleuraerguss oder Infiltrat.', 'German', ['Pleuraerguss', 'Infiltrat']],
  ['Ein Pneumothorax ist nicht nachweisbar, der Erguss ist unverändert.', 'German', ['Ein', 'Pneumothorax']],
  ['Keine Befundänderung des Ergusses. Herz normal groß.', 'German', []],
  ['Pas de fracture ni de luxation, mais un œdème.', 'French', ['fracture', 'luxation']],
  ['Aucun signe de pneumonie. La fracture est stable.', 'French', ['pneumonie']],
  ['Sin derrame pleural. El paciente niega fiebre, pero tiene tos.', 'Spanish', ['derrame', 'pleural', 'fiebre']],
  ['No fever, chills or cough.', 'English', ['fever', 'chills', 'cough']],
  ['no fiebre', 'English', ['fiebre']]
])('negatedTokens(%j), in %s, are %j', (text, language, negated) => {
  expect(textLanguage([text])).toBe(language)
  expect(negatedTokens(text).filter(word => !/^(de|oder|or)$/.test(word))).toEqual(negated)
})

test('textLanguage(...) is that of the texts that tell one, and English where none does', () => {
  expect(textLanguage(['Pat. hustet', 'Fieber', 'kein Fieber', 'Husten seit gestern'])).toBe('German')
  expect(textLanguage(['kein Fieber', 'the patient was seen in the clinic'])).toBe('English')
  expect([textLanguage(['Fieber', '']), textLanguage([])]).toEqual(['English', 'English'])
})
