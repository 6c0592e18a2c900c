import { GLOBAL_OPTIONS, type Command, type OptionSpec } from './command.js';
import { EXIT } from './cli-error.js';

/** Returns the help for all commands, or for those of one group. */
export function showHelp(commands: readonly Command[], group: string | undefined): string {
  const visible =
    group === undefined
      ? commands
      : commands.filter((command) => command.name === group || command.name.startsWith(`${group} `));
  const width = Math.max(...visible.map((command) => command.name.length));
  const codes = `Exit codes: ${EXIT.ok} success, ${EXIT.failed} failure, ${EXIT.usage} invalid usage, ${EXIT.signedOut} not signed in, ${EXIT.differs} differences found, ${EXIT.unreachable} server unreachable.`;
  return [
    `Usage: rowhouse ${group === undefined ? 'COMMAND' : `${group} COMMAND`} [OPTIONS]`,
    '',
    ...visible.map((command) => `  ${command.name.padEnd(width)}  ${command.about}`),
    '',
    'Global options:',
    ...listOptions(GLOBAL_OPTIONS),
    '',
    'Run rowhouse COMMAND --help for details and examples, or rowhouse --version for the version.',
    codes,
    '',
  ].join('\n');
}

export function showCommandHelp(command: Command): string {
  const own = listOptions(command.options ?? {});
  return [
    `Usage: rowhouse ${command.name}${command.args === undefined ? '' : ` ${command.args}`} [OPTIONS]`,
    '',
    command.about,
    '',
    ...(own.length === 0 ? [] : ['Options:', ...own, '']),
    'Global options:',
    ...listOptions(GLOBAL_OPTIONS),
    '',
    ...(command.notes === undefined ? [] : [command.notes, '']),
    'Examples:',
    ...command.examples.map((example) => `  ${example}`),
    '',
  ].join('\n');
}

function listOptions(options: Readonly<Record<string, OptionSpec>>): string[] {
  const heads = Object.entries(options).map(
    ([name, { short, value }]) =>
      `  ${short === undefined ? '    ' : `-${short}, `}--${name}${value === undefined ? '' : ` ${value}`}`,
  );
  const width = Math.max(0, ...heads.map((head) => head.length));
  return Object.values(options).map(({ about }, index) => `${(heads[index] ?? '').padEnd(width)}  ${about}`);
}
