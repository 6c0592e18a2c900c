// @ts-check
/**
 * Measures how well the rules engine answers questions over schemas that were written together with them:
 * `node bench/questions/run-invented.mjs [--set invented|unseen] [--details file]`.
 *
 * `--details` writes the outcome and the statement of each question to a file.
 * For a sealed set, whose failures must not be read, only the totals over all schemas are printed.
 */
import { writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { openAdminConnection } from '@rowhouse/mysql';
import { createTerminalReport } from '@rowhouse/local/report';
import { startTestServers } from '@rowhouse/test-servers/start-test-servers';
import { judgeInvented } from './judge-invented.mjs';
import { sumUp } from './judge.mjs';
import { openReader } from './databases/load-databases.mjs';
import { WRITTEN } from './written-sets.mjs';

const { values } = parseArgs({
  options: { set: { type: 'string', default: 'invented' }, details: { type: 'string' } },
});
if (values.set !== 'invented' && values.set !== 'unseen')
  throw new Error(`--set must be one of ${Object.keys(WRITTEN).join(', ')}`);
const { schemas, isSealed } = WRITTEN[values.set];
if (isSealed && values.details !== undefined)
  throw new Error(
    `--details is not available for ${values.set}: its failures must not be read (bench/questions/README.md)`,
  );
const { servers, stop } = await startTestServers({ report: createTerminalReport() });
try {
  const connection = await openAdminConnection(servers.mysql);
  const reader = await openReader(servers.mysql);
  const judged = [];
  for (const schema of schemas)
    judged.push({ name: schema.name, verdicts: await judgeInvented(connection, reader, schema) });
  await reader.end();
  await connection.close();
  const verdicts = judged.flatMap((entry) => entry.verdicts);
  console.table([
    ...(isSealed ? [] : judged.map((entry) => ({ set: entry.name, ...sumUp(entry.verdicts) }))),
    { set: 'all', ...sumUp(verdicts) },
  ]);
  if (values.details !== undefined)
    writeFileSync(values.details, verdicts.map((verdict) => Object.values(verdict).join('\t')).join('\n'));
} finally {
  await stop();
}
