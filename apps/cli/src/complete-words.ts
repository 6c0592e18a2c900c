import { GLOBAL_OPTIONS } from './command.js';
import { COMMANDS } from './commands.js';

/** Returns the completions of the last word. */
export function completeWords(words: readonly string[]): string[] {
  const begun = words.at(-1) ?? '';
  const before = words.slice(0, -1);
  const named = before.filter((word) => !word.startsWith('-'));
  const command = COMMANDS.find((one) => one.name === named.slice(0, 2).join(' ')) ?? COMMANDS.find((one) => one.name === named[0]);
  if (begun.startsWith('-')) {
    const options = { ...command?.options, ...GLOBAL_OPTIONS };
    return Object.keys(options).map((name) => `--${name}`).filter((option) => option.startsWith(begun) && !before.includes(option)).sort();
  }
  const next = COMMANDS.map((one) => one.name.split(' ')).filter((parts) => named.every((word, at) => parts[at] === word) && parts.length > named.length).map((parts) => parts[named.length] ?? '');
  return [...new Set(next)].filter((word) => word.startsWith(begun)).sort();
}
