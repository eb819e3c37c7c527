import {AdfaError} from '../../base/checks/index.ts'
import {type SeriesStyle, seriesStyles} from './palette.ts'

/** A style for each name, in the order in which names first come up. */
export function stylesByName(names: readonly string[]): Map<string, SeriesStyle> {
  const different = [...new Set(names)]
  if (different.length > seriesStyles.length)
    throw new AdfaError(
      'bad-option',
      `drawChart: ${different.length} series, but readers can tell at most ${seriesStyles.length} apart; draw two charts`
    )
  return new Map(different.map((name, at) => [name, seriesStyles[at]]))
}
