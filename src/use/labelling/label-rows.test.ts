import fc from 'fast-check'
import {describe, expect, it, test} from 'vitest'
import {labelLines, labelRowsToText, parseLabelRows, parseLabels} from './label-rows.ts'

const file = [
  '{"id":17,"labels":{"fever":true,"rash":false},"drawn":"random","reader":"ann","concept":4}',
  '{"id":"a b","labels":{"rash":true},"drawn":"anchored"}',
  '{"id":"a b","labels":{"fever":false},"drawn":"anchored"}',
  '{"id":3,"labels":{},"drawn":"random","skipped":true}',
  '{"id":4,"labels":{},"drawn":"anchored","skipped":true,"concept":"rash"}',
  '{"id":5,"labels":{"__proto__":true,"constructor":false}}'
]
  .map(line => `${line}\n`)
  .join('')

describe('parseLabelRows', () => {
  it('parseLabelRows(...) reads answers, skipped questions and labels of other programs', () => {
    const rows = parseLabelRows(file, 'labels.jsonl')
    expect(rows.map(({id}) => id)).toEqual([17, 'a b', 'a b', 3, 4, 5])
    expect([...rows[0].labels]).toEqual([
      ['fever', true],
      ['rash', false]
    ])
    expect(rows.map(({drawn}) => drawn)).toEqual(['random', 'anchored', 'anchored', 'random', 'anchored', undefined])
    expect(rows[3].skipped).toEqual({concept: undefined})
    expect(rows[4].skipped).toEqual({concept: 'rash'})
    expect(rows[5].labels.get('__proto__')).toBe(true)
  })

  it('labelRowsToText(parseLabelRows(text)) is the text again, fields of other programs and odd names included', () => {
    expect(labelRowsToText(parseLabelRows(file, 'labels.jsonl'))).toBe(file)
  })

  it('parseLabelRows(labelRowsToText(rows)) are the rows again', () => {
    const row = fc.record({
      id: fc.oneof(fc.string(), fc.integer()),
      labels: fc.dictionary(fc.string(), fc.boolean()).map(labels => new Map(Object.entries(labels))),
      drawn: fc.constantFrom('random', 'anchored', undefined),
      skipped: fc.oneof(fc.constant(undefined), fc.record({concept: fc.oneof(fc.string(), fc.constant(undefined))})),
      others: fc.dictionary(fc.stringMatching(/^x/), fc.jsonValue()).map(entries => new Map(Object.entries(entries)))
    })
    fc.assert(
      fc.property(fc.uniqueArray(row, {selector: ({id}) => String(id)}), rows => {
        expect(JSON.stringify(parseLabelRows(labelRowsToText(rows), 'x').map(plain))).toBe(
          JSON.stringify(rows.map(plain))
        )
      }),
      {numRuns: 50}
    )
  })

  it('parseLabelRows(...) passes over empty lines and takes CRLF', () => {
    expect(parseLabelRows('\n{"id":1,"labels":{}}\r\n\n  \n', 'x')).toHaveLength(1)
    expect(parseLabelRows('', 'x')).toEqual([])
  })

  it.each([
    ['{"id":1,"labels":{"a":true}', /^f:2: not valid JSON; .*nothing was written/],
    ['[1]', /^f:2: \[1\] is not an object/],
    ['{"labels":{}}', /^f:2: the id is missing/],
    ['{"id":1}', /^f:2: "labels" is missing/],
    ['{"id":1,"labels":{"a":1}}', /^f:2: the label of "a" is 1; a label is true or false/],
    ['{"id":1,"labels":{},"drawn":"chosen"}', /^f:2: "drawn" is "chosen"; it is "random" or "anchored"/],
    ['{"id":1,"labels":{},"skipped":1}', /^f:2: "skipped" is 1/],
    ['{"id":1,"labels":{},"skipped":true,"concept":2}', /^f:2: "concept" is 2/],
    ['{"id":"0","labels":{"b":false}}', /^f:2: document "0" is labelled for "b" in line 1 already/]
  ])('parseLabelRows(...) refuses %s and names the line', (line, message) => {
    expect(() => parseLabelRows(`{"id":0,"labels":{"b":true}}\n${line}\n`, 'f')).toThrow(message)
  })
})

test('labelLines(list) are the lines of the rows, however the list is laid out', () => {
  const list = JSON.stringify(
    parseLabelRows(file, 'x').map(({id, labels}) => ({id, labels: Object.fromEntries(labels)})),
    undefined,
    2
  )
  expect(parseLabelRows(labelLines(list), 'x').map(({id}) => id)).toEqual([17, 'a b', 'a b', 3, 4, 5])
  expect(labelLines('[ {"id": 12345678901234567890,\r\n "labels": {}} ]')).toBe(
    '{"id": 12345678901234567890,  "labels": {}}\n'
  )
  expect(labelLines('[]')).toBe('')
})

describe('parseLabels', () => {
  it('parseLabels(...) keeps ids apart that differ beyond the digits of a number', () => {
    const ids = ['12345678901234567890', '12345678901234567891']
    const text = ids.map(id => `{"id":${id},"labels":{"fever":true}}\n`).join('')
    expect([...parseLabels(text, 'l').keys()]).toEqual(ids)
    expect(labelRowsToText(parseLabelRows(text, 'l'))).toContain(`{"id":"${ids[1]}"`)
    expect(() => parseLabels('{"id":1e999,"labels":{}}', 'l')).toThrow(/the id is Infinity; .* finite number/)
  })

  it('parseLabels(...) gives the labels of a document, from all its lines, by its key', () => {
    const labels = parseLabels(file, 'labels.jsonl')
    expect(Object.fromEntries(labels.get('a b') ?? [])).toEqual({rash: true, fever: false})
    expect(Object.fromEntries(labels.get('17') ?? [])).toEqual({fever: true, rash: false})
    expect(labels.get('3')?.size).toBe(0)
    expect(labels.get('99')).toBeUndefined()
  })
})

function plain(row: ReturnType<typeof parseLabelRows>[number]) {
  return {...row, labels: sorted(row.labels), others: sorted(row.others)}
}

function sorted(map: ReadonlyMap<string, unknown>) {
  return [...map].sort(([a], [b]) => (a < b ? -1 : 1))
}
