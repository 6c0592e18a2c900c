import { resolve } from 'node:path';
import { restoreBackup } from './backup-folder.mjs';
import { defaultDataDir } from './paths.mjs';
import { PNPM } from './report.mjs';
import { readOneFolder, runForPerson } from './run-for-person.mjs';

/**
 * Runs `pnpm run restore <backup>`, which copies a backup into the data folder. The folder must be empty or
 * missing.
 */
await runForPerson(async () => {
  const { files, version, made_at: madeAt } = await restoreBackup(resolve(readOneFolder(`${PNPM} run restore <folder of a backup>`)), defaultDataDir());
  console.log(`${files.length} files of ${madeAt} (version ${version}) lie in ${defaultDataDir()}, each compared with what was backed up. Start Rowhouse there, which updates the platform tables where they are older: ROWHOUSE_DATA_DIR=${defaultDataDir()} ${PNPM} start`);
});
