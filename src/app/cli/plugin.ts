import {resolve} from 'node:path'
import {pathToFileURL} from 'node:url'
import {AdfaError} from '../../base/checks/index.ts'
import {type CustomPolytope, isPolytope} from '../../learn/moments/index.ts'
import type {CustomStructure} from '../../learn/structure/index.ts'
import type {BaselineTrainer} from '../../use/baselines/index.ts'

/** What a plug-in may export, each by the name that an option selects it with (docs/EXTEND.md). */
export interface Plugin {
  readonly polytopes: Readonly<Record<string, CustomPolytope>>
  readonly structures: Readonly<Record<string, CustomStructure>>
  readonly baselines: Readonly<Record<string, BaselineTrainer>>
}

const NOTHING: Plugin = {polytopes: {}, structures: {}, baselines: {}}

/** The exports of a module, checked as far as they can be before they are used. */
export async function loadPlugin(path: string | undefined): Promise<Plugin> {
  if (path === undefined) return NOTHING
  const refuse = (fault: string, cause?: unknown) =>
    new AdfaError(
      'bad-file',
      `${path}: ${fault}; a plug-in exports polytopes, structures or baselines, each a record by name`,
      {
        cause
      }
    )
  let found: Partial<Plugin>
  try {
    found = await import(pathToFileURL(resolve(path)).href)
  } catch (cause) {
    // Node reads a .js file without "type": "module" near it as CommonJS, which has no exports of this form.
    const isCommonJs = /Unexpected token 'export'|Cannot use import statement/.test((cause as Error).message)
    const wayOut = isCommonJs ? '; name it .mjs, or set "type": "module" in its package.json' : ''
    throw refuse(`cannot be loaded (${(cause as Error).message})${wayOut}`, cause)
  }
  const plugin = {...NOTHING, ...found}
  const isSearch = (value: unknown) => typeof (value as Partial<CustomStructure> | undefined)?.find === 'function'
  const checks = {
    polytopes: isPolytope,
    structures: isSearch,
    baselines: (value: unknown) => typeof value === 'function'
  }
  for (const [kind, isSound] of Object.entries(checks))
    for (const [name, value] of Object.entries(plugin[kind as keyof Plugin]))
      if (!isSound(value)) throw refuse(`${kind}.${name} does not have the expected form`)
  if (Object.keys(checks).every(kind => Object.keys(plugin[kind as keyof Plugin]).length === 0))
    throw refuse('exports nothing that adfa can use')
  return plugin
}
