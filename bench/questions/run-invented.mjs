// @ts-check
/**
 * `node bench/questions/run-invented.mjs [--details file]`: how well the rules engine answers questions over the invented schemas. `--details`
 * writes what became of each question, and the statement that it was answered with.
 */
import { writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { openAdminConnection } from '@rowhouse/mysql';
import { createTerminalReport } from '@rowhouse/local/report';
import { startTestServers } from '@rowhouse/local/start-test-servers';
import { INVENTED } from './invented/all.mjs';
import { judgeInvented } from './judge-invented.mjs';
import { sumUp } from './judge.mjs';
import { openReader } from './load-databases.mjs';

const { values } = parseArgs({ options: { details: { type: 'string' } } });
const { servers, stop } = await startTestServers({ report: createTerminalReport() });
try {
  const connection = await openAdminConnection(servers.mysql);
  const reader = await openReader(servers.mysql);
  /** @type {import('./judge.mjs').Verdict[]} */
  const verdicts = [];
  for (const set of INVENTED) verdicts.push(...await judgeInvented(connection, reader, set));
  await reader.end();
  await connection.close();
  console.table([...INVENTED.map(({ name }, at) => ({ set: name, ...sumUp(verdicts.filter(({ database }) => database === `q_invented_${(INVENTED[at]?.name ?? '').replaceAll(' ', '_')}`)) })), { set: 'all', ...sumUp(verdicts) }]);
  if (values.details !== undefined) writeFileSync(values.details, verdicts.map((verdict) => Object.values(verdict).join('\t')).join('\n'));
} finally {
  await stop();
}
