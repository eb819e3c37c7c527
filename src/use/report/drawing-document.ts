import type {SvgNode} from './svg-markup.ts'

/**
 * As much of a DOM as Observable Plot draws charts with: elements that remember what they are given. Pictures are drawn with it
 * everywhere, also in a worker, which has no DOM of its own.
 */
export interface DrawingDocument {
  readonly documentElement: DrawnElement
  createElementNS(namespace: string, name: string): DrawnElement
}

export function drawingDocument(): DrawingDocument {
  const document: DrawingDocument = {
    get documentElement() {
      return root
    },
    createElementNS: (namespace, name) => new DrawnElement(document, namespace, name)
  }
  const root = document.createElementNS('http://www.w3.org/1999/xhtml', 'html')
  return document
}

class DrawnElement implements SvgNode {
  readonly nodeType = 1
  readonly nodeValue = null
  readonly ownerDocument: DrawingDocument
  readonly namespaceURI: string
  readonly localName: string
  childNodes: SvgNode[] = []
  readonly #attributes = new Map<string, string>()

  constructor(document: DrawingDocument, namespace: string, name: string) {
    this.ownerDocument = document
    this.namespaceURI = namespace
    this.localName = name
  }

  get attributes(): {readonly name: string; readonly value: string}[] {
    return [...this.#attributes].map(([name, value]) => ({name, value}))
  }

  setAttribute(name: string, value: unknown): void {
    this.#attributes.set(name, String(value))
  }

  removeAttribute(name: string): void {
    this.#attributes.delete(name)
  }

  appendChild<T extends SvgNode>(child: T): T {
    this.childNodes.push(child)
    return child
  }

  /** Before another child, or at the end before `null`. A node is drawn once and stays where it is. */
  insertBefore<T extends SvgNode>(child: T, next: SvgNode | null): T {
    const at = next === null ? this.childNodes.length : this.childNodes.indexOf(next)
    this.childNodes.splice(at, 0, child)
    return child
  }

  set textContent(text: string) {
    this.childNodes = [{nodeType: 3, nodeValue: text, childNodes: []}]
  }
}
