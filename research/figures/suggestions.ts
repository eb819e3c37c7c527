/**
 * Do suggestions recover a member that was removed from an anchor? One member of every anchor that has two or more
 * is removed and looked for, then the next, with and without the similarity of names. Results are kept in
 * suggestions.json, from which suggestions.md is made.
 *
 * Command: npx tsx research/figures/suggestions.ts FILE.jsonl.gz... [--concepts 50] [--skip 0] [--vocabulary 2000]
 */
import {readFileSync, writeFileSync} from 'node:fs'
import {parseArgs} from 'node:util'
import {type Figure, measureSuggestions} from './suggestions-measure.ts'

const {positionals, values} = parseArgs({
  allowPositionals: true,
  options: {
    concepts: {type: 'string', default: '50'},
    skip: {type: 'string', default: '0'},
    vocabulary: {type: 'string', default: '2000'}
  }
})
const kept = new URL('suggestions.json', import.meta.url)

for (const path of positionals) {
  const figures = measureSuggestions(path, {
    concepts: Number(values.concepts),
    skip: Number(values.skip),
    vocabulary: Number(values.vocabulary)
  })
  const others = read().filter(({corpus}) => corpus !== figures[0].corpus)
  writeFileSync(kept, `${JSON.stringify([...others, ...figures], null, 1)}\n`)
}
writeFileSync(new URL('suggestions.md', import.meta.url), page(read()))

function read(): Figure[] {
  try {
    return JSON.parse(readFileSync(kept, 'utf8')) as Figure[]
  } catch {
    return []
  }
}

function page(figures: readonly Figure[]): string {
  const share = (part: number, whole: number) => (part / whole).toFixed(2)
  const rows = [...new Set(figures.map(({corpus}) => corpus))].map(corpus => {
    const own = figures.filter(figure => figure.corpus === corpus)
    const [by, without] = [true, false].map(names => own.find(figure => figure.names === names) as Figure)
    const {documents, concepts, asked, offered} = by
    return [
      ...[corpus, documents, concepts, asked, share(offered, asked)],
      `**${share(by.inTen, asked)}** (${share(by.inTen, offered)})`,
      share(by.asFirst, asked),
      `${share(without.inTen, asked)} (${share(without.inTen, offered)})`,
      share(without.asFirst, asked),
      `${by.precisionOfFirst.toFixed(2)}, ${by.precisionOfNext.toFixed(2)}`
    ]
  })
  const header = [
    ...['corpus', 'documents', 'concepts', 'asked', 'among the words', 'in ten', 'first', 'in ten, no names'],
    ...['first, no names', 'have the concept']
  ]
  const slowest = Math.max(...figures.map(({seconds}) => seconds))
  return `# Do suggestions recover removed members?

Made by \`npx tsx research/figures/suggestions.ts FILE.jsonl.gz...\`. One member of every anchor that has two or more is removed (from all
anchors at once, so that concepts cannot help each other), the documents are counted again with it as an ordinary word, and suggestions are
made; then the next member, up to the sixth. Anchors are the names of the 50 commonest tags in title and text, in
documents with two of the 200 commonest tags; for chest-xray the word lists that come with the corpus. 2,000 words per field.

"Asked": members removed from concepts that still have a working anchor. "Among the words": the share of them in the
vocabulary; the others are too rare and cannot be suggested. "In ten", "first": the share of all asked that return among the first ten, and
as the first suggestion; in brackets, of those among the words. "No names": by the documents alone. "Have the concept": the share of
documents with the first suggestion, and with the second and third, that have the concept by their tags, which suggestions do not use.
Name endings and the weight of names were tuned on the first 50 tags and chest-xray; tags 51-100 were not used for tuning
(\`--skip 50\`). No rates were given. Suggestions for all concepts of a corpus took ${slowest.toFixed(1)} s at most.

| ${header.join(' | ')} |
| ${header.map(() => '---').join(' | ')} |
${rows.map(row => `| ${row.join(' | ')} |`).join('\n')}

Where words occur side by side, as in title and text, the documents alone suffice for nearly all. In chest-xray and in the
names of npm packages they replace each other ("effusion", "effusions"; a package is named "css-parser", not "css"), so no
document has both, and only the name helps. A tag's own name in the other field is the same name by construction, so the columns without names
are the harder test. Dissimilar synonyms ("heart", "cardiac") that replace each other are not found: counts do not record which words
occur together.
`
}
