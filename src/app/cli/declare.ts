import {Argument, type Command, InvalidArgumentError, Option} from 'commander'
import {AdfaError} from '../../base/checks/index.ts'
import {declared, type Setting, type SettingTypes, takesList} from '../project/index.ts'

/** For options that must be given. */
export const required = {isRequired: true} as const

/**
 * Adds a command that is declared by its help: a line with its name and summary, the description, arguments and options of its own, one per
 * line with two spaces before its text, and, after an empty line, what help shows below them. `shared` are its other options.
 */
export function addCommand(program: Command, types: SettingTypes = {}, shared: readonly Setting[] = []) {
  return (strings: TemplateStringsArray, ...values: readonly unknown[]): Command => {
    const [, name, summary, description, entries, after] =
      /^\n(\S+): (.+)\n((?:\S.*\n)+)((?: .*\n)*)(\n[\s\S]+)$/.exec(String.raw({raw: strings}, ...values)) ?? []
    const command = program.command(name).summary(summary).description(description.trim().replaceAll('\n', ' '))
    const own = declared(entries, types)
    for (const entry of own) if (!entry.flags.startsWith('-')) command.addArgument(argumentOf(entry))
    addOptions(command, [...own.filter(({flags}) => flags.startsWith('-')), ...shared])
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

/** Adds options, but for those that the command has a meaning of its own for. */
export function addOptions(command: Command, options: readonly Setting[]): Command {
  for (const option of options.map(optionOf))
    if (command.options.every(({long}) => long !== option.long)) command.addOption(option)
  return command
}

function optionOf(setting: Setting): Option {
  const {flags, help, read, choices, preset, isRequired = false} = setting
  const option = new Option(flags, help)
  if (choices !== undefined) option.choices(choices)
  if (read !== undefined)
    option.argParser((text, before: unknown) => {
      try {
        const value = read(text)
        // Names that are given replace the preset, and add up where the flag is repeated.
        return takesList(setting) && before !== preset ? [before ?? [], value].flat() : value
      } catch (error) {
        throw new InvalidArgumentError((error as Error).message)
      }
    })
  const shown = setting.shown ?? (Array.isArray(preset) ? preset.join() : undefined)
  return option.default(preset, shown).makeOptionMandatory(isRequired)
}

function argumentOf({flags, help, choices, preset}: Setting): Argument {
  const argument = new Argument(flags, help)
  return (choices === undefined ? argument : argument.choices(choices)).default(preset)
}
