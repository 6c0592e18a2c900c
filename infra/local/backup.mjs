import { resolve } from 'node:path';
import { writeBackup } from './data-folder/backup-folder.mjs';
import { listInstallationPaths, readState } from './data-folder/installation.mjs';
import { defaultDataDir } from './paths.mjs';
import { PNPM } from './report.mjs';
import { readOneFolder, runForPerson } from './run-command.mjs';

/** Runs `pnpm run backup <folder>`, which copies the stopped installation in the data folder. */
await runForPerson(async () => {
  const target = resolve(readOneFolder(`${PNPM} run backup <new folder>`));
  const { files } = await writeBackup(defaultDataDir(), target);
  const { hasPlatform } = /** @type {import('./data-folder/installation.mjs').InstallationState} */ (
    readState(listInstallationPaths(defaultDataDir()))
  );
  const has = (/** @type {string} */ folder) => files.some(({ path }) => path.startsWith(`${folder}/`));
  const megabytes = files.reduce((sum, file) => sum + file.bytes, 0) / 1e6;
  console.log(
    `${files.length} files, ${megabytes.toFixed(0)} MB, in ${target}.\nThe backup contains the secrets, so anyone who has it can read all data. Restore it with: ROWHOUSE_DATA_DIR=<new folder> ${PNPM} run restore ${target}`,
  );
  if (!has('mysql'))
    console.log(
      "The backup does not include tenants' databases. Back up the server of MYSQL_URL at the same time.",
    );
  if (hasPlatform === true && !has('platform'))
    console.log(
      'The backup does not include the platform database. Back up the server of PLATFORM_MYSQL_URL as well.',
    );
});
