/** From files to files: count documents, fit a model, save it, load it again and predict. */
import {writeFileSync} from 'node:fs'
import {fit, loadModel, parseAnchors, predictDocument, saveModel} from 'adfa'
import {countDocuments, openDocuments, readTextFile, writeAtomically} from 'adfa/node'

writeFileSync(
  'notes.jsonl',
  Array.from({length: 200}, (_, at) =>
    JSON.stringify(
      at % 4 === 0
        ? {id: at, text: `patient with ${at % 8 === 0 ? 'asthma' : 'wheezing'}, given albuterol`}
        : {id: at, text: `patient ${at % 3 === 0 ? 'fell down' : 'has a headache'}, no medication`}
    )
  ).join('\n')
)
writeFileSync(
  'anchors.json',
  JSON.stringify({
    asthma: {any: ['asthma', 'copd'], truePositive: 0.5, falsePositive: 0.01},
    fall: {any: ['fell down', '/tripped (over|on)/'], truePositive: 0.6, falsePositive: 0.01}
  })
)

const anchors = parseAnchors(await readTextFile('anchors.json'), 'anchors.json')
const source = openDocuments(['notes.jsonl'], {text: ['text']})
const counts = await countDocuments(source, {kind: 'given', anchors}, {text: ['text']})
await writeAtomically('model.json', saveModel(await fit(counts)))

const model = loadModel(await readTextFile('model.json'), 'model.json')
for (const text of ['wheezing, given albuterol', 'fell down the stairs'])
  console.log(text, predictDocument(model, {text}))
