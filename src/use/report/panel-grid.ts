export interface PanelGrid {
  readonly columns: number
  /** Of one panel, in pixels. */
  readonly width: number
}

/** As wide as text in a report or on a page of paper. */
const FULL = 930

/** How many panels stand side by side; one alone is `alone` wide. */
export function gridOf(panelCount: number, alone: number): PanelGrid {
  if (panelCount <= 1) return {columns: 1, width: alone}
  const columns = panelCount === 2 || panelCount === 4 ? 2 : 3
  return {columns, width: Math.min(alone, FULL / columns)}
}
