import {describe, expect, test} from 'vitest'
import {adfa, adfaDone, adfaJson, generateSmall, jsonLines, refused, testFolder} from './test-run.ts'

const folder = testFolder()
const {docs} = await generateSmall(folder, 1000)
const rated: Record<string, {any: string[]; truePositive: number}> = folder.json('anchors.json')
const concepts = Object.keys(rated)
const unrated = Object.fromEntries(concepts.map(name => [name, rated[name].any]))
const bare = folder.write('bare.json', JSON.stringify(unrated))
/** Every fifth document, with all its concepts. */
const answers = folder
  .rows('docs.jsonl')
  .filter((_, at) => at % 5 === 0)
  .map(({id, tags}) => ({id, labels: Object.fromEntries(concepts.map(name => [name, tags.includes(name)]))}))
const labels = folder.write('labels.jsonl', answers)
const input = [docs, '--anchors', bare]
const [model, counts] = [folder.at('model.json'), folder.at('bare.counts')]
await adfaDone`count ${input} -o ${counts}`

describe('the rates of adfa doctor', () => {
  test('have a column for every estimator, with intervals of those used, and are unknown without labels', async () => {
    const {stdout} = await adfa`doctor ${input} --labels ${labels}`
    expect(stdout).toMatch(
      /^concept +prevalence +precision +fires if present +by +pooled +labels +irreducible +positive-only$/m
    )
    for (const name of concepts) expect(stdout).toMatch(new RegExp(`^${name} .*% \\([\\d.]+% to [\\d.]+%\\)`, 'm'))
    const without = await adfaDone`doctor ${input}`
    for (const name of concepts) expect(without).toMatch(new RegExp(`^${name} +- +- +- +not measured`, 'm'))
  })

  test('--json of counts has what counts allow, and the reasons for the rest', async () => {
    await adfaDone`count ${input} --labels ${labels} -o ${folder.at('docs.counts')}`
    const result = await adfaJson`doctor ${folder.at('docs.counts')}`
    expect(result).toMatchObject({documents: 1000})
    const unavailable = expect.arrayContaining([{method: 'irreducible', reason: 'it needs documents, not just counts'}])
    for (const concept of result.concepts)
      expect(concept).toMatchObject({used: {sources: ['pooled'], basis: 'labels'}, unavailable})
  })

  test('-o writes anchors whose rates fit takes as given, without those that were not measured', async () => {
    const out = folder.at('rated.json')
    await adfaDone`doctor ${input} --labels ${labels} -o ${out}`
    // 200 labelled documents, with 30 positives or more: a standard error of 0.09 in the rate at most, and three of them.
    for (const name of concepts)
      expect(Math.abs(folder.json('rated.json')[name].truePositive - rated[name].truePositive)).toBeLessThan(0.27)
    const {noise} = await adfaJson`fit ${docs} --anchors ${out} -o ${model}`
    expect(noise.concepts).toMatchObject(concepts.map(() => ({sources: ['given']})))
    await adfaDone`doctor ${input} -o ${out}`
    const plain = Object.fromEntries(concepts.map(name => [name, rated[name].any[0]]))
    expect(folder.json('rated.json')).toEqual(plain)
  })
})

describe('adfa fit without labels and with them', () => {
  test('learns with their rates; without any it says what to give', async () => {
    const known = await adfa`fit ${input} --labels ${labels} -o ${model}`
    const guessed = await adfa`fit ${input} -o ${model}`
    expect(known.stderr).not.toMatch(/No labels/)
    expect(guessed.stderr).toMatch(/No labels: the rates of the anchors are not measured.* label 30 to 100 documents/)
    expect([known, guessed].map(({stdout}) => /^concept-01 +[\d.]+% /m.test(stdout))).toEqual([true, false])
    expect(folder.json('model.json').certificate.noise.concepts[0].basis).toBe('constant')
  })

  test('--json then holds no rate that nobody measured, no interval of a guess, and the rule in force', async () => {
    await adfa`fit ${input} -o ${model}`
    const noise = await adfaJson`doctor ${input}`
    const guess = noise.concepts[0].estimates.find(({method}: {method: string}) => method === 'irreducible')
    expect(guess.prevalence).toEqual({value: expect.any(Number)})
    const suggested = await adfaJson`suggest ${input}`
    const words: object[] = suggested.concepts.flatMap((each: {words: object[]}) => each.words)
    expect(words.length).toBeGreaterThan(0)
    for (const word of words) for (const key of ['precision', 'coverage']) expect(word).not.toHaveProperty(key)
    const {contributions} = await adfaJson`explain ${model} ${docs} --id ${answers[0].id}`
    expect(contributions[0]).toEqual({kind: 'prior', logOdds: expect.any(Number)})
    const predicted = await adfaJson`predict ${model} ${docs} -o ${folder.at('unlabelled.csv')}`
    expect(predicted).toMatchObject({scores: concepts, tagRule: {unmeasured: {anchorFires: true, score: 0.97}}})
    expect(predicted).not.toHaveProperty('threshold')
  })

  test.each(['positive-only', 'irreducible'])(
    '--noise %s works on documents, and counts are not enough',
    async method => {
      await adfaDone`fit ${input} --noise ${method} -o ${model}`
      expect(await adfa`fit ${counts} --noise ${method} -o ${model}`).toEqual(
        refused(1, /it needs documents, not just counts; choose another (--noise|`noise`)/)
      )
    }
  )
})

describe('--labels', () => {
  const withLabels = (name: string, rows: readonly object[]) =>
    adfa`doctor ${input} --labels ${folder.write(name, jsonLines(rows))}`
  const gout = {id: answers[0].id, labels: {gout: true}}

  test('of no document, of no concept, not drawn at random, or beside counts is refused', async () => {
    const alien = {id: 'nobody', labels: {[concepts[0]]: true}}
    expect(await withLabels('a.jsonl', [alien])).toEqual(
      refused(1, /a\.jsonl: its document is not among those counted/)
    )
    expect(await withLabels('b.jsonl', [gout])).toEqual(refused(1, /b\.jsonl: none of its concepts \('gout'\) has an/))
    const chosen = folder.write('c.jsonl', [{...alien, drawn: 'anchored'}])
    expect(await adfa`fit ${input} --noise labels --labels ${chosen} -o ${model}`).toEqual(
      refused(2, /c\.jsonl: 1 of the labels .* drawn because an anchor fires; .* use --noise auto/)
    )
    expect(await adfa`doctor ${counts} --labels ${labels}`).toEqual(
      refused(2, /--labels cannot change anything here: the documents are counted already/)
    )
  })

  test('notes documents that are missing, concepts that have no anchor, and labels that are too few', async () => {
    const some = await withLabels('some.jsonl', [...answers, {id: 'nobody', labels: {}}])
    expect(some.stderr).toMatch(/some\.jsonl: 1 of 201 labelled documents is not among those counted/)
    const mixed = await withLabels('mixed.jsonl', [...answers, {...gout, id: folder.rows('docs.jsonl')[1].id}])
    expect(mixed.stderr).toMatch(/mixed\.jsonl: labels of concepts without an anchor are not used: gout/)
    const few = /: 49 documents labelled in full are too few for reliable rates/
    expect((await withLabels('few.jsonl', answers.slice(0, 49))).stderr).toMatch(few)
    expect((await withLabels('few.jsonl', answers.slice(0, 50))).stderr).not.toMatch(/too few/)
  })
})
