import {readFile} from 'node:fs/promises'
import {join} from 'node:path'
import {gunzipSync} from 'node:zlib'
import {hashShare} from '../../base/numeric/index.ts'
import {makeFolder, writeAtomically} from '../../read/files/index.ts'
import {corpusPath, type DemoPlan} from './plan.ts'

const HELD_OUT_SHARE = 0.2

/**
 * The embedded corpus of npm packages: the 50 most frequent keywords are the hidden concepts, and the anchor of a keyword is its
 * own name in a package's name or description. As in the paper, the rates of anchors come from training tags; nothing else does.
 */
export async function writePackages(directory: string): Promise<DemoPlan> {
  await makeFolder(directory)
  const lines = gunzipSync(await readFile(corpusPath('npm-packages.jsonl.gz')))
    .toString()
    .trimEnd()
    .split('\n')
  const isHeldOut = (line: string) => hashShare((JSON.parse(line) as {id: string}).id) < HELD_OUT_SHARE
  const write = (name: string, part: readonly string[]) =>
    writeAtomically(join(directory, name), `${part.join('\n')}\n`)
  await write(
    'train.jsonl',
    lines.filter(line => !isHeldOut(line))
  )
  await write('heldout.jsonl', lines.filter(isHeldOut))
  return {
    title: 'npm packages',
    reading: {anchorsFromTags: ['title', 'text'], topTags: 50, labelShare: 1, skipBadAnchors: true},
    fitting: {noise: 'labels', skipBadAnchors: true}
  }
}
