import { parseArgs } from 'node:util';
import { CliError, EXIT, stopped } from './cli-error.js';
import { GLOBAL_OPTIONS, type Command, type OptionSpec } from './command.js';
import { COMMANDS } from './commands.js';
import { Context } from './context.js';
import { nearestName } from './nearest-name.js';
import { Output, toPrintable } from './output/output.js';
import { showCommandHelp, showHelp } from './show-help.js';
import type { CliEnvironment } from './cli-environment.js';
import { readFileSync } from 'node:fs';

/** Runs a command line. Returns the exit code after all errors have been printed. */
export async function runCli(words: readonly string[], cliEnvironment: CliEnvironment): Promise<number> {
  if (words[0] === '__complete') {
    cliEnvironment.print(
      completeWords(words.slice(1))
        .map((word) => `${word}\n`)
        .join(''),
    );
    return EXIT.ok;
  }
  const isJson = words.includes('--json');
  const isColored =
    cliEnvironment.env['NO_COLOR'] === undefined && (words.includes('--color') || cliEnvironment.isTerminal);
  const output = new Output(cliEnvironment, { isJson, isColored });
  try {
    return await run(words, cliEnvironment, output);
  } catch (err) {
    return reportFailure(err, cliEnvironment, output);
  }
}

/** Returns the index of the command. Global options with their values may precede it. */
function findStart(words: readonly string[]): number {
  for (let index = 0; index < words.length; index += 1) {
    const word = words[index] ?? '';
    const found = Object.entries(GLOBAL_OPTIONS).find(
      ([name, { short }]) =>
        word === `--${name}` ||
        word.startsWith(`--${name}=`) ||
        (short !== undefined && word === `-${short}`),
    );
    if (found === undefined) return index;
    if (found[1].type === 'string' && !word.includes('=')) index += 1;
  }
  return -1;
}

/** The words with which users usually ask for the version. */
const VERSION: ReadonlySet<string> = new Set(['--version', '-V', 'version']);

async function run(
  provided: readonly string[],
  cliEnvironment: CliEnvironment,
  output: Output,
): Promise<number> {
  const start = findStart(provided);
  const words = start === -1 ? provided : [...provided.slice(start), ...provided.slice(0, start)];
  if (VERSION.has(words[0] ?? '')) {
    output.result({ version: readVersion() }, () => output.line(readVersion()));
    return EXIT.ok;
  }
  const { command, rest } = findCommand(words);
  if (command === null) {
    cliEnvironment.print(showTopic(rest.filter((word) => !word.startsWith('-'))));
    return EXIT.ok;
  }
  const options = { ...GLOBAL_OPTIONS, ...command.options };
  const { values, positionals } = parse(rest, options, command);
  if (values['help'] === true) {
    cliEnvironment.print(showCommandHelp(command));
    return EXIT.ok;
  }
  checkCount(command, positionals.length);
  return (await command.run(new Context(cliEnvironment, output, positionals, values))) ?? EXIT.ok;
}

/** Returns the command with the most matching words, or null when help is requested or a group is named. */
function findCommand(words: readonly string[]): { command: Command | null; rest: readonly string[] } {
  const names = words.filter((word) => !word.startsWith('-'));
  for (const length of [2, 1]) {
    const name = words.slice(0, length).join(' ');
    const command = COMMANDS.find((command) => command.name === name && words.length >= length);
    if (command !== undefined) return { command, rest: words.slice(length) };
  }
  const [first] = names;
  if (first === undefined || first === 'help') return { command: null, rest: names.slice(1) };
  if (isGroup(first) && names.length === 1) return { command: null, rest: names };
  throw toUnknown(names);
}

function isGroup(name: string): boolean {
  return COMMANDS.some((command) => command.name.startsWith(`${name} `));
}

/** Handles `rowhouse help`, `help schema` and `help schema import`. */
function showTopic(names: readonly string[]): string {
  const [first] = names;
  const command = [2, 1]
    .map((length) => COMMANDS.find((command) => command.name === names.slice(0, length).join(' ')))
    .find((command) => command !== undefined);
  if (command !== undefined) return showCommandHelp(command);
  if (first !== undefined && (!isGroup(first) || names.length > 1)) throw toUnknown(names);
  return showHelp(COMMANDS, first);
}

function toUnknown(names: readonly string[]): CliError {
  const [first = ''] = names;
  const requested = names.slice(0, 2).join(' ');
  const known = COMMANDS.map((command) => command.name);
  const groups = [
    ...new Set(known.filter((name) => name.includes(' ')).map((name) => name.split(' ')[0] ?? '')),
  ];
  // A verb alone selects a command if only one group has this verb: `deploy` means `schema deploy`.
  const [own, ...others] = known.filter((name) => name.endsWith(` ${first}`));
  const near =
    (others.length === 0 ? own : undefined) ??
    nearestName(requested, known) ??
    nearestName(first, [...known, ...(names.length === 1 ? groups : [])]);
  return new CliError(`Unknown command ${requested}.`, {
    exitCode: EXIT.usage,
    next:
      near === null
        ? 'list all commands with rowhouse help'
        : `did you mean rowhouse ${near}? List all commands with rowhouse help`,
  });
}

function parse(rest: readonly string[], options: Readonly<Record<string, OptionSpec>>, command: Command) {
  const config = Object.fromEntries(
    Object.entries(options).map(([name, { type, short, multiple }]) => [
      name,
      { type, ...(short === undefined ? {} : { short }), ...(multiple === undefined ? {} : { multiple }) },
    ]),
  );
  try {
    return parseArgs({ args: [...rest], options: config, allowPositionals: true, strict: true });
  } catch (err) {
    const provided = /'(-{1,2}[^' ]+)/.exec(err instanceof Error ? err.message : '')?.[1];
    const near =
      provided === undefined ? null : nearestName(provided.replace(/^-+/, ''), Object.keys(options));
    const isUnknown = (err as { code?: string }).code === 'ERR_PARSE_ARGS_UNKNOWN_OPTION';
    throw new CliError(
      isUnknown
        ? `Unknown option ${provided ?? ''} for ${command.name}.`
        : `${(err instanceof Error ? err.message : String(err)).split('. ')[0] ?? ''}.`,
      {
        exitCode: EXIT.usage,
        next:
          near === null || !isUnknown
            ? `see rowhouse ${command.name} --help`
            : `did you mean --${near}? See rowhouse ${command.name} --help`,
      },
    );
  }
}

function checkCount({ name, args = '', argsMin = 0, argsMax = argsMin }: Command, count: number): void {
  if (count >= argsMin && count <= argsMax) return;
  throw new CliError(
    count < argsMin
      ? `Missing argument for ${name}. Expected ${args}.`
      : `Too many arguments for ${name}. Expected ${argsMax === 0 ? 'none' : args}.`,
    { exitCode: EXIT.usage, next: `see rowhouse ${name} --help` },
  );
}

/**
 * Returns the error for a stop by the user, or for a file that cannot be
 * read or written, since these are not bugs. Returns null for other errors.
 */
function toKnown(err: unknown, { stopped: { aborted } }: CliEnvironment): CliError | null {
  if (err instanceof CliError) return err;
  if (aborted) return stopped();
  const { path, code } = (err instanceof Error ? err : {}) as NodeJS.ErrnoException;
  return path === undefined || code === undefined
    ? null
    : new CliError(`Couldn't read or write ${path} (${code}).`, {
        next: 'check that the folder exists and that you have permission',
      });
}

/** Prints an error. Unexpected errors are printed with their stack, since they are bugs. */
function reportFailure(err: unknown, cliEnvironment: CliEnvironment, output: Output): number {
  output.endProgress();
  const known = toKnown(err, cliEnvironment);
  const message = known?.message ?? (err instanceof Error ? (err.stack ?? err.message) : String(err));
  const next = known?.next ?? 'this is a bug in the CLI; please report it with the lines above';
  if (output.isJson)
    cliEnvironment.print(
      `${toPrintable(JSON.stringify({ error: { ...known?.body, message, next } }, null, 2))}\n`,
    );
  else
    cliEnvironment.writeError(
      toPrintable(`${output.style('red', 'error')}: ${message}\n${output.style('dim', ' next')}: ${next}\n`),
    );
  return known?.exitCode ?? EXIT.failed;
}

/** Returns the completions of the last word. */
export function completeWords(words: readonly string[]): string[] {
  const started = words.at(-1) ?? '';
  const before = words.slice(0, -1);
  const named = before.filter((word) => !word.startsWith('-'));
  const command =
    COMMANDS.find((command) => command.name === named.slice(0, 2).join(' ')) ??
    COMMANDS.find((command) => command.name === named[0]);
  if (started.startsWith('-')) {
    const options = { ...command?.options, ...GLOBAL_OPTIONS };
    return Object.keys(options)
      .map((name) => `--${name}`)
      .filter((option) => option.startsWith(started) && !before.includes(option))
      .sort();
  }
  const next = COMMANDS.map((command) => command.name.split(' '))
    .filter((parts) => named.every((word, index) => parts[index] === word) && parts.length > named.length)
    .map((parts) => parts[named.length] ?? '');
  return [...new Set(next)].filter((word) => word.startsWith(started)).sort();
}

/** Returns the version of this package. */
export function readVersion(): string {
  const { version } = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8')) as {
    version: string;
  };
  return version;
}
