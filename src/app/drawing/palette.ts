import {AdfaError} from '../../base/checks/index.ts'

/** What distinguishes a series or a group. */
export interface SeriesStyle {
  readonly colour: string
  readonly symbol: 'circle' | 'square' | 'triangle' | 'diamond' | 'times' | 'plus' | 'star' | 'wye' | 'asterisk'
  readonly isHollow: boolean
  /** Lengths of strokes and gaps; empty for a solid line. */
  readonly dash: string
}

/**
 * One look for all pictures: black on white, fine lines, the colours of Okabe and Ito, which people with any colour vision
 * can distinguish. Their orange, sky blue and purple are darkened to a contrast of three to one on white.
 */
export const palette = {
  ink: '#1f2328',
  quietInk: '#57606a',
  grid: '#e4e7eb',
  rule: '#8c959f',
  paper: '#ffffff',
  blue: '#0072b2',
  vermilion: '#d55e00',
  green: '#009e73',
  purple: '#b45f8f',
  orange: '#a87400',
  sky: '#3d8fbd',
  black: '#1f2328'
} as const

export const fontFamily = 'Helvetica, Arial, sans-serif'

/** In pixels. */
export const textSize = {title: 16, heading: 13, body: 12, small: 11} as const

/** Every style has its own symbol and dash, so that a grey copy is readable too. */
export const seriesStyles: readonly SeriesStyle[] = [
  {colour: palette.blue, symbol: 'circle', isHollow: false, dash: ''},
  {colour: palette.vermilion, symbol: 'square', isHollow: false, dash: '7 3'},
  {colour: palette.green, symbol: 'triangle', isHollow: false, dash: '2 2.5'},
  {colour: palette.black, symbol: 'diamond', isHollow: true, dash: '9 3 2 3'},
  {colour: palette.purple, symbol: 'circle', isHollow: true, dash: '4 2'},
  {colour: palette.orange, symbol: 'square', isHollow: true, dash: '12 4'},
  {colour: palette.sky, symbol: 'triangle', isHollow: true, dash: '6 2 2 2 2 2'},
  {colour: palette.blue, symbol: 'times', isHollow: false, dash: '1 3'},
  {colour: palette.vermilion, symbol: 'plus', isHollow: false, dash: '14 3 4 3'},
  {colour: palette.green, symbol: 'star', isHollow: false, dash: '3 5'},
  {colour: palette.black, symbol: 'wye', isHollow: false, dash: '5 2 1 2'},
  {colour: palette.purple, symbol: 'asterisk', isHollow: false, dash: '8 6'}
]

/** A style for each name, in order of first appearance. */
export function stylesByName(names: readonly string[]): Map<string, SeriesStyle> {
  const different = [...new Set(names)]
  if (different.length > seriesStyles.length)
    throw new AdfaError(
      'bad-option',
      `drawChart: ${different.length} series, but readers can distinguish at most ${seriesStyles.length}; draw two charts`
    )
  return new Map(different.map((name, at) => [name, seriesStyles[at]]))
}
