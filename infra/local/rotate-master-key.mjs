import { existsSync } from 'node:fs';
import { beginKeyRotation, listInstallationPaths } from './data-folder/installation.mjs';
import { acquireLock } from './processes/lock-file.mjs';
import { defaultDataDir } from './paths.mjs';
import { LauncherError } from './report.mjs';
import { runForPerson } from './run-command.mjs';

/**
 * Runs `pnpm run rotate-master-key`, which creates a new master key for the stopped installation in the data
 * folder.
 */

await runForPerson(async () => {
  const paths = listInstallationPaths(defaultDataDir());
  if (!existsSync(paths.secrets))
    throw new LauncherError(`There is no installation in ${paths.dataDir}.`, {
      hint: 'Set ROWHOUSE_DATA_DIR to the folder of the installation.',
    });
  const lock = await acquireLock(paths.lock);
  if (!lock.held)
    throw new LauncherError(`Rowhouse is running on ${paths.dataDir} (process ${lock.holder.pid}).`, {
      hint: 'Stop it first. Its processes only have the current key.',
    });
  try {
    beginKeyRotation(paths);
  } finally {
    lock.release();
  }
  console.log(
    `${paths.secrets} now contains a new master key and the previous one.\nThe next start re-encrypts every secret in batches, and then drops the previous key. If it is interrupted, the start after it continues.`,
  );
});
