// Writes schema/project.schema.json, the JSON Schema of adfa.json, from the options of the command line: npx tsx research/project-schema.ts
import {writeFileSync} from 'node:fs'
import {projectSchema} from '../src/app/cli/project/project-file.ts'

writeFileSync(
  new URL('../schema/project.schema.json', import.meta.url),
  `${JSON.stringify(projectSchema(), undefined, 2)}\n`
)
