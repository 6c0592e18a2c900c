import { runAdminCommand } from './data-folder/run-admin-command.mjs';

/**
 * Runs `pnpm run verify-audit [--head <hex>]`, which checks that no event of the audit log has been changed.
 */

const args = process.argv.slice(2).filter((arg) => arg !== '--');
const { status, stdout, stderr } = runAdminCommand('verify-audit', args);
if (stdout === '') {
  console.error(stderr.trim());
  process.exit(2);
}
const { events, unchained, faults, head } = JSON.parse(stdout);
console.log(
  `${events} events, each linked to the previous one${unchained > 0 ? `; ${unchained} older events have no link` : ''}.`,
);
for (const fault of faults) console.log(`FAULT ${fault}`);
console.log(
  faults.length === 0
    ? `The log is complete. Save this head elsewhere, and pass it next time with --head: ${head}`
    : 'The log has been changed.',
);
process.exitCode = status ?? 1;
