import type {Command} from 'commander'

/** What the value of an option or an argument may be. */
export interface ValueKind {
  readonly name: string
  /** Empty where any text is allowed. */
  readonly choices: readonly string[]
  readonly files: 'files' | 'folders' | 'none'
}

export interface OptionEntry {
  readonly short: string | undefined
  readonly long: string
  readonly text: string
  /** Undefined for a switch. */
  readonly value: ValueKind | undefined
  readonly flags: string
  readonly heading: string
}

/** A command as its help shows it: what completions and the manual page are made from. */
export interface CommandEntry {
  readonly name: string
  readonly usage: string
  readonly summary: string
  readonly description: string
  readonly args: readonly (ValueKind & {readonly text: string; readonly isRepeated: boolean})[]
  readonly options: readonly OptionEntry[]
  /** Paragraphs and examples after the options. */
  readonly after: string
}

/** Every command that help lists, in its order. */
export function commandTable(program: Command): CommandEntry[] {
  return program
    .createHelp()
    .visibleCommands(program)
    .map(command => entryOf(command))
}

function entryOf(command: Command): CommandEntry {
  const help = command.createHelp()
  return {
    name: command.name(),
    usage: `adfa ${help.subcommandTerm(command)}`,
    summary: command.summary() || command.description(),
    description: command.description(),
    args: command.registeredArguments.map(argument => ({
      name: argument.name(),
      choices: argument.argChoices ?? [],
      files: argument.argChoices === undefined && argument.name() !== 'command' ? 'files' : 'none',
      text: help.argumentDescription(argument),
      isRepeated: argument.variadic
    })),
    options: help.visibleOptions(command).map(option => ({
      short: option.short,
      long: option.long ?? '',
      text: help.optionDescription(option),
      value: option.required || option.optional ? valueKind(option.flags, option.argChoices) : undefined,
      flags: option.flags,
      heading: option.helpGroupHeading ?? 'Output:'
    })),
    after: helpAfter(command)
  }
}

/** Flags end in what the value is: <file>, <files...>, <folder>, <n>. */
function valueKind(flags: string, choices: readonly string[] = []): ValueKind {
  const [, name = 'value'] = /[<[]([^>\].]+)(?:\.\.\.)?[>\]]/.exec(flags) ?? []
  const files = name === 'folder' ? 'folders' : /^files?$/.test(name) ? 'files' : 'none'
  return {name, choices, files}
}

/** What `addHelpText('after')` adds, which commander only prints. */
function helpAfter(command: Command): string {
  let printed = ''
  const {writeOut = process.stdout.write} = command.configureOutput()
  command.configureOutput({writeOut: text => (printed += text)})
  command.outputHelp()
  command.configureOutput({writeOut})
  return printed.slice(command.helpInformation().length).trim()
}
