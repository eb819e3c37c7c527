// Writes schema/project.schema.json, the JSON Schema of adfa.json, from the table of settings: npx tsx research/project-schema.ts
import {writeFileSync} from 'node:fs'
import {projectSchema} from '../src/app/project/index.ts'

writeFileSync(
  new URL('../schema/project.schema.json', import.meta.url),
  `${JSON.stringify(projectSchema(), undefined, 2)}\n`
)
