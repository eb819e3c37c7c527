/** A chart as plain data, the same for every program that draws it: nothing in it but text, numbers and lists. */
export type Chart = LinesChart | BarsChart | WeightsChart | IntervalsChart | ReliabilityChart

interface ChartText {
  readonly title: string
  /** What the picture shows, in a sentence or two, for those who cannot see it. */
  readonly description: string
}

export interface ChartAxis {
  readonly label: string
  readonly log?: boolean
  /** Values are shares and are written as percentages. */
  readonly percent?: boolean
  /** Where to write numbers; those that would touch are left out. */
  readonly ticks?: readonly number[]
}

/** An interval is given by both its ends or not at all. */
export interface ChartPoint {
  readonly x: number
  readonly y: number
  readonly low?: number
  readonly high?: number
}

export interface ChartSeries {
  readonly name: string
  /** Joined by a line in the order of x. */
  readonly points: readonly ChartPoint[]
  /** Single runs, drawn faintly behind the line. */
  readonly marks?: readonly {readonly x: number; readonly y: number}[]
}

/** Small multiples side by side; a series of one name has one look in all of them. */
export interface LinesChart extends ChartText {
  readonly kind: 'lines'
  readonly x: ChartAxis
  readonly y: ChartAxis
  /** One range of y for all panels, unless false. */
  readonly sharedY?: boolean
  readonly panels: readonly {readonly title: string; readonly series: readonly ChartSeries[]}[]
}

export interface ChartBar {
  readonly name: string
  readonly value: number
  readonly low?: number
  readonly high?: number
  /** Told by colour and symbol. */
  readonly group: string
  /** Single runs, drawn faintly. */
  readonly marks?: readonly number[]
}

/** Methods or concepts below each other, one dot with its interval a line. */
export interface BarsChart extends ChartText {
  readonly kind: 'bars'
  readonly x: ChartAxis
  readonly panels: readonly {readonly title: string; readonly bars: readonly ChartBar[]}[]
}

/** The words that weigh most for each concept. */
export interface WeightsChart extends ChartText {
  readonly kind: 'weights'
  readonly x: ChartAxis
  readonly rows: readonly {
    readonly name: string
    readonly items: readonly {readonly label: string; readonly value: number}[]
  }[]
}

/** A rate with its interval for each concept; `prior` is what was believed before. */
export interface IntervalsChart extends ChartText {
  readonly kind: 'intervals'
  readonly x: ChartAxis
  readonly rows: readonly {
    readonly name: string
    readonly value: number
    readonly low: number
    readonly high: number
    readonly prior?: number
  }[]
}

/** How often probabilities come true: on the diagonal they mean what they say. All values are shares. */
export interface ReliabilityChart extends ChartText {
  readonly kind: 'reliability'
  readonly series: readonly ChartSeries[]
}
