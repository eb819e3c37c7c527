import type {ReportInput} from '../../use/report/index.ts'
import type {Output} from './output.ts'

export async function drawnReport(input: ReportInput, output: Output): Promise<string> {
  output.progress('drawing')
  // Graphviz and the charts take a moment to load: not needed for other commands.
  const {loadGraphviz} = await import('../drawing/index.ts')
  const {renderReport} = await import('../../use/report/index.ts')
  return renderReport(input, await loadGraphviz())
}
