import type {Command} from 'commander'
import {addCommonOptions, type CommonOptions, outputOf} from '../common-options.ts'
import {addCommand} from '../declare.ts'
import {type CommandEntry, commandTable, type OptionEntry, type ValueKind} from './command-table.ts'

type Shell = 'bash' | 'zsh' | 'fish'

export function addCompletionsCommand(program: Command): void {
  const command = addCommand(program, {shell: Object.keys(scripts)})`
completions: print completions for bash, zsh or fish
Print a script that lets a shell complete the commands, options and files of adfa.
  <shell>  your shell

Examples:
  adfa completions bash > ~/.local/share/bash-completion/completions/adfa
  adfa completions zsh > "\${fpath[1]}/_adfa"
  adfa completions fish > ~/.config/fish/completions/adfa.fish

For this session only:
  source <(adfa completions bash)             also in zsh, with zsh
  adfa completions fish | source`
  addCommonOptions(command).action((shell: Shell, options: CommonOptions) => {
    const script = scripts[shell](commandTable(program))
    const output = outputOf(options)
    output.json({shell, script})
    output.print(script.trimEnd())
  })
}

const scripts: Readonly<Record<Shell, (commands: readonly CommandEntry[]) => string>> = {
  bash: bashScript,
  zsh: zshScript,
  fish: fishScript
}

const flagsOf = ({short, long}: OptionEntry) => [long, short].filter(flag => flag !== undefined)
const single = (text: string) => `'${text.replaceAll("'", "'\\''")}'`
/** The first clause of a description: completions have one line. */
const brief = (text: string) =>
  text
    .split(/;| \(default:| \(choices:/)[0]
    .replaceAll(/\s+/g, ' ')
    .trim()

/** For bash 3.2 and later, without the package bash-completion; where nothing else is offered, readline completes file names. */
function bashScript(commands: readonly CommandEntry[]): string {
  const cases = commands.map(({name, options, args}) => {
    const valued = options.flatMap(option => (option.value === undefined ? [] : [{option, value: option.value}]))
    const values = valued.map(
      ({option, value}) => `        ${flagsOf(option).join('|')}) ${bashValue(value)}; return ;;\n`
    )
    return `    ${name})
      case $prev in
${values.join('')}      esac
      case $cur in
        -*) _adfa_words '${options.flatMap(flagsOf).join(' ')}'; return ;;
      esac
${bashArguments(name, args, commands)}      ;;
`
  })
  return `# bash completion for adfa
_adfa_words() {
  COMPREPLY=($(compgen -W "$1" -- "$cur"))
  compopt +o default 2>/dev/null
}
_adfa() {
  local cur=\${COMP_WORDS[COMP_CWORD]} prev=\${COMP_WORDS[COMP_CWORD-1]}
  COMPREPLY=()
  # --flag=value comes as three words.
  if [[ $cur == '=' ]]; then cur=
  elif [[ $prev == '=' && $COMP_CWORD -gt 2 ]]; then prev=\${COMP_WORDS[COMP_CWORD-2]}; fi
  if [[ $COMP_CWORD -eq 1 ]]; then
    _adfa_words '${commands.map(({name}) => name).join(' ')} --help --version'
    return
  fi
  case \${COMP_WORDS[1]} in
${cases.join('')}  esac
}
complete -o default -F _adfa adfa
`
}

function bashValue({choices, files}: ValueKind): string {
  if (choices.length > 0) return `_adfa_words '${choices.join(' ')}'`
  if (files === 'files') return ':'
  const folders = 'compopt -o filenames 2>/dev/null; local IFS=$\'\\n\'; COMPREPLY=($(compgen -d -- "$cur"))'
  return files === 'folders' ? folders : "_adfa_words ''"
}

function bashArguments(name: string, args: CommandEntry['args'], commands: readonly CommandEntry[]): string {
  if (name === 'help') return `      _adfa_words '${commands.map(command => command.name).join(' ')}'\n`
  const [first] = args
  if (first === undefined) return "      _adfa_words ''\n"
  return first.choices.length === 0
    ? ''
    : `      if [[ $COMP_CWORD -eq 2 ]]; then _adfa_words '${first.choices.join(' ')}'; fi\n`
}

function zshScript(commands: readonly CommandEntry[]): string {
  const names = commands.map(({name, summary}) => single(`${name}:${summary}`))
  const cases = commands.map(({name, options, args}) => {
    const specs = options.flatMap(option => flagsOf(option).map(flag => zshOption(flag, option)))
    const places = name === 'help' ? [single('1:command:_adfa_commands')] : args.map(zshArgument)
    return `        ${name}) _arguments ${[...specs, ...places].map(spec => `\\\n          ${spec}`).join(' ')} ;;\n`
  })
  return `#compdef adfa
# zsh completion for adfa
_adfa_commands() {
  local -a names
  names=(${names.map(text => `\n    ${text}`).join('')}
  )
  _describe -t commands 'adfa command' names
}
_adfa() {
  local curcontext=$curcontext state line
  _arguments -C '--help[show help]' '--version[show the version]' '1:command:_adfa_commands' '*::argument:->arguments'
  case $state in
    arguments)
      case $line[1] in
${cases.join('')}      esac ;;
  esac
}
if [[ $funcstack[1] == _adfa ]]; then _adfa "$@"; else compdef _adfa adfa; fi
`
}

function zshOption(flag: string, {value, text, flags}: OptionEntry): string {
  // Options may be repeated where they take several values.
  const isRepeated = flags.includes('...')
  const note = `[${brief(text).replaceAll(/[[\]:]/g, letter => `\\${letter}`)}]`
  return single(
    `${isRepeated ? '*' : ''}${flag}${value !== undefined && flag.startsWith('--') ? '=' : ''}${note}${value === undefined ? '' : zshValue(value)}`
  )
}

function zshValue({name, choices, files}: ValueKind): string {
  const action =
    choices.length > 0 ? `(${choices.join(' ')})` : {files: '_files', folders: '_files -/', none: ' '}[files]
  return `:${name.replaceAll(':', '\\:')}:${action}`
}

function zshArgument(argument: CommandEntry['args'][number], at: number): string {
  return single(`${argument.isRepeated ? '*' : at + 1}${zshValue(argument)}`)
}

function fishScript(commands: readonly CommandEntry[]): string {
  const lines = [
    '# fish completion for adfa',
    'complete -c adfa -f',
    ...commands.map(
      ({name, summary}) => `complete -c adfa -n __fish_use_subcommand -a ${name} -d ${fishText(summary)}`
    ),
    ...commands.flatMap(({name, options, args}) => {
      const here = `complete -c adfa -n '__fish_seen_subcommand_from ${name}'`
      return [
        ...options.map(
          ({short, long, text, value}) =>
            `${here} -l ${long.slice(2)}${short === undefined ? '' : ` -s ${short.slice(1)}`}${value === undefined ? '' : ` ${fishValue(value)}`} -d ${fishText(brief(text))}`
        ),
        ...args.slice(0, 1).map(argument => `${here} ${fishValue(argument).replace('-x ', '').replace('-r ', '')}`),
        ...(name === 'help' ? [`${here} -a '${commands.map(command => command.name).join(' ')}'`] : [])
      ]
    })
  ]
  return `${lines.join('\n')}\n`
}

function fishValue({choices, files}: ValueKind): string {
  if (choices.length > 0) return `-x -a '${choices.join(' ')}'`
  return {files: '-r -F', folders: "-x -a '(__fish_complete_directories)'", none: '-x'}[files]
}

function fishText(text: string): string {
  return `'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`
}
