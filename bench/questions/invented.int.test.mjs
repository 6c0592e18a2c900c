// @ts-check
import { openAdminConnection } from '@rowhouse/mysql';
import { expect, it } from 'vitest';
import { INVENTED } from './invented/all.mjs';
import { judgeInvented } from './judge-invented.mjs';
import { sumUp } from './judge.mjs';
import { openReader } from './databases/load-databases.mjs';

/** The minimum percentage of questions with a correct answer, and of answers that are correct. */
const [CORRECT_MIN_PERCENT, PRECISION_MIN_PERCENT] = [75, 99];

/** @type {import('@rowhouse/test-servers/start-test-servers').TestServers} */
const { engines } = JSON.parse(process.env['ROWHOUSE_TEST_SERVERS'] ?? '{}');
/** The statement time limit of this measurement uses a MariaDB setting. */
const server = engines.find(({ engine }) => engine === 'mariadb');

it.skipIf(server === undefined)(
  'most questions over the invented schemas are answered, and almost no answer is wrong',
  async () => {
    if (server === undefined) throw new Error('no MariaDB');
    const connection = await openAdminConnection(server);
    const reader = await openReader(server);
    /** @type {import('./judge.mjs').Verdict[]} */
    const verdicts = [];
    for (const set of INVENTED) verdicts.push(...(await judgeInvented(connection, reader, set)));
    await reader.end();
    await connection.close();
    const { questions, correctPercent, precisionPercent } = sumUp(verdicts);
    expect(questions).toBe(164);
    expect(correctPercent).toBeGreaterThanOrEqual(CORRECT_MIN_PERCENT);
    expect(
      precisionPercent,
      verdicts
        .filter(({ finding }) => finding === 'wrong')
        .map(({ question, sql }) => `${question}: ${sql}`)
        .join('\n'),
    ).toBeGreaterThanOrEqual(PRECISION_MIN_PERCENT);
  },
);
