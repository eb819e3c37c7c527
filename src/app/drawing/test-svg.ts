import {SaxesParser} from 'saxes'
import {textWidth} from './text-size.ts'

export interface SvgElement {
  readonly name: string
  readonly attributes: Readonly<Record<string, string>>
  readonly children: SvgElement[]
  /** Of the element itself, without that of elements inside. */
  text: string
  readonly parent: SvgElement | undefined
}

/** All elements of an SVG in the order of the text; throws where it is not well-formed XML. */
export function readSvg(svg: string): SvgElement[] {
  const all: SvgElement[] = []
  let here: SvgElement | undefined
  const parser = new SaxesParser()
  parser.on('error', error => {
    throw error
  })
  parser.on('opentag', ({name, attributes}) => {
    const element: SvgElement = {name, attributes: {...attributes}, children: [], text: '', parent: here}
    here?.children.push(element)
    all.push(element)
    here = element
  })
  parser.on('closetag', () => {
    here = here?.parent
  })
  parser.on('text', text => {
    if (here) here.text += text
  })
  parser.write(svg).close()
  return all
}

/** What the texts say, in order. */
export function svgTexts(svg: string): string[] {
  return readSvg(svg)
    .filter(({name}) => name === 'text')
    .map(({text}) => text)
}

/** The titles of single elements, which browsers show beside the pointer. */
export function svgTitles(svg: string): string[] {
  return readSvg(svg)
    .filter(({name, parent}) => name === 'title' && parent?.name !== 'svg')
    .map(({text}) => text)
}

export interface Box {
  readonly left: number
  readonly right: number
  readonly top: number
  readonly bottom: number
}

/** The boxes that lie over an earlier one, by more than `slack` in both directions. */
export function touching<B extends Box>(boxes: readonly B[], slack = 0): B[] {
  return boxes.filter((box, at) =>
    boxes.slice(0, at).some(other => {
      const across = Math.min(box.right, other.right) - Math.max(box.left, other.left)
      return across > slack && Math.min(box.bottom, other.bottom) - Math.max(box.top, other.top) > slack
    })
  )
}

export interface TextBox extends Box {
  readonly text: string
}

/** Where the texts of a chart stand, as wide as `textWidth` says. */
export function textBoxes(svg: string): TextBox[] {
  return readSvg(svg)
    .filter(({name}) => name === 'text')
    .map(element => {
      const size = Number(inherited(element, 'font-size'))
      const width = textWidth(element.text, size)
      const anchor = inherited(element, 'text-anchor') ?? 'start'
      const [x, y] = origin(element, size)
      const left = x - (anchor === 'end' ? width : anchor === 'middle' ? width / 2 : 0)
      return {text: element.text, left, right: left + width, top: y - 0.75 * size, bottom: y + 0.2 * size}
    })
}

function inherited(element: SvgElement | undefined, name: string): string | undefined {
  return element && (element.attributes[name] ?? inherited(element.parent, name))
}

function origin(element: SvgElement, size: number): [number, number] {
  const length = (value = '0') => (value.endsWith('em') ? size * Number.parseFloat(value) : Number(value))
  let [x, y] = [length(element.attributes.x), length(element.attributes.y)]
  for (let at: SvgElement | undefined = element; at; at = at.parent) {
    const [, dx = '0', dy = '0'] = at.attributes.transform?.match(/^translate\(([-\d.]+),([-\d.]+)\)$/) ?? []
    x += Number(dx)
    y += Number(dy)
  }
  return [x, y]
}
