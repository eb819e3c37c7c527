import {existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync} from 'node:fs'
import {join} from 'node:path'
import {setTimeout as delay} from 'node:timers/promises'
import {beforeAll, describe, expect, test} from 'vitest'
import {adfaDone, endOf, startProgram, testFolder} from './test-run.ts'

// Everything here needs a process of its own: its input, its signals, its closed pipes and its limits. Most of the time
// goes into starting them, so the tests run side by side, each in its own folder.
const folder = testFolder()
const model = folder.at('model.json')
const docs = folder.at('docs.jsonl')
const few = folder.at('few.jsonl')
const anchors = folder.at('anchors.json')
let predictions: string

beforeAll(async () => {
  await adfaDone('generate', 'emergency', '--documents', '6000', '-o', docs, '--anchors', anchors)
  folder.write('few.jsonl', folder.text('docs.jsonl').split('\n').slice(0, 300).join('\n'))
  await adfaDone('fit', few, '--anchors', anchors, '--skip-bad-anchors', '-o', model)
  predictions = await adfaDone('predict', model, few, '--top', '2')
}, 60_000)

/** A folder for one test, where nobody else writes. */
function ownFolder(name: string) {
  const path = folder.at(name)
  mkdirSync(path)
  // The loader of TypeScript keeps what it translated in a folder of its own.
  return {
    path,
    at: (file: string) => join(path, file),
    names: () => readdirSync(path).filter(file => !/^tsx-/.test(file))
  }
}

/** Wait until something is there to be seen. */
async function until(isThere: () => boolean): Promise<void> {
  const limit = performance.now() + 30_000
  while (!isThere()) {
    if (performance.now() > limit) throw new Error('waited for half a minute in vain')
    await delay(5)
  }
}

describe.concurrent('adfa as a program, input', () => {
  test('adfa fit - reads documents from standard input, as often as it needs them', async () => {
    const temporary = ownFolder('stdin')
    const args = ['fit', '-', '--anchors', anchors, '--skip-bad-anchors', '-o', folder.at('from-stdin.json')]
    const child = startProgram(args, {temporary: temporary.path})
    child.stdin.end(folder.bytes('few.jsonl'))
    expect(await endOf(child)).toMatchObject({code: 0, signal: null})
    expect(folder.text('from-stdin.json')).toBe(folder.text('model.json'))
    expect(temporary.names()).toEqual([])
  })

  test('adfa predict - prints what it prints for a file', async () => {
    const child = startProgram(['predict', model, '-', '--top', '2', '--quiet'])
    child.stdin.end(folder.bytes('few.jsonl'))
    expect(await endOf(child)).toEqual({code: 0, signal: null, stdout: predictions, stderr: ''})
  })

  test('adfa predict - names standard input in its errors', async () => {
    const child = startProgram(['predict', model, '-'])
    child.stdin.end('{"features": []}\nfever\n')
    const {code, stdout, stderr} = await endOf(child)
    expect([code, stdout]).toEqual([1, ''])
    expect(stderr).toMatch(/^adfa: standard input:2: not valid JSON/)
  })
})

/** Waits for these words on standard error and sends a signal, which must end the program at once, even if it is busy. */
async function interruptAt(child: ReturnType<typeof startProgram>, words: RegExp, signal: NodeJS.Signals = 'SIGINT') {
  let told = ''
  child.stderr.on('data', chunk => {
    told += chunk
  })
  const end = endOf(child)
  await until(() => words.test(told))
  child.kill(signal)
  expect(await end).toMatchObject({code: null, signal, stdout: ''})
}

describe.concurrent('adfa as a program, interrupted', () => {
  // Without a temporary file the signal ends the program at once, without a line.
  const interrupted = {code: null, stdout: '', stderr: expect.stringMatching(/^$|adfa: interrupted/)}

  test('Ctrl-C in the middle of adfa generate leaves no file, and an old one as it was', async () => {
    const own = ownFolder('generate')
    writeFileSync(own.at('old.jsonl'), 'old')
    const files = ['-o', own.at('old.jsonl'), '--truth', own.at('never.json')]
    const child = startProgram(['generate', 'emergency', '--documents', '100000000', ...files, '--quiet'])
    const end = endOf(child)
    await until(() => own.names().length > 1)
    child.kill('SIGINT')
    expect(await end).toEqual({...interrupted, signal: 'SIGINT'})
    expect(own.names()).toEqual(['old.jsonl'])
    expect(readFileSync(own.at('old.jsonl'), 'utf8')).toBe('old')
  })

  test.each(['SIGINT', 'SIGTERM'] as const)('%s in the middle of adfa predict leaves no file', async signal => {
    const own = ownFolder(`predict-${signal}`)
    const many = Array.from({length: 20}, () => docs)
    const child = startProgram(['predict', model, ...many, '-o', own.at('never.jsonl.gz'), '--quiet'])
    const end = endOf(child)
    await until(() => own.names().length > 0)
    child.kill(signal)
    expect(await end).toEqual({...interrupted, signal})
    expect(own.names()).toEqual([])
  })

  test('Ctrl-C in the middle of adfa count leaves no file, nor a copy of standard input', async () => {
    const own = ownFolder('count')
    const args = ['count', '-', '--anchors', anchors, '-o', own.at('never.counts'), '--quiet']
    const child = startProgram(args, {temporary: own.path})
    const end = endOf(child)
    child.stdin.write('{"features": []}\n')
    await until(() => own.names().length > 0)
    child.kill('SIGINT')
    expect(await end).toEqual({...interrupted, signal: 'SIGINT'})
    expect(own.names()).toEqual([])
  })

  test('Ctrl-C while adfa fit - learns ends it at once, and the copy of standard input is gone by then', async () => {
    const own = ownFolder('fit-stdin')
    const slow = ['--structure', 'tree', '--polytope', 'marginal', '--gap', '1e-9', '--solver', 'conditional-gradient']
    const child = startProgram(['fit', '-', '--anchors', anchors, ...slow, '-o', own.at('never.json')], {
      temporary: own.path
    })
    child.stdin.end(folder.bytes('docs.jsonl'))
    await interruptAt(child, /moments, gap/)
    expect(own.names()).toEqual([])
  })

  test('Ctrl-C while adfa evaluate trains baselines ends it at once', async () => {
    const asked = ['--train', docs, '--baselines']
    await interruptAt(startProgram(['evaluate', model, few, ...asked]), /training baselines/)
  })
})

describe('adfa as a program, busy', () => {
  test.each(['SIGINT', 'SIGTERM'] as const)(
    '%s in the middle of the moments of adfa fit ends it at once and leaves no file',
    async signal => {
      const own = ownFolder(`fit-${signal}`)
      const asked = [
        '--structure',
        'tree',
        '--polytope',
        'marginal',
        '--gap',
        '1e-9',
        '--solver',
        'conditional-gradient'
      ]
      const child = startProgram(['fit', docs, '--anchors', anchors, ...asked, '-o', own.at('never.json')])
      await interruptAt(child, /moments, gap/, signal)
      expect(own.names()).toEqual([])
    }
  )
})

describe.concurrent('adfa as a program, output', () => {
  test('adfa predict ends quietly when its reader, such as head, has seen enough', async () => {
    const child = startProgram(['predict', model, docs, '--quiet'])
    const end = endOf(child)
    child.stdout.once('data', () => child.stdout.destroy())
    expect(await end).toMatchObject({code: 0, signal: null, stderr: ''})
  })

  test.runIf(existsSync('/dev/full')).each([
    ['predict', [model, few]],
    ['evaluate', [model, few, '--json']]
  ])('adfa %s says so when standard output takes no more', async (command, args) => {
    const child = startProgram([command, ...args, '--quiet'], {shell: 'exec > /dev/full'})
    const {code, stderr} = await endOf(child)
    expect(code).toBe(1)
    expect(stderr).toMatch(/standard output: cannot be written: the disk is full/)
  })

  test.each(['kept.jsonl', 'kept.jsonl.gz'])(
    'adfa generate -o %s removes what it wrote when the disk takes no more, and keeps what was there',
    async name => {
      const own = ownFolder(`full-${name}`)
      writeFileSync(own.at(name), 'old')
      // No file above 1,024 blocks of 512 bytes: the disk seems full in the middle of the output.
      const limit = {shell: "trap '' XFSZ; ulimit -f 1024"}
      const child = startProgram(['generate', 'emergency', '--documents', '40000', '-o', own.at(name)], limit)
      const {code, stdout, stderr} = await endOf(child)
      expect([code, stdout]).toEqual([1, ''])
      expect(stderr).toMatch(/kept\.jsonl(\.gz)?: cannot be written: /)
      expect(readFileSync(own.at(name), 'utf8')).toBe('old')
      expect(own.names()).toEqual([name])
    }
  )
})
