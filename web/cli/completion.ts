// SPDX-License-Identifier: MIT
// Programs for shells that complete the arguments of the command.
import { type Command, optionsOf } from './command.js';

type Commands = readonly Command[];

/** All names of the options of a command: `--input`, `-i`. */
const flagsOf = (command: Command): string[] =>
  Object.entries(optionsOf(command)).flatMap(([name, { short }]) =>
    short ? [`--${name}`, `-${short}`] : [`--${name}`],
  );

const bash = (commands: Commands): string => `_maskflow() {
  local current=\${COMP_WORDS[COMP_CWORD]} words=
  if [ "$COMP_CWORD" -eq 1 ]; then
    words='${[...commands.map(({ name }) => name), 'help', '--help', '--version'].join(' ')}'
  else
    case \${COMP_WORDS[1]} in
${commands.map((command) => `      ${command.name}) words='${flagsOf(command).join(' ')}' ;;`).join('\n')}
      help) words='${commands.map(({ name }) => name).join(' ')}' ;;
    esac
  fi
  if [ "$COMP_CWORD" -eq 1 ] || [ "\${COMP_WORDS[1]}" = help ] || [ "\${current#-}" != "$current" ]; then
    COMPREPLY=($(compgen -W "$words" -- "$current"))
  else
    COMPREPLY=($(compgen -f -- "$current"))
  fi
}
complete -o filenames -F _maskflow maskflow`;

/** Text in single quotes, as an item of a list whose separator is a colon. */
const zshItem = (name: string, help: string): string =>
  `'${name}:${help.replaceAll("'", "'\\''").replaceAll(':', '\\:')}'`;

const kHelp = 'shows the help of a command';

const zsh = (commands: Commands): string => `#compdef maskflow
_maskflow() {
  local -a items
  if (( CURRENT == 2 )) || [[ $words[2] == help ]]; then
    items=(${commands.map(({ name, summary }) => zshItem(name, summary)).join(' ')})
    if (( CURRENT == 2 )); then items+=(${zshItem('help', kHelp)}); fi
    _describe command items
    return
  fi
  case $words[2] in
${commands
  .map((command) => {
    const options = Object.entries(optionsOf(command));
    return `    ${command.name}) items=(${options.map(([name, { help }]) => zshItem(`--${name}`, help)).join(' ')}) ;;`;
  })
  .join('\n')}
  esac
  if [[ $words[CURRENT] == -* ]]; then _describe option items; else _files; fi
}
compdef _maskflow maskflow`;

const fishText = (text: string): string => `'${text.replaceAll(/['\\]/g, '\\$&')}'`;

const fish = (commands: Commands): string =>
  [
    `complete -c maskflow -n __fish_use_subcommand -a help -d ${fishText(kHelp)}`,
    ...commands.flatMap((command) => {
      const seen = `__fish_seen_subcommand_from ${command.name}`;
      return [
        `complete -c maskflow -n __fish_use_subcommand -a ${command.name} -d ${fishText(command.summary)}`,
        `complete -c maskflow -n '__fish_seen_subcommand_from help' -f -a ${command.name}`,
        ...Object.entries(optionsOf(command)).map(
          ([name, { short, value, help }]) =>
            `complete -c maskflow -n '${seen}' -l ${name}${short ? ` -s ${short}` : ''}${value ? ' -r' : ''} -d ${fishText(help)}`,
        ),
      ];
    }),
  ].join('\n');

export const shells = { bash, zsh, fish } as const;
