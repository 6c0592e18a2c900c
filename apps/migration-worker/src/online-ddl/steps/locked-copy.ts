import type { LockedCopyDetails } from '@rowhouse/ddl-plan';
import { withCarryMode } from '@rowhouse/mysql';
import type { DdlStep } from '@rowhouse/platform-store';
import { CHECKS_OFF_SQL, CHECKS_ON_SQL, COPY_ALGORITHM, isAlter, withClause } from './algorithm-fallback.js';
import { runCreateStep } from './run-create-step.js';
import { fingerprintNow, type Run } from '../run-state.js';
import { sendDdl } from '../locks/send-ddl.js';

/**
 * Copies a table while writes to it wait, which the user confirmed at the deploy. This is the least intrusive
 * way, because the table's rows cannot be identified. Each statement is atomic. If the table has changed
 * since a statement was sent, an earlier worker has completed it.
 */
export async function lockedCopy(run: Run, step: DdlStep, details: LockedCopyDetails): Promise<void> {
  await runCreateStep(run, step, 'locked_copy', async () => {
    const stored = step.checkpoint.script;
    await run.connection.run(CHECKS_OFF_SQL[run.server.engine]);
    try {
      for (const [index, sql] of details.script.entries()) {
        if (stored !== undefined && index < stored.at) continue;
        const table = readTableName(sql) ?? step.table;
        const before = await fingerprintNow(run, table);
        if (stored?.at === index && stored.before !== before) continue;
        await run.ctx.steps.checkpoint(run.migration, step.ordinal, {
          ...step.checkpoint,
          script: { at: index, before },
        });
        run.ctx.failPoint('locked-copy-statement');
        // Adding or dropping a foreign key needs no copy, and ALGORITHM=COPY would make it slow.
        const isCopy = isAlter(sql) && !/ (DROP|ADD CONSTRAINT `(?:[^`]|``)+`) FOREIGN KEY /.test(sql);
        await withCarryMode(run.connection, () =>
          sendDdl(run, isCopy ? withClause(sql, COPY_ALGORITHM) : sql, [table]),
        );
      }
    } finally {
      if (!run.connection.isLost()) await run.connection.run(CHECKS_ON_SQL[run.server.engine]);
    }
  });
}

function readTableName(sql: string): string | null {
  const match = /^ALTER TABLE `((?:[^`]|``)+)`/.exec(sql);
  return match === null ? null : (match[1] ?? '').replaceAll('``', '`');
}
