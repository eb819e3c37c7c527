import {spawn} from 'node:child_process'
import {randomBytes} from 'node:crypto'
import {once} from 'node:events'
import {existsSync, readFileSync, statSync} from 'node:fs'
import {dirname, join} from 'node:path'
import {fileURLToPath} from 'node:url'
import type {Command} from 'commander'
import {AdfaError} from '../../../base/checks/index.ts'
import {writeAtomically} from '../../../read/files/index.ts'
import {wholeNumber} from '../../project/index.ts'
import {holdsWork, refusedFile} from '../check-outputs.ts'
import {type CommonOptions, commonOptions, outputOf, usageError} from '../common-options.ts'
import {addCommand} from '../declare.ts'
import type {Output} from '../output.ts'
import {serveStudio} from '../studio/serve.ts'

interface StudioOptions extends CommonOptions {
  readonly port: number
  readonly open: boolean
  readonly save?: string
  readonly force?: true
}

export function addStudioCommand(program: Command): void {
  addCommand(program, {port: {read: portNumber, preset: 0, shown: 'one that is free'}}, commonOptions)`
studio: work on anchors, labels and documents in the browser
Open a workbench in the browser: read documents, name concepts, give them anchors, label, and save a model. It runs on this computer alone: the browser
is told to reach nothing but this program, which listens on 127.0.0.1, writes nothing and ends with Ctrl-C.
  [files...]     documents, anchors, labels or a project to hand over to the page
  --port <n>     port on 127.0.0.1
  --no-open      print the address and open no browser
  --save <file>  write the studio as one HTML file to open from disk, and serve nothing
  --force        with --save: replace a file that is not a studio

The address contains a key to the files. On a computer that others use too, add --no-open: programs that are started show their address to all users.
The file of --save needs neither this program nor a network.

Examples:
  adfa studio
  adfa studio notes.jsonl anchors.json
  adfa studio --save studio.html`.action(async (files: readonly string[], options: StudioOptions, command: Command) => {
    const output = outputOf(options, command, [options.save])
    if (options.save !== undefined) return save(options.save, files, options, output)
    if (options.force) throw usageError('--force replaces a file that --save writes; add --save')
    for (const file of files) checkFile(file)
    const folder = join(builtFolder(), 'studio')
    const key = randomBytes(16).toString('hex')
    const {server, address} = await serveStudio({folder, files, key}, options.port)
    output.json({address, files})
    output.print(`adfa studio is at ${address}\nNothing leaves this computer. Ctrl-C ends it.`)
    if (options.open) openBrowser(address, output)
    await once(server, 'close')
  })
}

function portNumber(text: string): number {
  const port = wholeNumber(text)
  if (port > 65_535) throw usageError(`--port ${text}: a port is a number up to 65535; name another, or leave it out`)
  return port
}

/** The folder of the built program: this file is in it, or in the sources beside it. */
function builtFolder(): string {
  const folders = ['./', '../../../../dist/'].map(path => fileURLToPath(new URL(path, import.meta.url)))
  const found = folders.find(folder => existsSync(join(folder, 'studio', 'index.html')))
  if (found === undefined)
    throw new AdfaError('bad-file', `the studio is not in ${dirname(folders[0])}; build it with npm run build`)
  return found
}

function checkFile(file: string): void {
  const status = statSync(file, {throwIfNoEntry: false})
  if (status === undefined) throw new AdfaError('bad-file', `${file}: no such file; check its name`)
  if (!status.isFile()) throw usageError(`${file} is not a file; the studio takes files, so name those of the folder`)
}

async function save(path: string, files: readonly string[], options: StudioOptions, output: Output): Promise<void> {
  if (files.length > 0)
    throw usageError('--save writes the studio without documents; leave the files out, and drop them on the page')
  if (!options.force) refuseOther(path)
  const text = readFileSync(join(builtFolder(), 'studio.html'))
  await writeAtomically(path, text)
  if (path === '-') return
  output.json({file: path, bytes: text.length})
  output.print(`wrote ${path}; open it in a browser`)
}

const STUDIO = '<meta name="generator" content="adfa studio">'

/** Refuses to write over a file that is not an earlier studio. */
function refuseOther(path: string): void {
  const isStudio = () => readFileSync(path, 'latin1').slice(0, 2000).includes(STUDIO)
  if (holdsWork(path) && !isStudio()) throw refusedFile(path, ' and is not a studio')
}

function openBrowser(address: string, output: Output): void {
  const [program, ...args] =
    process.platform === 'darwin'
      ? ['open', address]
      : process.platform === 'win32'
        ? ['rundll32', 'url.dll,FileProtocolHandler', address]
        : ['xdg-open', address]
  const child = spawn(program, args, {stdio: 'ignore', detached: true})
  child.once('error', () => output.note('no browser could be started; open the address yourself'))
  child.unref()
}
