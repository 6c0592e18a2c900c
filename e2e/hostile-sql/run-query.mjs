// @ts-check
import { setTimeout as sleep } from 'node:timers/promises';
import { fillNames } from './make-statements.mjs';
import { send } from '../support/http.mjs';

/**
 * @typedef {{ index: number, className: string, sql: string, answer: string, faults: string[] }} Finding
 * @typedef {object} QueryResult
 * @property {number} sent
 * @property {number} looks the number of checks of rows and locks
 * @property {Record<string, number>} byStatus
 * @property {Record<string, number>} byCode
 * @property {number} accepted
 * @property {number} slowestMs of a statement on the server
 * @property {Finding[]} findings
 */

const CHECK_EVERY = 20;
const ROWS_MAX = 1_000;
/**
 * The limit on the server. It tests whether a limit can be bypassed, not how soon it applies, which the
 * query-bombs suite tests. The current latency of the machine is measured at the same time.
 */
const STATEMENT_MS_MAX = 10_000 + 1_000;
/** The limit for the caller: the queue, a session, three attempts of a model, and a large body. */
const ANSWER_MS_MAX = 30_000;
/** The codes for a statement that had to be stopped, or for which there was no capacity. */
const LIMIT_CODES = new Set([
  'query.timeout',
  'limit.query_cost',
  'limit.response_size',
  'limit.concurrency',
  'limit.busy',
  'llm.bad_output',
  'llm.truncated',
  'llm.refused',
]);

/**
 * Sends the statements through `/query`. Each target runs its share one after the other.
 * @param {object} options
 * @param {readonly import('./prepare-tenants.mjs').Target[]} options.targets
 * @param {readonly import('./make-statements.mjs').Hostile[]} options.statements
 * @param {'key' | 'writer'} [options.by] which key to use; the writer may change its own rows
 * @param {(statement: import('./make-statements.mjs').Hostile, sql: string) => Record<string, unknown>} [options.toBody]
 *   builds the request body of a statement
 * @returns {Promise<QueryResult>}
 */
export async function runThroughQuery({
  targets,
  statements,
  by = 'key',
  toBody = (_one, sql) => ({ query: sql, mode: 'sql' }),
}) {
  /** @type {QueryResult} */
  const result = { sent: 0, looks: 0, byStatus: {}, byCode: {}, accepted: 0, slowestMs: 0, findings: [] };
  const latencyWatch = watchLatency(targets);
  await Promise.all(
    targets.map(async (target, targetIndex) => {
      const own = statements.filter((_, index) => index % targets.length === targetIndex);
      const rows = await inspect(target, by);
      /** @type {{ finding: Finding, sql: string }[]} */
      let unproved = [];
      for (const [index, statement] of own.entries()) {
        const sql = fillNames(statement.sql, target.names);
        const finding = await sendOne(
          target,
          statement,
          sql,
          by,
          toBody(statement, sql),
          result,
          latencyWatch,
        );
        if (finding.faults.length > 0) result.findings.push(finding);
        unproved.push({ finding, sql });
        if ((index + 1) % CHECK_EVERY !== 0 && index + 1 < own.length) continue;
        result.looks += 1;
        const traces = await target.findTraces(unproved.map((item) => item.sql));
        const isChanged = (await inspect(target, by)) !== rows;
        const faults = [
          ...(isChanged ? ['one of these changed rows'] : []),
          ...(traces.length > 0 ? [`one of these left ${traces.join(', ')}`] : []),
        ];
        if (faults.length > 0)
          result.findings.push({
            index: statement.index,
            className: '',
            sql: unproved.map((item) => item.sql).join('\n'),
            answer: '',
            faults,
          });
        if (isChanged) break;
        unproved = [];
      }
    }),
  );
  await latencyWatch.stop();
  result.findings.sort((a, b) => a.index - b.index);
  return result;
}

/**
 * Measures the current latency of this machine, by reading a record by its key again and again while the
 * statements run.
 * @typedef {{ slowestSince: (sinceMs: number) => number, stop: () => Promise<void> }} LatencyWatch
 * @param {readonly import('./prepare-tenants.mjs').Target[]} targets
 * @returns {LatencyWatch}
 */
function watchLatency(targets) {
  const [target] = targets;
  /** @type {{ endMs: number, tookMs: number }[]} */
  const seen = [];
  let isFinished = target === undefined;
  const watching = (async () => {
    while (!isFinished && target !== undefined) {
      const startedMs = performance.now();
      await send(target.base, 'GET', '/v1/-/tags/1', {
        headers: { Authorization: `Bearer ${target.key}` },
        timeoutMs: 60_000,
      });
      seen.push({ endMs: performance.now(), tookMs: performance.now() - startedMs });
      await sleep(200);
    }
  })();
  return {
    slowestSince: (sinceMs) =>
      Math.max(
        0,
        ...seen
          .slice(-500)
          .filter((item) => item.endMs >= sinceMs)
          .map((item) => item.tookMs),
      ),
    async stop() {
      isFinished = true;
      await watching;
    },
  };
}

/** @param {import('./prepare-tenants.mjs').Target} target @param {'key' | 'writer'} by */
function inspect(target, by) {
  return by === 'writer' ? target.checksumOthers() : target.checksum();
}

/**
 * @param {import('./prepare-tenants.mjs').Target} target
 * @param {import('./make-statements.mjs').Hostile} statement
 * @param {string} sql
 * @param {'key' | 'writer'} by
 * @param {Record<string, unknown>} body
 * @param {QueryResult} result
 * @param {LatencyWatch} latencyWatch
 * @returns {Promise<Finding>}
 */
async function sendOne(target, statement, sql, by, body, result, latencyWatch) {
  const startedMs = performance.now();
  const response = await sendUntilJudged(target, by, body);
  const elapsedMs = response.headMs ?? performance.now() - startedMs;
  const readMs = latencyWatch.slowestSince(startedMs);
  const statementMs = target.longestSince(startedMs);
  result.sent += 1;
  result.slowestMs = Math.max(result.slowestMs, Math.round(statementMs));
  result.byStatus[response.status] = (result.byStatus[response.status] ?? 0) + 1;
  const code = response.status >= 400 ? String(response.json?.code) : '';
  if (code !== '') result.byCode[code] = (result.byCode[code] ?? 0) + 1;
  else result.accepted += 1;
  return {
    index: statement.index,
    className: statement.className,
    sql,
    answer: `${response.status} ${response.text.slice(0, 300)}`,
    faults: judge(target, sql, response, code, {
      statementMs: statementMs - readMs,
      answerMs: elapsedMs - readMs,
    }),
  };
}

const ATTEMPTS_MAX = 5;

/**
 * Sends a request again after 503. A gateway that was overloaded returns 503 before it checks the statement.
 * @param {import('./prepare-tenants.mjs').Target} target
 * @param {'key' | 'writer'} by
 * @param {Record<string, unknown>} body
 */
async function sendUntilJudged(target, by, body) {
  for (let iteration = 1; ; iteration += 1) {
    const response = await send(target.base, 'POST', '/v1/-/query', {
      headers: { Authorization: `Bearer ${target[by]}`, 'Content-Type': 'application/json' },
      body,
      timeoutMs: 60_000,
    });
    if (response.status !== 503 || response.json?.code !== 'db.schema_changing' || iteration === ATTEMPTS_MAX)
      return response;
    await sleep(1_000 * Number(response.headers['retry-after'] ?? 1));
  }
}

/**
 * @param {import('./prepare-tenants.mjs').Target} target
 * @param {string} sql
 * @param {import('../support/http.mjs').HttpResponse} response
 * @param {string} code
 * @param {{ statementMs: number, answerMs: number }} took
 */
function judge(target, sql, response, code, took) {
  /** @type {string[]} */
  const faults = [];
  const all = `${response.text}\n${JSON.stringify(response.headers)}`;
  for (const canary of target.canaries)
    if (all.includes(canary)) faults.push("holds a row that is not the key's");
  for (const message of target.reported)
    if (
      all.toLowerCase().includes(message.toLowerCase()) &&
      !sql.toLowerCase().includes(message.toLowerCase())
    )
      faults.push('tells of the server');
  if (/\b(?:SQLSTATE|mysql_errno|You have an error in your SQL)\b/.test(response.text))
    faults.push('holds text of the database');
  const rows = Array.isArray(response.json) ? response.json : response.json?.data;
  if (response.status === 200 && Array.isArray(rows) && rows.length > ROWS_MAX)
    faults.push('escapes the limit of rows');
  if (took.statementMs > STATEMENT_MS_MAX) faults.push(`took the server ${Math.round(took.statementMs)} ms`);
  if (took.answerMs > ANSWER_MS_MAX) faults.push(`took ${Math.round(took.answerMs)} ms`);
  if (response.status >= 500 && !LIMIT_CODES.has(code)) faults.push(`is a ${response.status}`);
  return faults;
}
