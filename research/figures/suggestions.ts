/**
 * Do suggestions bring back a feature that was taken away from an anchor? One feature of every anchor that has two or more
 * is taken away and asked for, then the next, with and without the likeness of names. Results are kept in
 * suggestions.json; suggestions.md is made from it.
 *
 * Command: npx tsx research/figures/suggestions.ts FILE.jsonl.gz... [--top-tags 50] [--skip 0] [--vocabulary 2000]
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
  return `# Do suggestions bring back what was taken away?

Made by \`npx tsx research/figures/suggestions.ts FILE.jsonl.gz...\`. One feature of every anchor that has two or more is taken away (of all
anchors at once, so that concepts cannot lean on each other), the documents are counted again, in which it is now a word like others, and words
are asked for; then the next feature, up to the sixth. Anchors are the names of the 50 commonest tags in title and text, in
documents with two of the 200 commonest tags; for chest-xray the lists of words beside the corpus. 2,000 words a field.

"Asked": features taken away from concepts that still have a working anchor. "Among the words": the share of them that is a word
afterwards; the others occur too seldom, and cannot be suggested. "In ten", "first": the share of all asked that came back among the first ten, and
as the first suggestion; in brackets of those among the words. "No names": by the documents alone. "Have the concept": of the
documents with the first suggestion, and with the second and third, the share that has the concept by its tags, which nothing here has read.
Endings of names and what a name is worth were chosen with the first 50 tags and chest-xray in sight; nothing was chosen by tags 51-100
(\`--skip 50\`). No rates were given. Suggestions for all concepts of a corpus took ${slowest.toFixed(1)} s at most.

| ${header.join(' | ')} |
| ${header.map(() => '---').join(' | ')} |
${rows.map(row => `| ${row.join(' | ')} |`).join('\n')}

Where words stand side by side, as in title and text, the documents alone find nearly all. In chest-xray and in the
names of npm packages they stand in place of each other ("effusion", "effusions"; a package is named "css-parser", not "css"), so no
document has both, and just the name can tell. A tag's own name in the other field is the same name by construction: the columns without names
are the harder test. Synonyms that are not alike ("heart", "cardiac") and stand in place of each other are not found: counts do not hold which words
occur together.
`
}
