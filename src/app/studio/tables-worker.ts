import {createTables} from '../../read/tables/index.ts'
import {type Port, serve, type TablesApi} from '../desk/index.ts'

serve<TablesApi, never>(self as unknown as Port, () => createTables())
