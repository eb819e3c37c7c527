import ts from 'typescript'

/** Something found in a source file, with its line (from 1). */
export interface Found {
  readonly text: string
  readonly line: number
}

export interface SourceFacts {
  /** What is imported or re-exported, types and dynamic imports included. */
  readonly imports: readonly Found[]
  readonly starExports: readonly Found[]
  /** Uses of the console, the clock, the environment, chance, or an import whose name is computed. */
  readonly ambient: readonly Found[]
}

/** Names that reach outside the program. A use counts even if a local variable shadows the name: choose another. */
const AMBIENT = new Set([
  'console',
  'process',
  'performance',
  'Date',
  'Buffer',
  'require',
  'crypto',
  'globalThis',
  'global'
])

/** Names of a browser that programs also use for their own variables: a use counts in a file that declares none. */
const AMBIENT_IN_PAGES = new Set(['document', 'window', 'self', 'fetch'])

/** Read the facts that the rules need from the syntax tree of one TypeScript file. */
export function sourceFacts(path: string, text: string): SourceFacts {
  const source = ts.createSourceFile(path, text, ts.ScriptTarget.Latest, true)
  const imports: Found[] = []
  const starExports: Found[] = []
  const ambient: Found[] = []
  const found = (node: ts.Node, text: string) => ({
    text,
    line: source.getLineAndCharacterOfPosition(node.getStart(source)).line + 1
  })

  const declared = declaredNames(source)
  const visit = (node: ts.Node): void => {
    const specifier = moduleSpecifier(node)
    if (specifier) imports.push(found(node, specifier.text))
    else if (isDynamicImport(node)) ambient.push(found(node, 'import(a computed name)'))
    if (ts.isExportDeclaration(node) && !isNamedExport(node)) starExports.push(found(node, 'export *'))
    const reach = ambientUse(node)
    if (reach && !declared.has(reach)) ambient.push(found(node, reach))
    ts.forEachChild(node, visit)
  }
  visit(source)
  return {imports, starExports, ambient}
}

function moduleSpecifier(node: ts.Node): ts.StringLiteralLike | undefined {
  const specifier =
    ts.isImportDeclaration(node) || ts.isExportDeclaration(node)
      ? node.moduleSpecifier
      : ts.isImportTypeNode(node) && ts.isLiteralTypeNode(node.argument)
        ? node.argument.literal
        : isDynamicImport(node)
          ? node.arguments[0]
          : undefined
  return specifier && ts.isStringLiteralLike(specifier) ? specifier : undefined
}

function isDynamicImport(node: ts.Node): node is ts.CallExpression {
  return ts.isCallExpression(node) && node.expression.kind === ts.SyntaxKind.ImportKeyword
}

function isNamedExport(node: ts.ExportDeclaration): boolean {
  return node.exportClause !== undefined && ts.isNamedExports(node.exportClause)
}

/** Functions that are random or differ between engines in the last bit: `numeric` has its own `rng`, `exp`, `log` and `log1p`. */
const UNFIXED = new Set(
  'random exp expm1 log log1p log2 log10 pow sin cos tan sinh cosh tanh atanh asinh cbrt'.split(' ')
)

function ambientUse(node: ts.Node): string | undefined {
  if (!ts.isIdentifier(node)) return undefined
  const {parent} = node
  if (node.text === 'Math') {
    if (ts.isPropertyAccessExpression(parent) && parent.expression === node)
      return UNFIXED.has(parent.name.text) ? `Math.${parent.name.text}` : undefined
    return ts.isTypeNode(parent) ? undefined : 'Math other than by Math.name'
  }
  const isAmbient = AMBIENT.has(node.text) || AMBIENT_IN_PAGES.has(node.text)
  return isAmbient && !isMereName(node) ? node.text : undefined
}

/** The names of `AMBIENT_IN_PAGES` that the file gives to something of its own. */
function declaredNames(source: ts.SourceFile): Set<string> {
  const names = new Set<string>()
  const visit = (node: ts.Node): void => {
    const isDeclaration =
      ts.isVariableDeclaration(node) ||
      ts.isParameter(node) ||
      ts.isBindingElement(node) ||
      ts.isFunctionDeclaration(node) ||
      ts.isImportSpecifier(node)
    if (isDeclaration && node.name && ts.isIdentifier(node.name) && AMBIENT_IN_PAGES.has(node.name.text))
      names.add(node.name.text)
    ts.forEachChild(node, visit)
  }
  visit(source)
  return names
}

/** Whether the identifier names a property, a declaration or a type rather than reading a value. */
function isMereName(node: ts.Identifier): boolean {
  const {parent} = node
  if (ts.isTypeNode(parent) || ts.isImportSpecifier(parent) || ts.isExportSpecifier(parent)) return true
  if (ts.isShorthandPropertyAssignment(parent)) return false
  return 'name' in parent && parent.name === node
}
