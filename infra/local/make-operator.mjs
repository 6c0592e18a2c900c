import { PNPM } from './report.mjs';
import { runAdminCommand } from './data-folder/run-admin-command.mjs';

/**
 * Runs `pnpm run make-operator <e-mail> [--undo]`, which lets an account of the running installation use
 * `/api/admin`.
 */

const args = process.argv.slice(2).filter((arg) => arg !== '--');
const [email, ...rest] = args.filter((arg) => arg !== '--undo');
if (email === undefined || rest.length > 0) {
  console.error(`${PNPM} run make-operator <email of an account> [--undo]`);
  process.exit(2);
}
const { status, stdout, stderr } = runAdminCommand('make-operator', [
  '--email',
  email,
  ...(args.includes('--undo') ? ['--undo'] : []),
]);
if (status === 0) {
  const created = JSON.parse(stdout);
  console.log(
    `${created.email} ${created.is_operator ? 'can use /api/admin now' : 'is no longer an operator'}.`,
  );
} else {
  console.error(stderr.trim());
  process.exit(1);
}
