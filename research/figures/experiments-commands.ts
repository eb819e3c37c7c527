import {methods} from '../experiments/index.ts'

/** The commands that fill the folder of each corpus, in the order of the page; `timing` was run on three of them. */
export const commands: Readonly<Record<string, string>> = {
  'stackoverflow-titles': 'npm run experiments -- all --data stackoverflow-titles.jsonl.gz -o OUT',
  'stackoverflow-bodies': 'npm run experiments -- all --data stackoverflow-bodies.jsonl.gz -o OUT',
  cooking: 'npm run experiments -- all --data cooking.jsonl.gz --splits 4 -o OUT',
  'debian-packages': 'npm run experiments -- all --data debian-packages.jsonl.gz --splits 4 -o OUT',
  'chest-xray':
    'npm run experiments -- all --data chest-xray.jsonl.gz --anchors chest-xray.anchors.json --negation -o OUT',
  robotics: 'npm run experiments -- all --data robotics.jsonl.gz --splits 4 -o OUT',
  'npm-packages':
    'npm run experiments -- all --data npm-packages.jsonl.gz --anchors-from-tags title,text --splits 4 -o OUT',
  emergency:
    'adfa generate emergency --documents 60000 -o visits.jsonl --anchors a.json; npm run experiments -- all --data visits.jsonl --anchors a.json --documents 16268 -o OUT'
}

/** Drawn from a model. */
export const generated: readonly string[] = ['emergency']

/** The figures of a corpus shown on the page: their name there, and the file in the folder. */
export function pictures(corpus: string): readonly (readonly [string, string])[] {
  const all = {
    tree: 'trees/tree.svg',
    'two-parents': 'trees/two-parents.svg',
    likelihood: 'heldout-likelihood/heldout-likelihood-shrinkage-0.01.svg',
    gain: 'heldout-likelihood/heldout-gain-shrinkage-0.01.svg',
    timing: 'timing/timing.svg',
    factors: 'factors/words-paper.svg',
    'last-tag': 'last-tag/last-tag.svg',
    'em-drift': 'em-drift/em-drift-accuracy.svg'
  }
  const shown: Readonly<Record<string, readonly (keyof typeof all)[]>> = {
    'stackoverflow-titles': ['tree', 'two-parents', 'likelihood', 'gain', 'timing', 'last-tag', 'em-drift'],
    'chest-xray': ['last-tag', 'em-drift'],
    emergency: ['tree', 'two-parents', 'factors', 'last-tag']
  }
  return (shown[corpus] ?? []).map(name => [name, all[name]] as const)
}

export const howTo = `
# Experiments: the paper repeated with one command

    7z x -so cooking.stackexchange.com.7z Posts.xml | npx tsx examples/convert/stack-exchange.ts - > cooking.jsonl
    npm run experiments -- all --data cooking.jsonl -o cooking

measures on tagged documents what the paper measured on its two corpora, and writes raw results (\`results.json\`, CSV), figures (SVG) and
\`report.html\`. \`--data\` accepts every [format](../docs/files.md).

| name | what it measures | in the paper |
| --- | --- | --- |
| \`trees\` | networks over the concepts: tree, at most two parents, and that of \`robust\`, each compared with the network of the tags | 5.3, supplement |
| \`factors\` | top words and anchors of every concept, compared with the oracle's | 5.4, supplement |
| \`heldout-likelihood\` | polytopes x training sizes x random splits, real documents and documents drawn from a learned model | 5.3.1 |
| \`last-tag\` | ${methods.length} methods, baselines and oracles predict the last tag of documents with at least two concepts | 5.5, 5.6 |
| \`em-drift\` | nine steps of EM from two starts | 5.6 |
| \`timing\` | seconds by polytope and number of concepts, compared with the paper's figures and the paper's method | 5.3.1 |

- **Data.** As in the paper: documents with at least two of the 200 commonest tags (\`--min-tags\`, \`--of-top\`), the 50 commonest tags as concepts (\`--top-tags\`), a tag's own name in
  the title as its anchor, unless \`--anchors\` or \`--anchors-from-tags\` is given. Every method gets the anchors' rates from the tags of its training documents;
  apart from that, only the oracles learn from tags. Concepts whose anchor is too weak ([noise](../docs/noise.md)) by the tags of all documents are left out and named in the report. Beyond 40,000 documents a random sample is used (\`--documents\`).
- **Splits.** \`--splits\` random splits (8; \`em-drift\` at most 3), three quarters for training, at most 10,000 of the other documents for testing. The results record the seeds.
- **Resuming.** Every result is saved as soon as it is measured. The same command continues a run that was stopped or killed, and ends with the same bytes; more
  splits or another experiment add to the folder. A folder with results of other documents or options is refused; \`--fresh\` starts over.
- **Workers.** Cells run on threads (\`--workers\`, by default one per core); results do not depend on their number. \`timing\` runs alone, and its seconds vary from run to run.
- **Identity.** \`experiment.json\` records the version, the number of documents, concepts and words, and the SHA-256 of the input.

The code is in \`research/experiments\`, a folder per experiment: \`measure.ts\` runs on a worker, \`present.ts\` defines the experiment (the interface of \`experiment.ts\`) and its pages; \`run-experiment.ts\` does the rest.

The rest of this page is made by \`npx tsx research/figures/experiments.ts CORPUS=FOLDER...\` from the folders of the commands under [Corpora](#corpora).
`
