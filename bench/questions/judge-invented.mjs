// @ts-check
import { introspectSchema } from '@rowhouse/mysql';
import { answerQuestion, buildLexicon } from '@rowhouse/nl-engine';
import { nameSnapshot } from '@rowhouse/schema-model';
import { isRight } from './judge.mjs';
import { loadWritten, readColumnValues, runQuery } from './databases/load-databases.mjs';

/** The current day of these questions. */
const TODAY = '2026-11-21';

/**
 * Asks every question of a set over a temporary database for its schema.
 * @param {import('@rowhouse/mysql').AdminConnection} connection
 * @param {import('mysql2/promise').Connection} reader runs the queries
 * @param {import('./invented/rows.mjs').InventedSet} set
 * @returns {Promise<import('./judge.mjs').Verdict[]>}
 * @throws {Error} when the server rejects a gold query, or one finds no rows
 */
export async function judgeInvented(connection, reader, set) {
  const database = await loadWritten(connection, set);
  const snapshot = nameSnapshot(
    { engine: 'mariadb', tables: await introspectSchema(connection, database, 'mariadb') },
    null,
  );
  const lexicon = buildLexicon({
    snapshot,
    values: await readColumnValues(connection, snapshot),
    synonyms: [],
  });
  /** @type {import('./judge.mjs').Verdict[]} */
  const verdicts = [];
  for (const [question, ...golds] of set.questions) {
    const fromMs = performance.now();
    const outcome = answerQuestion({ question, today: TODAY }, lexicon);
    const base = {
      isHeldOut: false,
      wording: /** @type {const} */ ('question'),
      database,
      question,
      gold: golds[0] ?? '',
      elapsedMs: performance.now() - fromMs,
    };
    const matches = [];
    for (const goldSql of golds) {
      const gold = await runQuery(reader, database, goldSql);
      if (gold === null || gold.length === 0)
        throw new Error(`${gold === null ? 'rejected' : 'empty'}: ${goldSql}`);
      if (outcome.kind === 'answer')
        matches.push(await isRight(reader, database, { goldSql, gold }, outcome));
    }
    if (outcome.kind === 'answer')
      verdicts.push({ finding: matches.includes(true) ? 'right' : 'wrong', ...base, sql: outcome.sql });
    else verdicts.push({ finding: outcome.kind, ...base, sql: '' });
  }
  await connection.run(`DROP DATABASE \`${database}\``);
  return verdicts;
}
