// Checks src/ against the table of modules in docs/ARCHITECTURE.md: `npm run lint`.
import {checkModules} from './check-modules.ts'
import {readModuleTable, readSources} from './read-sources.ts'

const faults = checkModules(readSources(), readModuleTable())
for (const fault of faults) console.error(fault)
if (faults.length > 0) process.exitCode = 1
