import { listInstallationPaths } from './data-folder/installation.mjs';
import { readJsonFile, writeJsonFile } from './data-folder/json-file.mjs';
import { defaultDataDir } from './paths.mjs';
import { PNPM } from './report.mjs';
import { runAdminCommand } from './data-folder/run-admin-command.mjs';

/**
 * Runs `pnpm run reset-password <e-mail>`, which sets a new password for an account of the running
 * installation.
 */

const [email, ...rest] = process.argv.slice(2).filter((arg) => arg !== '--');
if (email === undefined || rest.length > 0) {
  console.error(`${PNPM} run reset-password <email of the account>`);
  process.exit(2);
}
const { status, stdout, stderr } = runAdminCommand('reset-password', ['--email', email]);
if (status === 0) {
  const created = JSON.parse(stdout);
  const { demo: file } = listInstallationPaths(defaultDataDir());
  /** @type {import('./product/demo-project.mjs').Demo | null} */
  const demo = readJsonFile(file);
  // The next start prints the new password.
  if (demo?.email === created.email) writeJsonFile(file, { ...demo, password: created.password });
  console.log(
    `New password of ${created.email}: ${created.password}\nIts sessions and access tokens have ended. Its API keys stay valid.`,
  );
} else {
  console.error(stderr.trim());
  process.exit(1);
}
