import {Argument, type Command, InvalidArgumentError, Option} from 'commander'
import {AdfaError} from '../../base/checks/index.ts'
import {helpEntries, type Setting, takesList} from '../project/index.ts'

/** Reads the value of an option, or throws the rule it breaks; `previous` is its value so far, where an option may be repeated. */
type Reader = (text: string, previous: never) => unknown

interface ValueRule {
  readonly read?: Reader
  readonly choices?: readonly string[]
  readonly preset?: unknown
  /** The preset as help shows it. */
  readonly shown?: string
  readonly isRequired?: true
}

/** How values of arguments and options are read, by name; the names of the choices alone will do. Others are text. */
type ValueRules = Readonly<Record<string, Reader | readonly string[] | ValueRule>>

/** A template that is read as help. */
type Declaration = (strings: TemplateStringsArray, ...values: readonly unknown[]) => Command

/** For options that must be given. */
export const required: ValueRule = {isRequired: true}

/**
 * Adds a command that is declared by its help: a line with its name and summary, the description, arguments and options as
 * for `addOptions`, and, after an empty line, what help shows below them.
 */
export function addCommand(program: Command, rules: ValueRules = {}): Declaration {
  return (strings, ...values) => {
    const [, name, summary, description, entries, after] =
      /^\n(\S+): (.+)\n((?:\S.*\n)+)((?: .*\n)*)(\n[\s\S]+)$/.exec(textOf(strings, values)) ?? []
    const command = program.command(name).summary(summary).description(description.trim().replaceAll('\n', ' '))
    addEntries(command, entries, rules)
    if (command.registeredArguments[0]?.name() === 'model') command.addOption(misplacedModel(command))
    return command.addHelpText('after', after)
  }
}

/** `--model` is what people try first: it says where the model stands. */
function misplacedModel(command: Command): Option {
  const [, ...others] = command.registeredArguments
  const rest = others.map(({variadic}) => (variadic ? ' DOCUMENTS' : ' FILE')).join('')
  return new Option('--model <name>').hideHelp().argParser(file => {
    throw new AdfaError(
      'bad-option',
      `there is no option --model; the model comes first: adfa ${command.name()} ${file}${rest}`
    )
  })
}

/** Adds options that are declared as in help: one per line, two spaces before its text, which further lines may continue. */
export function addOptions(command: Command, rules: ValueRules = {}): Declaration {
  return (strings, ...values) => addEntries(command, textOf(strings, values), rules)
}

function textOf(strings: TemplateStringsArray, values: readonly unknown[]): string {
  return String.raw({raw: strings}, ...values)
}

function addEntries(command: Command, entries: string, rules: ValueRules): Command {
  for (const {flags, help} of helpEntries(entries))
    if (flags.startsWith('-')) command.addOption(optionOf(flags, help, rules))
    else command.addArgument(argumentOf(flags, help, rules))
  return command
}

/** Adds the options of settings; `presets` replaces their defaults. */
export function addSettings(
  command: Command,
  settings: readonly Setting[],
  presets: Readonly<Record<string, unknown>> = {}
): Command {
  for (const setting of settings) {
    const {name, flags, help, read, choices, preset: usual} = setting
    const preset = presets[name] ?? usual
    // Names that are given replace the preset, and add up where the flag is repeated.
    const several = (text: string, before: readonly string[] = []) => [
      ...(before === preset ? [] : before),
      ...((read?.(text) ?? []) as readonly string[])
    ]
    const shown = Array.isArray(preset) ? preset.join() : undefined
    const rule = {preset, shown, ...(choices && {choices}), ...(read && {read: takesList(setting) ? several : read})}
    command.addOption(optionOf(flags, help, {[name]: rule as ValueRule}))
  }
  return command
}

function optionOf(flags: string, text: string, rules: ValueRules): Option {
  const option = new Option(flags, text)
  const {read, choices, preset, shown, isRequired = false} = ruleOf(rules[option.attributeName()])
  if (choices !== undefined) option.choices(choices)
  if (read !== undefined)
    option.argParser((text, previous) => {
      try {
        return read(text, previous as never)
      } catch (error) {
        throw new InvalidArgumentError((error as Error).message)
      }
    })
  return option.default(preset, shown).makeOptionMandatory(isRequired)
}

function argumentOf(name: string, text: string, rules: ValueRules): Argument {
  const argument = new Argument(name, text)
  const {choices, preset} = ruleOf(rules[argument.name()])
  return (choices === undefined ? argument : argument.choices(choices)).default(preset)
}

function ruleOf(rule: ValueRules[string] = {}): ValueRule {
  if (typeof rule === 'function') return {read: rule}
  return 'length' in rule ? {choices: rule} : rule
}
