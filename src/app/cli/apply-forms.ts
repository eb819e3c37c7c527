/** `adfa suggest --apply`: asks which forms to take, and adds them to the anchors file without touching the rest of it. */
import {createInterface} from 'node:readline'
import {AdfaError, type JsonSpan, jsonEntries, jsonValues} from '../../base/checks/index.ts'
import {parseAnchors} from '../../read/data/index.ts'
import {checkWritable, readTextFile, writeAtomically} from '../../read/files/index.ts'
import type {ConceptForms} from '../../use/advice/index.ts'
import {usageError} from './common-options.ts'
import {shown} from './output.ts'
import {heldText, inlineSpan} from './project/inline.ts'

export interface ApplyOptions {
  readonly apply?: boolean
  readonly yes?: boolean
  readonly anchors?: string
}

/** Features to add to the anchor of a concept. */
export interface Addition {
  readonly concept: string
  readonly added: readonly string[]
}

/** Refuses, before anything is read, what could not be asked or written. */
export async function checkApply({apply, yes, anchors}: ApplyOptions): Promise<void> {
  if (!apply) {
    if (yes) throw usageError('--yes answers the questions of --apply; add --apply')
    return
  }
  if (anchors === undefined || anchors === '-')
    throw usageError('--apply adds forms to an anchors file; name it with --anchors FILE')
  if (!yes && !(process.stdin.isTTY && process.stderr.isTTY))
    throw usageError('--apply asks which forms to add, and this is not a terminal; --yes adds all of them')
  await checkWritable(anchors)
}

/** Asks in the terminal, unless --yes takes all, and writes the file; returns what was added. */
export async function applyForms(
  found: readonly ConceptForms[],
  {yes, anchors = ''}: ApplyOptions
): Promise<Addition[]> {
  const offered = found.filter(({forms}) => forms.length > 0)
  const taken = yes ? offered.map(({concept, forms}) => taking(concept, forms)) : await askAll(offered)
  const additions = taken.filter(({added}) => added.length > 0)
  if (additions.length === 0) return []
  const before = await readTextFile(anchors)
  const after = addMembers(before, additions)
  // A file changed meanwhile, or written in a way not foreseen here, is left as it is.
  parseAnchors(heldText(after, 'anchors'), anchors)
  await writeAtomically(anchors, after)
  return additions
}

function taking(concept: string, forms: ConceptForms['forms']): Addition {
  return {concept, added: forms.map(({feature}) => feature)}
}

async function askAll(offered: readonly ConceptForms[]): Promise<Addition[]> {
  const terminal = createInterface({input: process.stdin, output: process.stderr})
  // Ctrl-C closes it as Ctrl-D does. Lines typed ahead answer later questions.
  const answers = terminal.once('SIGINT', () => terminal.close())[Symbol.asyncIterator]()
  try {
    const taken: Addition[] = []
    for (const {concept, forms} of offered) {
      const width = Math.max(...forms.map(({feature}) => feature.length))
      const lines = forms.map(({feature, reason}, at) => `  ${at + 1}  ${feature.padEnd(width)}  ${reason}`)
      process.stderr.write(`${shown([`\n${concept}`, ...lines].join('\n'))}\n`)
      let kept: ConceptForms['forms'] | undefined
      while (kept === undefined) {
        terminal.setPrompt('Enter adds them; numbers leave those out (2 3), n leaves out all: ')
        terminal.prompt()
        const {value, done} = await answers.next()
        if (done) process.stderr.write('\n')
        if (done) throw new AdfaError('cancelled', 'stopped; the anchors file is unchanged')
        kept = chosen(value, forms)
      }
      taken.push(taking(concept, kept))
    }
    return taken
  } finally {
    terminal.close()
  }
}

/** What an answer leaves of a list; undefined for an answer that is not understood. */
export function chosen<T>(answer: string, list: readonly T[]): readonly T[] | undefined {
  const words = answer
    .trim()
    .toLowerCase()
    .split(/[\s,]+/)
    .filter(Boolean)
  if (words.length === 0 || words.join() === 'y' || words.join() === 'yes') return list
  if (words.join() === 'n' || words.join() === 'no') return []
  const numbers = words.map(word => (/^\d+$/.test(word) ? Number(word) : 0))
  if (numbers.some(number => number < 1 || number > list.length)) return undefined
  return list.filter((_, at) => !numbers.includes(at + 1))
}

/** The text of an anchors file, or of a project that holds its anchors, with features added; everything else in it stays as it is written. */
export function addMembers(text: string, additions: readonly Addition[]): string {
  const entries = jsonEntries(text, inlineSpan(text, 'anchors')?.start ?? text.indexOf('{'))
  const edits = additions.flatMap(({concept, added}) => {
    const entry = entries.findLast(({key}) => key === concept)
    if (entry === undefined || added.length === 0) return []
    const isObject = text[entry.start] === '{'
    const value = isObject ? jsonEntries(text, entry.start).findLast(({key}) => key === 'any') : entry
    return value === undefined ? [] : [insertion(text, value, added)]
  })
  return edits
    .sort((a, b) => b.start - a.start)
    .reduce((done, {start, end, by}) => done.slice(0, start) + by + done.slice(end), text)
}

/** One feature becomes an array, which goes on as it is laid out. */
function insertion(text: string, {start, end}: JsonSpan, added: readonly string[]): JsonSpan & {readonly by: string} {
  const names = added.map(name => JSON.stringify(name))
  if (text[start] !== '[') return {start, end, by: `[${[text.slice(start, end), ...names].join(', ')}]`}
  const last = jsonValues(text, start).at(-1)
  if (last === undefined) return {start, end, by: `[${names.join(', ')}]`}
  const [indent] = /\n[ \t]*$/.exec(text.slice(start, last.start)) ?? [' ']
  return {start: last.end, end: last.end, by: names.map(name => `,${indent}${name}`).join('')}
}
