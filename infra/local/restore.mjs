import { resolve } from 'node:path';
import { restoreBackup } from './data-folder/backup-folder.mjs';
import { defaultDataDir } from './paths.mjs';
import { PNPM } from './report.mjs';
import { readOneFolder, runForPerson } from './run-command.mjs';

/**
 * Runs `pnpm run restore <backup>`, which copies a backup into the data folder. The folder must be empty or
 * missing.
 */
await runForPerson(async () => {
  const {
    files,
    version,
    made_at: madeAt,
  } = await restoreBackup(
    resolve(readOneFolder(`${PNPM} run restore <folder of a backup>`)),
    defaultDataDir(),
  );
  console.log(
    `${files.length} files of ${madeAt} (version ${version}) were restored into ${defaultDataDir()} and verified. Start Rowhouse there; it updates older platform tables: ROWHOUSE_DATA_DIR=${defaultDataDir()} ${PNPM} start`,
  );
});
