import {expect, test} from 'vitest'
import {adfa, adfaDone, adfaJson, generateSmall, jsonLines, testFolder} from './test-run.ts'

const folder = testFolder()
const small = await generateSmall(folder, 2000)

interface Row {
  readonly id: number
  readonly tags: readonly string[]
}

const rated: Record<string, {any: string[]; truePositive: number}> = JSON.parse(folder.text('anchors.json'))
const bare = folder.write(
  'bare.json',
  JSON.stringify(Object.fromEntries(Object.entries(rated).map(([name, {any}]) => [name, any])))
)
const concepts = Object.keys(rated)
/** Every tenth document, with all its concepts: 200 of 2,000. */
const labels = folder.write(
  'labels.jsonl',
  (folder.rows('docs.jsonl') as Row[])
    .filter((_, at) => at % 10 === 0)
    .map(({id, tags}) => ({id, labels: Object.fromEntries(concepts.map(name => [name, tags.includes(name)]))}))
)

test('adfa noise ... --labels shows every estimator with intervals, and what is used', async () => {
  const {stdout} = await adfa('noise', small.docs, '--anchors', bare, '--labels', labels)
  const [header, ...lines] = stdout.split('\n')
  expect(header).toMatch(/concept +anchor in +prevalence +precision +by +pooled +labels +irreducible +positive-only$/)
  for (const name of concepts) expect(lines.find(line => line.startsWith(name))).toMatch(/% \([\d.]+-[\d.]+\)/)
  expect(stdout).not.toMatch(/no labels/)
})

test('adfa noise ... without labels says that its rates are not measured', async () => {
  const {stdout} = await adfa('noise', small.docs, '--anchors', bare)
  expect(stdout).toMatch(
    /5 of 5 anchors have no labels and no given rates: .* label 30 to 100 documents with adfa label/
  )
})

test('adfa noise --json of counts has what counts allow, and the reasons for the rest', async () => {
  await adfaDone('count', small.docs, '--anchors', bare, '--labels', labels, '-o', folder.at('docs.counts'))
  const result = await adfaJson('noise', folder.at('docs.counts'))
  expect(result).toMatchObject({documents: 2000})
  for (const concept of (result as {concepts: object[]}).concepts)
    expect(concept).toMatchObject({
      used: {sources: ['pooled'], basis: 'labels'},
      unavailable: expect.arrayContaining([{method: 'irreducible', reason: 'it needs documents, not just counts'}])
    })
})

test('adfa noise -o writes anchors whose rates fit takes as given', async () => {
  const out = folder.at('rated.json')
  await adfaDone('noise', small.docs, '--anchors', bare, '--labels', labels, '-o', out)
  const written: typeof rated = JSON.parse(folder.text('rated.json'))
  // 200 labelled documents, with 30 positives or more: a standard error of 0.09 in the rate at most, and three of them.
  for (const name of concepts)
    expect(Math.abs(written[name].truePositive - rated[name].truePositive)).toBeLessThan(0.27)
  const {noise} = (await adfaJson('fit', small.docs, '--anchors', out, '-o', folder.at('m.json'))) as {
    noise: {concepts: {sources: string[]}[]}
  }
  expect(noise.concepts.map(({sources}) => sources)).toEqual(concepts.map(() => ['given']))
})

test('adfa noise -o leaves rates that were not measured out of the file', async () => {
  await adfaDone('noise', small.docs, '--anchors', bare, '-o', folder.at('guessed.json'))
  expect(JSON.parse(folder.text('guessed.json'))).toEqual(
    Object.fromEntries(concepts.map(name => [name, rated[name].any[0]]))
  )
})

test('adfa fit ... --labels learns with their rates; without any it says that rates are not measured, and what to give', async () => {
  const model = folder.at('model.json')
  const known = await adfa('fit', small.docs, '--anchors', bare, '--labels', labels, '-o', model)
  expect(known.stderr).not.toMatch(/No labels/)
  const guessed = await adfa('fit', small.docs, '--anchors', bare, '-o', model)
  expect(guessed.stderr).toMatch(/No labels: the rates of the anchors are not measured.* label 30 to 100 documents/)
  expect([known, guessed].map(({stdout}) => /^concept-01 +[\d.]+% /m.test(stdout))).toEqual([true, false])
  expect(JSON.parse(folder.text('model.json')).certificate.noise.concepts[0].basis).toBe('constant')
})

test('--json without labels holds no rate that nobody measured, no interval of a guess, and the rule in force', async () => {
  const input = [small.docs, '--anchors', bare]
  const model = folder.at('unlabelled.json')
  await adfa('fit', ...input, '-o', model)
  const noise = (await adfaJson('noise', ...input)) as {concepts: {estimates: {method: string; prevalence: object}[]}[]}
  const guess = noise.concepts[0].estimates.find(({method}) => method === 'irreducible')
  expect(guess?.prevalence).toEqual({value: expect.any(Number)})
  const found = (await adfaJson('suggest', ...input)) as {concepts: {words: object[]}[]}
  const words = found.concepts.flatMap(each => each.words)
  expect(words.length).toBeGreaterThan(0)
  for (const word of words) for (const key of ['precision', 'coverage']) expect(word).not.toHaveProperty(key)
  const {id} = (folder.rows('docs.jsonl') as Row[])[0]
  const explained = (await adfaJson('explain', model, small.docs, '--id', `${id}`)) as {contributions: object[]}
  expect(explained.contributions[0]).toEqual({kind: 'prior', logOdds: expect.any(Number)})
  const predicted = await adfaJson('predict', model, small.docs, '-o', folder.at('unlabelled.csv'))
  expect(predicted).toMatchObject({scores: concepts, tagRule: {unmeasured: {anchorFires: true, score: 0.97}}})
  expect(predicted).not.toHaveProperty('threshold')
})

test('adfa fit ... --labels does not mind the order of the documents, down to the bytes', async () => {
  const backwards = folder.write('backwards.jsonl', (folder.rows('docs.jsonl') as object[]).toReversed())
  await adfaDone('fit', small.docs, '--anchors', bare, '--labels', labels, '-o', folder.at('one.json'))
  await adfaDone('fit', backwards, '--anchors', bare, '--labels', labels, '-o', folder.at('other.json'))
  expect(folder.text('other.json')).toBe(folder.text('one.json'))
})

test.each(['positive-only', 'irreducible'])(
  'adfa fit --noise %s works on documents, and says that counts are not enough',
  async method => {
    const model = folder.at('model.json')
    await adfaDone('fit', small.docs, '--anchors', bare, '--noise', method, '-o', model)
    await adfaDone('count', small.docs, '--anchors', bare, '-o', folder.at('bare.counts'))
    const {code, stderr} = await adfa('fit', folder.at('bare.counts'), '--noise', method, '-o', model)
    expect(code).toBe(1)
    expect(stderr).toMatch(/it needs documents, not just counts; choose another (--noise|`noise`)/)
  }
)

test('adfa ... --labels that match no document is refused, and with some missing says so', async () => {
  const alien = folder.write('alien.jsonl', [{id: 'nobody', labels: {[concepts[0]]: true}}])
  const refused = await adfa('noise', small.docs, '--anchors', bare, '--labels', alien)
  expect(refused.code).toBe(1)
  expect(refused.stderr).toMatch(/alien\.jsonl: its document is not among those counted/)
  folder.write('some.jsonl', `${folder.text('labels.jsonl')}${jsonLines([{id: 'nobody', labels: {}}])}`)
  const some = await adfa('noise', small.docs, '--anchors', bare, '--labels', folder.at('some.jsonl'))
  expect(some.stderr).toMatch(/some\.jsonl: 1 of 201 labelled documents is not among those counted/)
})

test('adfa ... --labels says when labels are too few, and not when they are enough', async () => {
  const noted = async (count: number) => {
    const few = folder.write('few.jsonl', (folder.rows('labels.jsonl') as object[]).slice(0, count))
    const {stderr} = await adfa('noise', small.docs, '--anchors', bare, '--labels', few)
    return /few\.jsonl: \d+ documents? labelled in full (is|are) too few for reliable rates/.exec(stderr)?.[0]
  }
  expect(await noted(49)).toMatch(/: 49 documents labelled in full are too few/)
  expect(await noted(50)).toBeUndefined()
})

test('adfa fit --noise labels --labels refuses labels of documents that were not drawn at random', async () => {
  const chosen = folder.write('chosen.jsonl', [{id: 1, labels: {[concepts[0]]: true}, drawn: 'anchored'}])
  const {code, stderr} = await adfa(
    'fit',
    small.docs,
    '--anchors',
    bare,
    '--noise',
    'labels',
    '--labels',
    chosen,
    '-o',
    'x'
  )
  expect(code).toBe(2)
  expect(stderr).toMatch(/chosen\.jsonl: 1 of its labels .* drawn because an anchor fires; .* use --noise auto/)
})

test('adfa ... --labels of other concepts is refused, and of some is told', async () => {
  const {id} = (folder.rows('docs.jsonl') as Row[])[0]
  const other = folder.write('other.jsonl', [{id, labels: {gout: true}}])
  const refused = await adfa('noise', small.docs, '--anchors', bare, '--labels', other)
  expect(refused.code).toBe(1)
  expect(refused.stderr).toMatch(/other\.jsonl: none of its concepts \('gout'\) has an anchor/)
  const mixed = folder.write('mixed.jsonl', `${folder.text('labels.jsonl')}${jsonLines([{id, labels: {gout: true}}])}`)
  const {stderr} = await adfa('noise', small.docs, '--anchors', bare, '--labels', mixed)
  expect(stderr).toMatch(/mixed\.jsonl: labels of concepts without an anchor are not used: gout/)
})

test('adfa noise counts.counts --labels is refused, since the documents are gone', async () => {
  await adfaDone('count', small.docs, '--anchors', bare, '-o', folder.at('bare.counts'))
  const {code, stderr} = await adfa('noise', folder.at('bare.counts'), '--labels', labels)
  expect(code).toBe(2)
  expect(stderr).toMatch(/--labels cannot change anything here: the documents are counted already/)
})
