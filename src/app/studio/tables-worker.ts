import {createTables} from '../../read/tables/index.ts'
import type {TablesApi} from '../desk/index.ts'
import {servePort} from './serve-port.ts'

servePort<TablesApi, never>(() => createTables())
