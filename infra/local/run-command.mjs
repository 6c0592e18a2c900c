import { LauncherError } from './report.mjs';

/**
 * Returns the only argument of a command. With no argument or several, prints the usage and ends the process.
 * @param {string} usage
 */
export function readOneFolder(usage) {
  const [folder, ...rest] = process.argv.slice(2).filter((arg) => arg !== '--');
  if (folder !== undefined && rest.length === 0 && !folder.startsWith('-')) return folder;
  console.error(usage);
  return process.exit(2);
}

/**
 * Runs a command for the person at the terminal. Expected errors are printed without a stack.
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
