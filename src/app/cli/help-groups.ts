import {Command, Option} from 'commander'

/** Option groups in help, in order. An option not listed here belongs to one command only and comes first. */
export const OPTION_GROUPS: readonly (readonly [heading: string, flags: string])[] = [
  ['Most used:', 'output anchors anchors-from-tags labels text noise structure intervals json'],
  [
    'Input:',
    'project no-project id tags category number list votes allow-missing min-tags of-top hold-out format separator tag-separator worksheet encoding'
  ],
  ['Anchors and rates:', 'top-tags like skip-bad-anchors label-share'],
  ['Model:', 'preset polytope shrinkage edges'],
  ['Words:', 'vocabulary max-share negation no-negation negation-scope keep-case words word-shrinkage method'],
  ['Shared tables:', 'max-order min-cell site earlier audit dry-run'],
  ['Databases:', 'engine print-sql memory credentials tokens-column'],
  ['Advanced:', 'solver gap time-limit divergence search workers distinct-words'],
  ['Output:', 'seed quiet help']
]

/** Command groups in `adfa --help`, in order. */
export const COMMAND_GROUPS: readonly (readonly [heading: string, names: string])[] = [
  ['Every day:', 'init run demo doctor suggest label fit predict explain evaluate report studio'],
  ['At scale and between sites:', 'count merge protocol'],
  ['For research:', 'compare noise export generate']
]

const flags = OPTION_GROUPS.flatMap(([heading, names]) => names.split(' ').map(name => ({flag: `--${name}`, heading})))

export function groupHelp(program: Command): void {
  const names = COMMAND_GROUPS.flatMap(([heading, list]) => list.split(' ').map(name => ({name, heading})))
  const commandRank = (command: Command) => names.findIndex(({name}) => name === command.name())
  ;(program.commands as Command[]).sort((a, b) => commandRank(a) - commandRank(b))
  for (const command of program.commands) {
    command.helpGroup((names[commandRank(command)] ?? names[0]).heading)
    // The document of adfa explain and the column of other commands share a flag.
    const isOwn = (option: Option) => option.long === '--id' && option.mandatory
    const optionRank = (option: Option) => (isOwn(option) ? -1 : flags.findIndex(({flag}) => flag === option.long))
    for (const option of command.options)
      option.helpGroup((flags[optionRank(option)] ?? flags[0]).heading)
      // A command's own options stay first, in their order.
    ;(command.options as Option[]).sort((a, b) => optionRank(a) - optionRank(b))
    command.addHelpOption(new Option('-h, --help', 'show this help').helpGroup('Output:'))
  }
  const help = new Command('help').argument('[command]').description('show options and examples of a command')
  program.addHelpCommand(help.helpGroup(COMMAND_GROUPS[0][0]))
}
