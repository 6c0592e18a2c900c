import { existsSync } from 'node:fs';
import { beginKeyRotation, listInstallationPaths } from './installation.mjs';
import { acquireLock } from './lock-file.mjs';
import { defaultDataDir } from './paths.mjs';
import { LauncherError } from './report.mjs';
import { runForPerson } from './run-for-person.mjs';

/**
 * Runs `pnpm run rotate-master-key`, which creates a new master key for the stopped installation in the data
 * folder.
 */

await runForPerson(async () => {
  const paths = listInstallationPaths(defaultDataDir());
  if (!existsSync(paths.secrets)) throw new LauncherError(`There is no installation in ${paths.dataDir}.`, { hint: 'ROWHOUSE_DATA_DIR names another folder.' });
  const lock = await acquireLock(paths.lock);
  if (!lock.held) throw new LauncherError(`Rowhouse runs on ${paths.dataDir} (process ${lock.holder.pid}).`, { hint: 'Stop it first: its processes know the key of now alone.' });
  try {
    beginKeyRotation(paths);
  } finally {
    lock.release();
  }
  console.log(`There is a new master key in ${paths.secrets}, and the one before beside it.\nThe next start seals every secret anew, in batches, and then drops the one before. Killed in between, the start after it goes on.`);
});
