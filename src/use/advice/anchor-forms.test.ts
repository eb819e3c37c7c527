import {expect, test} from 'vitest'
import {countCorpus} from '../../read/counts/index.ts'
import {buildCorpus, parseRow} from '../../read/data/index.ts'
import {findForms} from './anchor-forms.ts'
import {diagnose} from './diagnose.ts'
import {anchorOf} from './test-words.ts'

const times = (count: number, text: string) => Array.from({length: count}, () => ({text}))
const rows = [...times(20, 'fall home stairs'), ...times(20, 'falls home stairs'), ...times(500, 'thing other')]
const countsOf = (vocabulary: number, anchors = [anchorOf('fall', ['fall'])]) =>
  countCorpus(buildCorpus(rows, anchors, {text: ['text'], vocabulary}))
const parsed = (list: readonly object[]) => list.map((row, at) => parseRow(row, {text: ['text']}, `row ${at}`))

test('findForms(...) finds forms among the counted words, and with documents others too', () => {
  const formsOf = (vocabulary: number, documents?: ReturnType<typeof parsed>) =>
    findForms(countsOf(vocabulary), documents)[0].forms.map(({feature, documents: count}) => [feature, count])
  expect(formsOf(10)).toEqual([['falls', 20]])
  expect(formsOf(2)).toEqual([])
  expect(formsOf(2, parsed(rows))).toEqual([['falls', 20]])
})

test('findForms(...) of a sample estimates the number of documents, and says so', () => {
  const sample = rows.filter((_, at) => at % 10 === 0)
  const [{forms}] = findForms(countsOf(2), parsed(sample))
  expect(forms).toMatchObject([{feature: 'falls', documents: 20, isSampled: true}])
})

test('findForms(...) stays in the field of the member', () => {
  const [{forms}] = findForms(countsOf(2, [anchorOf('fall', ['text:fall'])]), parsed(rows))
  expect(forms.map(({feature}) => feature)).toEqual(['text:falls'])
})

test('findForms(...) leaves out members, words in "not", and forms of two concepts', () => {
  const formsOf = (...anchors: Parameters<typeof anchorOf>[]) =>
    findForms(
      countsOf(
        2,
        anchors.map(anchor => anchorOf(...anchor))
      ),
      parsed(rows)
    ).map(({forms}) => forms)
  expect(formsOf(['fall', ['fall'], ['falls']])).toEqual([[]])
  expect(formsOf(['fall', ['fall', '/^falls$/']])).toEqual([[]])
  expect(formsOf(['fall', ['fall']], ['slip', ['falls']])).toEqual([[], []])
})

test('diagnose(...) notes the forms that it is given', async () => {
  const counts = countsOf(10)
  const {findings} = await diagnose(counts, {forms: findForms(counts)})
  expect(findings.filter(({kind}) => kind === 'forms')).toMatchObject([
    {concept: 'fall', severity: 'note', evidence: {features: ['falls'], documents: [20], isSampled: false}}
  ])
  expect((await diagnose(counts)).findings.filter(({kind}) => kind === 'forms')).toEqual([])
})
