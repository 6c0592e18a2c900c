import { CliError, EXIT } from '../cli-error.js';
import type { Command } from '../command.js';

/**
 * The completion scripts by shell. A script asks the CLI for completions. If it gets none, the shell offers
 * files.
 */
const SCRIPTS: Readonly<Record<string, string>> = {
  bash: `_rowhouse() {
  mapfile -t COMPREPLY < <(rowhouse __complete "\${COMP_WORDS[@]:1:COMP_CWORD}" 2>/dev/null)
}
complete -o default -F _rowhouse rowhouse
`,
  zsh: `#compdef rowhouse
_rowhouse() {
  local -a found
  found=("\${(@f)$(rowhouse __complete "\${words[@]:1:$((CURRENT - 1))}" 2>/dev/null)}")
  compadd -a found
}
compdef _rowhouse rowhouse
`,
  fish: `function __rowhouse_words
  rowhouse __complete (commandline -opc)[2..-1] (commandline -ct) 2>/dev/null
end
complete -c rowhouse -f -n 'count (__rowhouse_words) >/dev/null' -a '(__rowhouse_words)'
`,
};

export const completionCommand: Command = {
  name: 'completion',
  about: 'Print a completion script for your shell',
  args: 'bash|zsh|fish',
  argsMin: 1,
  examples: [
    'rowhouse completion bash > ~/.local/share/bash-completion/completions/rowhouse',
    'source <(rowhouse completion zsh)',
    'rowhouse completion fish > ~/.config/fish/completions/rowhouse.fish',
  ],
  run: (ctx) => {
    const [shell = ''] = ctx.args;
    const script = SCRIPTS[shell];
    if (script === undefined)
      return Promise.reject(
        new CliError(`Unknown shell ${shell}.`, {
          exitCode: EXIT.usage,
          next: 'choose one of: bash, zsh, fish',
        }),
      );
    ctx.output.result({ shell, script }, () => ctx.output.raw(script));
    return Promise.resolve();
  },
};
