import { GLOBAL_OPTIONS } from './command.js';
import { COMMANDS } from './commands.js';

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
