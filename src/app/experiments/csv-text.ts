/** Rows as comma-separated values (RFC 4180), as spreadsheets and statistics programs read them. */
export function csvText(rows: readonly (readonly (string | number)[])[]): string {
  return rows.map(row => `${row.map(cellText).join(',')}\n`).join('')
}

function cellText(value: string | number): string {
  const text = String(value)
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}
