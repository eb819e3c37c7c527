// Checks src/ against the table of rooms in docs/ARCHITECTURE.md: `npm run lint`.
import {checkRooms} from './check-rooms.ts'
import {readRoomTable, readSources} from './read-sources.ts'

const faults = checkRooms(readSources(), readRoomTable())
for (const fault of faults) console.error(fault)
if (faults.length > 0) process.exitCode = 1
