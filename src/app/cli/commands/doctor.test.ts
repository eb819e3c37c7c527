import {describe, expect, test} from 'vitest'
import type {Diagnosis, Finding} from '../../../use/advice/index.ts'
import {adfa, adfaDone, adfaJson, generateSmall, refused, testFolder} from '../test-run.ts'

const folder = testFolder()
const {docs, anchors} = await generateSmall(folder, 1000)
const given = folder.json('anchors.json')
const [first, second, third, ...others] = Object.keys(given)

const diagnosis = async (...args: readonly string[]): Promise<Diagnosis> => adfaJson`doctor ${args}`
/** "concept kind" of each finding. */
const kinds = (findings: readonly Finding[]) => findings.map(({concept, kind}) => `${concept} ${kind}`)

describe('adfa doctor', () => {
  test('says so when nothing is wrong, and shows every anchor with its rates; of counts the same', async () => {
    const text = await adfaDone`doctor ${docs} --anchors ${anchors}`
    expect(text).toMatch(/^5 concepts in 1,000 documents: no findings\.\n\nconcept +documents +share +members /)
    expect(text).toMatch(/^No labels were read(.|\n)*adfa label/m)
    expect(await adfaDone`doctor ${docs} --anchors ${anchors} --label-share 1`).not.toMatch(/No labels/)
    const counts = folder.at('small.counts')
    await adfaDone`count ${docs} --anchors ${anchors} -o ${counts}`
    const ofDocuments = await diagnosis(docs, '--anchors', anchors)
    expect(await diagnosis(counts)).toEqual({...ofDocuments, readsDocuments: false, concepts: expect.any(Array)})
  })

  test('names shared, dead and misplaced anchors, worst first, and ends with code 0', async () => {
    const words = ['react', 'vue', 'svelte', 'eslint', 'webpack']
    const rows = Array.from({length: 600}, (_, at) => {
      const tool = words[at % words.length]
      return {text: [tool, ...(tool === 'eslint' && at % 3 > 0 ? ['react'] : []), `w${at % 7}`].join(' ')}
    })
    const bad = folder.write(
      'bad.json',
      JSON.stringify({vue: 'text:vue', view: ['text:vue', 'text:svelte'], ghost: 'nowhere', react: 'text:react'})
    )
    const counts = folder.at('bad.counts')
    await adfaDone`count ${folder.write('tools.jsonl', rows)} --anchors ${bad} --skip-bad-anchors -o ${counts} --quiet`
    const {code, stdout} = await adfa`doctor ${counts}`
    expect([code, stdout]).toEqual([0, expect.stringMatching(/^4 concepts in 600 documents: 3 faults\./)])
    expect(stdout).toMatch(/\nvue: 'text:vue' is a member of the anchor of "view" too; [\s\S]*What to do: /)
    const body = stdout.split('\n\n').slice(0, -2).join('\n').split('\n')
    expect(body.filter(line => line.length > 100)).toEqual([])
    const {findings, anchors: facts} = await diagnosis(counts)
    expect(kinds(findings)).toEqual(expect.arrayContaining(['vue shared', 'view shared', 'ghost dead']))
    expect(facts.map(({concept}) => concept)).toEqual(['view', 'react'])
  })

  test('checks the rates of the anchors file, and those of --noise instead', async () => {
    const changed = {
      ...given,
      [first]: {...given[first], truePositive: 0.95, falsePositive: 0.6},
      [second]: {any: given[second].any, prevalence: 0.001, precision: 0.9},
      [third]: {any: given[third].any}
    }
    const wrong = [docs, '--anchors', folder.write('wrong.json', JSON.stringify(changed))]
    const {findings, anchors: facts} = await diagnosis(...wrong)
    expect(kinds(findings)).toEqual([`${second} refused-rates`, `${first} impossible-rates`])
    expect(facts.map(({rates}) => rates !== undefined)).toEqual([true, false, false, ...others.map(() => true)])
    const byLabels = await diagnosis(...wrong, '--noise', 'labels')
    expect(byLabels.anchors.every(({rates}) => rates !== undefined)).toBe(true)
    const byPairs = await diagnosis(docs, '--anchors', anchors, '--noise', 'pair')
    expect(kinds(byPairs.findings)).toEqual(Object.keys(given).map(name => `${name} refused-rates`))
    expect(await adfa`doctor ${wrong} --noise magic`).toEqual(refused(2, /magic/))
  })

  test('checks documents for negated hits, and says that counts do not have them', async () => {
    const said = ['Fever and cough.', 'No fever. Cough.', 'Fever was ruled out.', 'Fever, sweats.', 'Rash.']
    const reports = Array.from({length: 60}, (_, at) => ({text: said[at % 5]}))
    const fever = folder.write('fever.json', '{"fever": "fever", "cough": "text:cough"}')
    const args = [folder.write('reports.jsonl', reports), '--anchors', fever, '--max-share', '1']
    const negated = async (...more: readonly string[]) =>
      (await diagnosis(...more)).findings.filter(({kind}) => kind === 'negated')
    const evidence = {documents: 48, negated: 24, examples: ['No fever', 'Fever was ruled out']}
    expect(await negated(...args)).toMatchObject([{concept: 'fever', evidence, tool: 'negation'}])
    expect(await negated(...args, '--negation')).toEqual([])
    expect(await adfaDone`doctor ${args}`).not.toMatch(/The check read counts/)
    await adfaDone`count ${args} -o ${folder.at('reports.counts')}`
    expect(await negated(folder.at('reports.counts'))).toEqual([])
    expect(await adfaDone`doctor ${folder.at('reports.counts')}`).toMatch(/The check read counts/)
  })
})
