import { PNPM } from './report.mjs';
import { runAdminCommand } from './data-folder/run-admin-command.mjs';

/**
 * Runs `pnpm run reset-second-factor <e-mail>`, which turns off two-factor authentication of an account of the
 * running installation.
 */

const [email, ...rest] = process.argv.slice(2).filter((arg) => arg !== '--');
if (email === undefined || rest.length > 0) {
  console.error(`${PNPM} run reset-second-factor <email of the account>`);
  process.exit(2);
}
const { status, stdout, stderr } = runAdminCommand('reset-second-factor', ['--email', email]);
if (status === 0) {
  const changed = JSON.parse(stdout);
  console.log(
    changed.was_on
      ? `Two-factor authentication of ${changed.email} is off. The password alone signs in again.`
      : `Two-factor authentication of ${changed.email} was already off.`,
  );
} else {
  console.error(stderr.trim());
  process.exit(1);
}
