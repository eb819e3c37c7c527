import type {Command} from 'commander'
import {addCommonOptions, type CommonOptions, outputOf} from '../common-options.ts'
import {addCommand} from '../declare.ts'
import {packageVersion} from '../version.ts'
import {type CommandEntry, commandTable} from './command-table.ts'

export function addManCommand(program: Command): void {
  const command = addCommand(program)`
man: print the manual page
Print the manual page, adfa.1, which is made from the help of all commands.

Examples:
  adfa man | man -l -
  adfa man > ~/.local/share/man/man1/adfa.1`
  addCommonOptions(command).action((options: CommonOptions) => {
    const page = manPage(program)
    const output = outputOf(options)
    output.json({page})
    output.print(page.trimEnd())
  })
}

/** The help of all commands as a page for `man`, in the macros that both groff and mandoc know. */
export function manPage(program: Command): string {
  const commands = commandTable(program)
  return `.TH ADFA 1 "" "adfa ${packageVersion()}" "User Commands"
.SH NAME
adfa \\- anchored discrete factor analysis: a joint, explainable tag model from anchors, without labels
.SH SYNOPSIS
.B adfa
.I command
.RI [ options ]
.SH DESCRIPTION
${roff(program.description())}
.SH COMMANDS
${commands.map(commandSection).join('')}.SH ENVIRONMENT
.TP
.B NO_COLOR
Print no colours.
.TP
.B FORCE_COLOR
Print colours where the output is no terminal, too; 0 for none.
.TP
.B NO_HYPERLINKS
Do not make links of written files.
.SH EXIT STATUS
.TP
.B 0
Done.
.TP
.B 1
Failed, for instance because of a faulty file.
.TP
.B 2
Bad usage.
.TP
.B 128+n
Ended by signal n.
`
}

function commandSection({name, usage, description, args, options, after}: CommandEntry): string {
  const described = args.filter(({text}) => text !== '')
  let heading = ''
  const parts = options.map(({flags, text, heading: group}) => {
    const title = group === heading ? '' : `.PP\n.I ${roff(group)}\n`
    heading = group
    return `${title}.TP\n.B ${roff(flags)}\n${roff(text)}\n`
  })
  return `.SS ${roff(name)}
.B ${roff(usage)}
.PP
${roff(description)}
${described.map(argument => `.TP\n.I ${roff(argument.name)}\n${roff(argument.text)}\n`).join('')}${parts.join('')}${afterText(after)}`
}

/** Paragraphs are filled, indented lines such as examples kept. */
function afterText(after: string): string {
  if (after === '') return ''
  return after
    .split(/\n\n|\n(?=\S)(?<=^ .*\n)|(?<=^\S.*)\n(?= )/m)
    .map(part => (part.startsWith(' ') ? `.nf\n${roff(part)}\n.fi\n` : `.PP\n${roff(part)}\n`))
    .join('')
}

/** Text with what `man` would interpret written out: backslashes, hyphens that readers may copy, dots and quotes at the start of a line. */
function roff(text: string): string {
  return text
    .replaceAll('\\', '\\e')
    .replaceAll('-', '\\-')
    .replaceAll(/\n(?=\n)/g, '')
    .replaceAll(/^(?=[.'])/gm, '\\&')
}
