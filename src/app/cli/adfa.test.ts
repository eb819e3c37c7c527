import {existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync} from 'node:fs'
import {join} from 'node:path'
import {setTimeout as delay} from 'node:timers/promises'
import {describe, expect, test} from 'vitest'
import {adfaDone, endOf, startProgram, testFolder} from './test-run.ts'

// Everything here needs a process of its own: its input, its signals, its closed pipes and its limits. Most of the time
// goes into starting them, so the tests run side by side, each in its own folder.
const folder = testFolder()
const [model, docs, few, anchors] = ['model.json', 'docs.jsonl', 'few.jsonl', 'anchors.json'].map(folder.at)
await adfaDone`generate emergency --documents 4000 -o ${docs} --anchors ${anchors}`
folder.write('few.jsonl', folder.text('docs.jsonl').split('\n').slice(0, 300).join('\n'))
await adfaDone`fit ${few} --anchors ${anchors} --skip-bad-anchors -o ${model}`
const slow = '--structure tree --polytope marginal --gap 1e-9 --solver conditional-gradient'.split(' ')

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
  const limit = performance.now() + 90_000
  while (!isThere()) {
    if (performance.now() > limit) throw new Error('waited for a minute and a half in vain')
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
})

describe.concurrent('adfa as a program, interrupted', () => {
  /** Sends the signal at the moment that is waited for; it must end the program at once, even if it is busy. */
  async function interruptAt(args: readonly string[], isThen: (told: string) => boolean, temporary = folder.path) {
    const child = startProgram(args, {temporary})
    let told = ''
    child.stderr.on('data', chunk => {
      told += chunk
    })
    const end = endOf(child)
    if (args[1] === '-') child.stdin.end(folder.bytes('docs.jsonl'))
    await until(() => isThen(told))
    const signal = args[0] === 'generate' ? 'SIGTERM' : 'SIGINT'
    child.kill(signal)
    expect(await end).toMatchObject({code: null, signal, stdout: ''})
  }

  test('SIGTERM in the middle of adfa generate leaves no file, and an old one as it was', async () => {
    const own = ownFolder('generate')
    writeFileSync(own.at('old.jsonl'), 'old')
    const files = ['-o', own.at('old.jsonl'), '--truth', own.at('never.json')]
    await interruptAt(['generate', 'emergency', '--documents', '100000000', ...files], () => own.names().length > 1)
    expect(own.names()).toEqual(['old.jsonl'])
    expect(readFileSync(own.at('old.jsonl'), 'utf8')).toBe('old')
  })

  test('Ctrl-C in the middle of adfa count --workers ends the threads and leaves no file', async () => {
    const own = ownFolder('count')
    const many = Array.from({length: 50}, () => docs)
    const args = ['count', ...many, '--anchors', anchors, '--workers', '2', '-o', own.at('never.counts')]
    await interruptAt(args, told => told !== '')
    expect(own.names()).toEqual([])
  })

  test('Ctrl-C while adfa fit - learns ends it at once, and the copy of standard input is gone by then', async () => {
    const own = ownFolder('fit')
    const args = ['fit', '-', '--anchors', anchors, ...slow, '-o', own.at('never.json')]
    await interruptAt(args, told => /moments: gap/.test(told), own.path)
    expect(own.names()).toEqual([])
  })
})

describe.concurrent('adfa as a program, output', () => {
  test('adfa predict ends quietly when its reader, such as head, has seen enough', async () => {
    const child = startProgram(['predict', model, docs, '--quiet'])
    const end = endOf(child)
    child.stdout.once('data', () => child.stdout.destroy())
    expect(await end).toMatchObject({code: 0, signal: null, stderr: ''})
  })

  test.runIf(existsSync('/dev/full'))('adfa evaluate says so when standard output takes no more', async () => {
    const child = startProgram(['evaluate', model, few, '--json', '--quiet'], {shell: 'exec > /dev/full'})
    const stderr = expect.stringMatching(/standard output: cannot be written: the disk is full/)
    expect(await endOf(child)).toMatchObject({code: 1, stderr})
  })

  test('adfa generate removes what it wrote when the disk takes no more, and keeps what was there', async () => {
    const own = ownFolder('full')
    writeFileSync(own.at('kept.jsonl.gz'), 'old')
    // No file above 1,024 blocks of 512 bytes: the disk seems full in the middle of the output.
    const limit = {shell: "trap '' XFSZ; ulimit -f 1024"}
    const child = startProgram(['generate', 'emergency', '--documents', '40000', '-o', own.at('kept.jsonl.gz')], limit)
    const stderr = expect.stringMatching(/kept\.jsonl\.gz: cannot be written: /)
    expect(await endOf(child)).toEqual({code: 1, signal: null, stdout: '', stderr})
    expect(readFileSync(own.at('kept.jsonl.gz'), 'utf8')).toBe('old')
    expect(own.names()).toEqual(['kept.jsonl.gz'])
  })
})
