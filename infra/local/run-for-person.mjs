import { LauncherError } from './report.mjs';

/**
 * The one argument of a command; ends the process with how to call it when there are none or more.
 * @param {string} usage
 */
export function readOneFolder(usage) {
  const [folder, ...rest] = process.argv.slice(2).filter((arg) => arg !== '--');
  if (folder !== undefined && rest.length === 0 && !folder.startsWith('-')) return folder;
  console.error(usage);
  return process.exit(2);
}

/**
 * Runs a command for the person at the terminal: what goes wrong on purpose is told without a stack.
 * @param {() => Promise<void>} command
 */
export async function runForPerson(command) {
  try {
    await command();
  } catch (err) {
    if (!(err instanceof LauncherError)) throw err;
    console.error([err.message, err.hint].filter(Boolean).join('\n'));
    process.exit(1);
  }
}
