import {readFileSync} from 'node:fs'
import {learnFromCounts} from '../src/learn/learn.ts'
import {saveModel} from '../src/learn/model/index.ts'
import {createPredictor} from '../src/use/prediction/index.ts'
import {chooseCorpora} from './quality/corpora.ts'
import {measure} from './quality/measure.ts'
import {readRows, splitProblem} from './quality/problem.ts'
import {ratedCounts} from './quality/settings.ts'
import {hashShare} from '../src/base/numeric/index.ts'
const folder = new URL('file:///work/shared/data/')
const structure = process.argv[3]
for (const corpus of chooseCorpora(process.argv[2].split(','))) {
  const problem = await splitProblem(corpus, await readRows(corpus, folder), {seed: 0, folder})
  const counts = ratedCounts(problem, ['given']).get('given')!
  const first = new Set(problem.training.documents.toSorted((a, b) => hashShare(a.key, 77) - hashShare(b.key, 77)).slice(0, 200).map(d => d.key))
  for (const labels of [false, true]) {
    const t0 = process.cpuUsage()
    const model = await learnFromCounts(counts, {...problem.training, documents: problem.training.documents.map(d => ({...d, labels: labels && first.has(d.key) ? d.labels : undefined}))}, {noise: 'given', ...(structure && {structure: structure as any})}, {})
    const {user, system} = process.cpuUsage(t0)
    const [row] = measure([{name: 'robust', seconds: (user + system) / 1e6, ...createPredictor(model)}], model, problem.heldOut).filter(r => r.method === 'robust')
    const wm: any = model.wordModel
    console.log(corpus.name.padEnd(21), labels ? 'labels' : 'plain ', row.lastTag, row.averagePrecision, 'F1', row.thresholdMicroF1, 'll', row.logLikelihood, 'ce', row.calibrationError, 's', row.trainingSeconds, 'docs/s', row.documentsPerSecond, 'words', counts.lexicon.words.length, 'file', saveModel(model).length, 'kind', wm.kind, 'res', wm.certificate?.residual?.toFixed(4), wm.certificate?.unsettled, wm.certificate?.rounds, wm.weights ? wm.weights.flat().filter((v: number) => v !== 0).length / wm.weights.flat().length : '')
  }
}
