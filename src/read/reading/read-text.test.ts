import {mkdirSync, writeFileSync} from 'node:fs'
import {join} from 'node:path'
import {gzipSync} from 'node:zlib'
import {describe, expect, test} from 'vitest'
import {openDocuments} from '../files/index.ts'
import {readAll, refusalOf, testFolder} from '../files/test-folder.ts'

const folder = testFolder()

function folderOf(name: string, files: Readonly<Record<string, string | Uint8Array>>): string {
  for (const [file, content] of Object.entries(files)) {
    mkdirSync(join(folder.path, name, file, '..'), {recursive: true})
    writeFileSync(join(folder.path, name, file), content)
  }
  return join(folder.path, name)
}

describe('a folder of text files', () => {
  test('is read by name, each file as a document with its path as id', async () => {
    const notes: string[] = []
    const path = folderOf('notes', {
      'b.txt': 'second\nline',
      'B.txt': 'capital',
      'a/z.txt': '\ufeffinner',
      'c.txt.gz': gzipSync('packed'),
      'd.TXT': '',
      'e.txt': Buffer.from('fièvre', 'latin1'),
      '.hidden.txt': 'no',
      '.git/x.txt': 'no',
      'readme.md': 'no',
      'a/table.csv': 'no'
    })
    const rows = await readAll(path, {onNote: note => notes.push(note.replace(path, 'notes'))})
    expect(rows.map(({id, text}) => [id, text.get('text')])).toEqual([
      ['B', 'capital'],
      ['a/z', 'inner'],
      ['b', 'second\nline'],
      ['c', 'packed'],
      ['d', ''],
      ['e', 'fièvre']
    ])
    expect(notes).toEqual([
      "notes: 2 files without the ending .txt ignored: 'a/table.csv', 'readme.md'",
      "notes: 1 file read as Windows-1252 (Latin-1) or UTF-16: 'e.txt'"
    ])
  })

  test('must have text files, and must not change while it is read', async () => {
    const tables = folderOf('tables', {'a.csv': 'x'})
    expect(await refusalOf(() => openDocuments([tables], {text: ['text']}), 'bad-file')).toContain(
      "tables: the folder has no text files (.txt); it has 'a.csv'; name the files to read"
    )
    const path = folderOf('changing', {'a.txt': 'x'})
    const source = openDocuments([path], {text: ['text']})
    folderOf('changing', {'b.txt': 'y'})
    const read = async () => {
      for await (const _ of source.batches());
    }
    expect(await refusalOf(read, 'bad-file')).toContain('changed while it was in use')
    const long = folderOf('long', {'a.txt': 'x'.repeat(17_000_000)})
    expect(await refusalOf(() => readAll(long), 'bad-file')).toMatch(/a\.txt: the file has over 16 MB/)
  })
})

describe('a file by itself', () => {
  test('that ends in .txt is one document, unless it is JSON or a table with tabs', async () => {
    const note = folder.file('n12.txt', 'Dear all, fever,\nyours, me')
    expect((await readAll(note)).map(({id, text}) => [id, text.get('text')])).toEqual([
      ['n12', 'Dear all, fever,\nyours, me']
    ])
    expect((await readAll(note, {text: ['note']}))[0].text.has('note')).toBe(true)
    const notes: string[] = []
    const table = folder.file('table.txt', 'id\ttext\n1\tfever\n')
    expect((await readAll(table, {onNote: text => notes.push(text)}))[0].text.get('text')).toBe('fever')
    expect(notes).toEqual([`${table}: read as csv, by its content`, `${table}: cells are separated by tabs`])
  })
})
