import {existsSync, readFileSync} from 'node:fs'
import {join} from 'node:path'
import {describe, expect, it} from 'vitest'
import {checkPaper} from './check-paper.ts'
import {paperLabels} from './paper-labels.ts'
import {root} from './read-sources.ts'

describe('checkPaper(page, labels, readSource)', () => {
  const labels = ['eq:a', 'alg:b 1']
  const source = `export function one() { function inner() {} }
interface Two {}
export const three = 3, four = 4
export type Five = 5
class Six {}
`
  const check = (...rows: string[]) => {
    const page = `# Paper\n\n| paper | what | where |\n| --- | :-: | --- |\n${rows.join('\n')}\n\ntext\n`
    return checkPaper(page, labels, path => (path === 'src/a.ts' ? source : undefined))
  }
  const b = '| `alg:b 1` line 1 | the start | not yet |'

  it('checkPaper(...) finds every label in docs/PAPER.md, and every function it names in the code', () => {
    const page = join(root, 'docs/PAPER.md')
    expect(existsSync(page), 'docs/PAPER.md exists').toBe(true)
    const readSource = (path: string) =>
      existsSync(join(root, path)) ? readFileSync(join(root, path), 'utf8') : undefined
    expect(checkPaper(readFileSync(page, 'utf8'), paperLabels, readSource)).toEqual([])
  })

  it('checkPaper(...) takes one place, many places, and "not yet" with words after it', () => {
    expect(check('| `eq:a` | P(A\\|Y) | src/a.ts#one |', b)).toEqual([])
    expect(
      check('| `eq:a` | all | `src/a.ts#Two`, `src/a.ts#three`,src/a.ts#four, src/a.ts#Five, src/a.ts#Six |', b)
    ).toEqual([])
    expect(check('| `eq:a` | later | not yet: with the local polytope |', b)).toEqual([])
  })

  const faulty: [string, string, string][] = [
    ['a file that does not exist', '| `eq:a` | x | src/gone.ts#one |', 'line 5: src/gone.ts does not exist'],
    ['a name that the file lacks', '| `eq:a` | x | src/a.ts#one, src/a.ts#seven |', 'line 5: src/a.ts has no seven'],
    ['a name that is not at the top level', '| `eq:a` | x | src/a.ts#inner |', 'line 5: src/a.ts has no inner'],
    ['a place without a name', '| `eq:a` | x | src/a.ts |', 'line 5: "src/a.ts" is neither "not yet" nor path#name'],
    ['an empty place', '| `eq:a` | x | |', 'line 5: "" is neither "not yet" nor path#name'],
    ['a missing cell', '| `eq:a` | x |', 'line 5: "" is neither "not yet" nor path#name']
  ]
  for (const [what, row, fault] of faulty)
    it(`checkPaper(...) refuses ${what}`, () => {
      expect(check(row, b)).toEqual([fault])
    })

  it('checkPaper(...) refuses a missing, an unknown, a repeated and an unmarked label', () => {
    const a = '| `eq:a` | x | not yet |'
    expect(check(a)).toEqual(['no row for `alg:b 1`'])
    expect(check(a, b, '| `eq:z` | x | not yet |')).toEqual([expect.stringContaining('the paper has no `eq:z`')])
    expect(check(a, b, a)).toEqual(['line 7: `eq:a` has a row already, on line 5'])
    expect(check(a, b, '| eq:a | x | not yet |')).toEqual([expect.stringContaining('does not begin with a label')])
  })

  it('checkPaper(...) does not read tables with other columns', () => {
    const page = '| paper | where |\n|---|---|\n| `eq:a` | not yet |\n'
    expect(checkPaper(page, ['eq:a'], () => undefined)).toEqual(['no row for `eq:a`'])
  })
})

describe('paperLabels', () => {
  it('paperLabels names each label once', () => {
    expect(new Set(paperLabels).size).toBe(paperLabels.length)
  })
})
