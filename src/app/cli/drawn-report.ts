import type {ReportInput} from '../report/index.ts'
import type {Output} from './output.ts'

export async function drawnReport(input: ReportInput, output: Output): Promise<string> {
  output.progress('drawing')
  // Graphviz and the charts take a moment to load: not needed for other commands.
  const {loadGraphviz, renderReport} = await import('../report/index.ts')
  return renderReport(input, await loadGraphviz())
}
