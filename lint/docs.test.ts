import {existsSync, readdirSync, readFileSync} from 'node:fs'
import {join} from 'node:path'
import {describe, expect, it} from 'vitest'
import {checkDocs} from './check-docs.ts'
import {root} from './read-sources.ts'

function readFolder(folder: string, extension: string): [string, string][] {
  return readdirSync(join(root, folder))
    .filter(name => name.endsWith(extension))
    .map(name => [join(folder, name), readFileSync(join(root, folder, name), 'utf8')])
}

describe('checkDocs(pages, examples, exists)', () => {
  const example = new Map([
    ['examples/a.ts', `import {rng} from 'adfa'\n\nconst random = rng(1)\nconsole.log(random.next())\n`]
  ])
  const check = (page: string) => checkDocs(new Map([['docs/page.md', page]]), example, path => path === 'README.md')

  it('checkDocs(...) finds no fault in the pages of this project', () => {
    const folders = ['.', 'docs', 'research', 'research/bench', 'research/figures']
    const pages = new Map(folders.flatMap(folder => readFolder(folder, '.md')))
    expect(pages.has('docs/ARCHITECTURE.md')).toBe(true)
    const faults = checkDocs(pages, new Map(readFolder('examples', '.ts')), path => existsSync(join(root, path)))
    expect(faults).toEqual([])
  })

  it('pages in docs/ that the README links to are in the npm package', () => {
    const {files} = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as {files: string[]}
    const isPacked = (path: string) => !path.startsWith('docs/') || files.includes('docs')
    const pages = new Map([['README.md', readFileSync(join(root, 'README.md'), 'utf8')]])
    expect(checkDocs(pages, new Map(readFolder('examples', '.ts')), isPacked)).toEqual([])
  })

  it('checkDocs(...) takes an example, a part of one, other spacing, and programs without adfa', () => {
    expect(check(`\`\`\`ts\n${example.get('examples/a.ts')}\`\`\``)).toEqual([])
    expect(check(`\`\`\`ts\nimport {rng} from 'adfa'\n  const random = rng( 1 )\n\`\`\``)).toEqual([])
    expect(check(`\`\`\`ts\nconst other = 2\n\`\`\`\n\`\`\`sh\nimport from 'adfa'\n\`\`\``)).toEqual([])
  })

  it('checkDocs(...) refuses a program that no example holds, with the line of its fence', () => {
    const stray = ['docs/page.md:3: the program is not part of a file in examples/']
    for (const from of [`'adfa'`, `"adfa"`, `'adfa/node'`])
      expect(check(`# Title\n\n\`\`\`ts\nimport {x} from ${from}\n\`\`\``)).toEqual(stray)
    expect(check(`# Title\n\n\`\`\`\`typescript\nimport {rng} from 'adfa'\nrng(2)\n\`\`\`\``)).toEqual(stray)
  })

  it('checkDocs(...) refuses a relative link that leads nowhere, in every way to write one', () => {
    const dead = ['docs/page.md:2: the link leads nowhere: gone.md']
    for (const link of ['[a](gone.md)', '![a](gone.md#part "title")', '<img src="gone.md">', '[a]: gone.md'])
      expect(check(`text\n${link}\n`)).toEqual(dead)
  })

  it('checkDocs(...) takes links that exist, web addresses, anchors and links inside code', () => {
    expect(check('[a](../README.md#start) [b](https://example.org/x) [c](#here) [d](mailto:a@b)')).toEqual([])
    expect(check('`[a](gone.md)`\n```\n[a](gone.md)\n```\n')).toEqual([])
  })
})
