import {type Zippable, zipSync} from 'fflate'

/** A cell of a test workbook; a Date becomes a day of Excel, with the style of one. */
export type TestCell = string | number | boolean | Date | null

/** The files of a small Excel workbook by name, with sheets by name. */
export function workbookFiles(
  sheets: Readonly<Record<string, readonly (readonly TestCell[])[]>>
): Record<string, string> {
  const names = Object.keys(sheets)
  const main = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main'
  const office = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships'
  const packed = 'http://schemas.openxmlformats.org/package/2006/relationships'
  const listed = names.map((name, at) => `<sheet name="${escaped(name)}" sheetId="${at + 1}" r:id="r${at + 1}"/>`)
  const places = names.map(
    (_, at) => `<Relationship Id="r${at + 1}" Type="${office}/worksheet" Target="worksheets/sheet${at + 1}.xml"/>`
  )
  const parts: Record<string, string> = {
    '_rels/.rels': `<Relationships xmlns="${packed}"><Relationship Id="r1" Type="${office}/officeDocument" Target="xl/workbook.xml"/></Relationships>`,
    'xl/workbook.xml': `<workbook xmlns="${main}" xmlns:r="${office}"><sheets>${listed.join('')}</sheets></workbook>`,
    'xl/_rels/workbook.xml.rels': `<Relationships xmlns="${packed}">${places.join('')}<Relationship Id="s" Type="${office}/styles" Target="styles.xml"/></Relationships>`,
    'xl/styles.xml': `<styleSheet xmlns="${main}"><cellXfs count="2"><xf numFmtId="0"/><xf numFmtId="22"/></cellXfs></styleSheet>`
  }
  names.forEach((name, at) => {
    const rows = sheets[name].map((cells, row) => {
      const written = cells.map((cell, column) => cellXml(cell, `${String.fromCharCode(65 + column)}${row + 1}`))
      return `<row r="${row + 1}">${written.join('')}</row>`
    })
    parts[`xl/worksheets/sheet${at + 1}.xml`] =
      `<worksheet xmlns="${main}"><sheetData>${rows.join('')}</sheetData></worksheet>`
  })
  return parts
}

/** The bytes of a workbook. */
export function workbook(sheets: Readonly<Record<string, readonly (readonly TestCell[])[]>>): Uint8Array {
  return zipped(workbookFiles(sheets))
}

export function zipped(parts: Readonly<Record<string, string | Uint8Array>>): Uint8Array {
  const content = Object.entries(parts).map(([name, part]) => [
    name,
    typeof part === 'string' ? Buffer.from(part) : part
  ])
  return zipSync(Object.fromEntries(content) as Zippable)
}

function cellXml(cell: TestCell, place: string): string {
  if (cell === null) return ''
  if (typeof cell === 'number') return `<c r="${place}"><v>${cell}</v></c>`
  if (typeof cell === 'boolean') return `<c r="${place}" t="b"><v>${cell ? 1 : 0}</v></c>`
  // Excel counts days from 30 December 1899.
  if (cell instanceof Date) return `<c r="${place}" s="1"><v>${cell.getTime() / 86_400_000 + 25_569}</v></c>`
  return `<c r="${place}" t="inlineStr"><is><t>${escaped(cell)}</t></is></c>`
}

function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;')
}
