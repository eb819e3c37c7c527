/**
 * Writes research/EXPERIMENTS.md from folders of `npm run experiments -- all`, one per corpus: summarises results in experiments.json,
 * copies some figures into research/experiments, and makes the page from all corpora summarised so far.
 *
 * Command: npx tsx research/figures/experiments.ts [CORPUS=FOLDER]... ; the commands that fill the folders are in experiments-commands.ts
 */
import {copyFileSync, existsSync, mkdirSync, readFileSync, writeFileSync} from 'node:fs'
import {commands, howTo, pictures} from './experiments-commands.ts'
import {type Digest, digestOf} from './experiments-digest.ts'
import {page} from './experiments-page.ts'

const kept = new URL('experiments.json', import.meta.url)
const folder = new URL('../experiments/', import.meta.url)
const known: Record<string, Digest> = existsSync(kept) ? JSON.parse(readFileSync(kept, 'utf8')) : {}

mkdirSync(folder, {recursive: true})
for (const argument of process.argv.slice(2)) {
  const [corpus, results] = argument.split('=')
  known[corpus] = digestOf(corpus, results, commands[corpus], known[corpus])
  for (const [name, file] of pictures(corpus))
    if (existsSync(`${results}/${file}`)) copyFileSync(`${results}/${file}`, new URL(`${corpus}-${name}.svg`, folder))
}
const digests = Object.keys(commands).flatMap(corpus => known[corpus] ?? [])
const digits = (_: string, value: unknown) => (typeof value === 'number' ? Number(value.toPrecision(6)) : value)
const summed = Object.fromEntries(digests.map(digest => [digest.corpus, digest]))
writeFileSync(kept, `${JSON.stringify(summed, digits, 2)}\n`)
writeFileSync(new URL('../EXPERIMENTS.md', import.meta.url), page(digests, howTo))
