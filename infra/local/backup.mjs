import { resolve } from 'node:path';
import { writeBackup } from './backup-folder.mjs';
import { defaultDataDir } from './paths.mjs';
import { PNPM } from './report.mjs';
import { readOneFolder, runForPerson } from './run-for-person.mjs';

/** `pnpm run backup <folder>`: a copy of the stopped installation in the data folder. */
await runForPerson(async () => {
  const target = resolve(readOneFolder(`${PNPM} run backup <folder that is not there yet>`));
  const { files } = await writeBackup(defaultDataDir(), target);
  const megabytes = files.reduce((sum, file) => sum + file.bytes, 0) / 1e6;
  console.log(`${files.length} files, ${megabytes.toFixed(0)} MB, in ${target}.\nIt holds the secrets too: whoever has it can read everything. Restore it with: ROWHOUSE_DATA_DIR=<new folder> ${PNPM} run restore ${target}`);
});
