/** The sign before the decimals of a number, as people write them: 9.414,10 or 9,414.10. */
export type DecimalSign = '.' | ','

/** A number as it stands in a cell, without its unit. */
export interface Numeral {
  readonly text: string
  /** The sign that it shows; `either` for 1.234 and 1,234, which may have decimals or thousands; undefined for digits alone. */
  readonly sign: DecimalSign | 'either' | undefined
}

/** Digits, perhaps with a currency sign or % before or after them: -6,50 €, $1,234, 23.4 %. */
const WITH_UNIT = /^([+-]?)(?:[\p{Sc}%]\s*)?([+-]?[\d.,]+(?:e[+-]?\d+)?)(?:\s*[\p{Sc}%])?$/iu
const POINT_DECIMALS = /^[+-]?(?=[\d.]*\d)(?:\d*|[1-9]\d{0,2}(?:,\d{3})+)(?:\.\d*)?(?:e[+-]?\d+)?$/i
const COMMA_DECIMALS = /^[+-]?(?:\d+|[1-9]\d{0,2}(?:\.\d{3})+)(?:,\d+)?(?:e[+-]?\d+)?$/i

export function numeralOf(cell: string): Numeral | undefined {
  const [, minus, digits] = WITH_UNIT.exec(cell.trim()) ?? []
  const text = `${minus}${digits}`
  const hasPoint = POINT_DECIMALS.test(text)
  const hasComma = COMMA_DECIMALS.test(text)
  if (!hasPoint && !hasComma) return undefined
  if (!/[.,]/.test(text)) return {text, sign: undefined}
  return {text, sign: hasPoint && hasComma ? 'either' : hasPoint ? '.' : ','}
}

/** The sign in a column: a comma where any cell shows that it separates decimals. Undefined where no cell shows a sign. */
export function shownSign(numerals: Iterable<Numeral | undefined>): DecimalSign | undefined {
  let shown: DecimalSign | undefined
  for (const numeral of numerals) {
    if (numeral?.sign === ',') return ','
    if (numeral?.sign === '.') shown = '.'
  }
  return shown
}

/**
 * The sign that a column of nothing but 1.234 and 1,234 is taken to have: a point, unless only a comma can be meant. Where commas separate
 * cells, people write 1,234 for thousands.
 */
export function assumedSign({text}: Numeral, separatesCells: boolean): DecimalSign {
  return text.includes(',') && !separatesCells ? ',' : '.'
}

/** Its value, where `sign` decides what 1.234 and 1,234 mean. */
export function numeralValue({text, sign: own}: Numeral, sign: DecimalSign): number {
  const decimals = own === 'either' ? sign : own
  return Number(decimals === ',' ? text.replaceAll('.', '').replace(',', '.') : text.replaceAll(',', ''))
}
