import {gzipSync} from 'node:zlib'
import {describe, expect, test} from 'vitest'
import {adfaDone, adfaJson, documentFixture, testFolder} from './test-run.ts'

const folder = testFolder()

/** Questions whose title holds their tag or not, as a dump has them, with answers in between. */
function posts(): string {
  const rows = Array.from({length: 300}, (_, at) => {
    const tags = [at % 2 === 0 ? 'apple' : 'pear', ...(at % 3 === 0 ? ['plum'] : [])]
    const named = tags.filter((_, place) => (at + place) % 4 !== 3)
    const row = `<row Id="${at}" PostTypeId="1" Title="${named.join(' ')} &amp; more" Body="&lt;p&gt;word${at % 7} ${tags[0]}ish&lt;/p&gt;" Tags="${tags.map(tag => `&lt;${tag}&gt;`).join('')}" />`
    return `${row}\n<row Id="${at + 1000}" PostTypeId="2" Body="an answer" />`
  })
  return `<?xml version="1.0" encoding="utf-8"?>\n<posts>\n${rows.join('\n')}\n</posts>\n`
}

const paper = ['--anchors-from-tags', 'title', '--top-tags', '3', '--min-tags', '1', '--noise', 'labels']

describe('adfa reads every format by its name', () => {
  test('adfa fit gives one model from Posts.xml, from its gzip and from the same questions as a Kaggle table', async () => {
    const xml = posts()
    folder.write('Posts.xml', xml)
    folder.write('Posts.xml.gz', gzipSync(xml))
    const cells = [...xml.matchAll(/Id="(\d+)" PostTypeId="1" Title="([^"]*)" Body="([^"]*)" Tags="([^"]*)"/g)]
    const plain = (text: string) => text.replaceAll('&lt;', '<').replaceAll('&gt;', '>').replaceAll('&amp;', '&')
    const table = cells.map(([, id, title, body, tags]) => [
      id,
      plain(title),
      plain(body),
      plain(tags).replaceAll('><', ' ').replace(/[<>]/g, '')
    ])
    const lines = [['Id', 'Title', 'Body', 'Tags'], ...table].map(row => row.map(cell => `"${cell}"`).join(','))
    folder.write('Train.csv', `${lines.join('\n')}\n`)
    for (const name of ['Posts.xml', 'Posts.xml.gz', 'Train.csv'])
      await adfaDone('fit', folder.at(name), ...paper, '-o', folder.at(`${name}.json`))
    const model = folder.text('Posts.xml.json')
    expect(
      JSON.parse(model)
        .concepts.map(({name}: {name: string}) => name)
        .toSorted()
    ).toEqual(['apple', 'pear', 'plum'])
    expect(folder.text('Posts.xml.gz.json')).toBe(model)
    expect(folder.text('Train.csv.json')).toBe(model)
  })

  test('adfa count reads dumps, Parquet and ARFF', async () => {
    const files = {
      'android.stackexchange.com.7z': '{"time": "time", "double": "double"}',
      'notes.parquet': '{"chest pain": "chest pain", "alcohol": "etoh"}',
      'notes.arff': '{"chest pain": "chest", "alcohol": "etoh"}'
    }
    for (const [name, anchors] of Object.entries(files)) {
      const options = ['--anchors', folder.write('any.json', anchors), '-o', folder.at(`${name}.counts`)]
      const counted = await adfaJson('count', documentFixture(name), ...options)
      expect(counted, name).toMatchObject({documents: 3, concepts: 2})
    }
  })

  test('adfa experiment works from a dump in one command', async () => {
    folder.write('Posts.xml', posts())
    const data = ['--data', folder.at('Posts.xml'), '--top-tags', '3', '--min-tags', '1']
    const {documents, concepts} = (await adfaJson('experiment', 'factors', ...data, '-o', folder.at('dump'))) as {
      documents: number
      concepts: number
    }
    expect({documents, concepts}).toEqual({documents: 300, concepts: 3})
  })
})
