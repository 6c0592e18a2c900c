import { resolve } from 'node:path';
import { writeBackup } from './backup-folder.mjs';
import { listInstallationPaths, readState } from './installation.mjs';
import { defaultDataDir } from './paths.mjs';
import { PNPM } from './report.mjs';
import { readOneFolder, runForPerson } from './run-for-person.mjs';

/** Runs `pnpm run backup <folder>`, which copies the stopped installation in the data folder. */
await runForPerson(async () => {
  const target = resolve(readOneFolder(`${PNPM} run backup <folder that is not there yet>`));
  const { files } = await writeBackup(defaultDataDir(), target);
  const { hasPlatform } = /** @type {import('./installation.mjs').InstallationState} */ (readState(listInstallationPaths(defaultDataDir())));
  const has = (/** @type {string} */ folder) => files.some(({ path }) => path.startsWith(`${folder}/`));
  const megabytes = files.reduce((sum, file) => sum + file.bytes, 0) / 1e6;
  console.log(`${files.length} files, ${megabytes.toFixed(0)} MB, in ${target}.\nIt holds the secrets too: whoever has it can read everything. Restore it with: ROWHOUSE_DATA_DIR=<new folder> ${PNPM} run restore ${target}`);
  if (!has('mysql')) console.log("Tenants' databases are not in it: they are on the server of MYSQL_URL. Back that server up at the same moment.");
  if (hasPlatform === true && !has('platform')) console.log('The platform database is not in it: it is on the server of PLATFORM_MYSQL_URL. Back that server up at the same moment.');
});
