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

const LOOK_EVERY = 20;
const ROWS_MAX = 1_000;
/**
 * The limit on the server. It tests whether a limit can be bypassed, not how soon it applies, which the
 * query-bombs suite tests. The current latency of the machine is measured at the same time.
 */
const STATEMENT_MS_MAX = 10_000 + 1_000;
/** The limit for the caller: the queue, a session, three attempts of a model, and a large body. */
const ANSWER_MS_MAX = 30_000;
/** The codes for a statement that had to be stopped, or for which there was no capacity. */
const LIMIT_CODES = new Set(['query.timeout', 'limit.query_cost', 'limit.response_size', 'limit.concurrency', 'limit.busy', 'llm.bad_output', 'llm.truncated', 'llm.refused']);

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
export async function runThroughQuery({ targets, statements, by = 'key', toBody = (_one, sql) => ({ query: sql, mode: 'sql' }) }) {
  /** @type {QueryResult} */
  const result = { sent: 0, looks: 0, byStatus: {}, byCode: {}, accepted: 0, slowestMs: 0, findings: [] };
  const way = watchWay(targets);
  await Promise.all(targets.map(async (target, lane) => {
    const own = statements.filter((_, at) => at % targets.length === lane);
    const rows = await lookAt(target, by);
    /** @type {{ finding: Finding, sql: string }[]} */
    let unproved = [];
    for (const [at, statement] of own.entries()) {
      const sql = fillNames(statement.sql, target.names);
      const finding = await sendOne(target, statement, sql, by, toBody(statement, sql), result, way);
      if (finding.faults.length > 0) result.findings.push(finding);
      unproved.push({ finding, sql });
      if ((at + 1) % LOOK_EVERY !== 0 && at + 1 < own.length) continue;
      result.looks += 1;
      const traces = await target.findTraces(unproved.map((one) => one.sql));
      const isChanged = (await lookAt(target, by)) !== rows;
      const faults = [...(isChanged ? ['one of these changed rows'] : []), ...(traces.length > 0 ? [`one of these left ${traces.join(', ')}`] : [])];
      if (faults.length > 0) result.findings.push({ index: statement.index, className: '', sql: unproved.map((one) => one.sql).join('\n'), answer: '', faults });
      if (isChanged) break;
      unproved = [];
    }
  }));
  await way.stop();
  result.findings.sort((a, b) => a.index - b.index);
  return result;
}

/**
 * Measures the current latency of this machine, by reading a record by its key again and again while the
 * statements run.
 * @typedef {{ slowestSince: (sinceMs: number) => number, stop: () => Promise<void> }} Way
 * @param {readonly import('./prepare-tenants.mjs').Target[]} targets
 * @returns {Way}
 */
function watchWay(targets) {
  const [target] = targets;
  /** @type {{ endMs: number, tookMs: number }[]} */
  const seen = [];
  let isOver = target === undefined;
  const watching = (async () => {
    while (!isOver && target !== undefined) {
      const startedMs = performance.now();
      await send(target.base, 'GET', '/v1/-/tags/1', { headers: { Authorization: `Bearer ${target.key}` }, timeoutMs: 60_000 });
      seen.push({ endMs: performance.now(), tookMs: performance.now() - startedMs });
      await sleep(200);
    }
  })();
  return {
    slowestSince: (sinceMs) => Math.max(0, ...seen.slice(-500).filter((one) => one.endMs >= sinceMs).map((one) => one.tookMs)),
    async stop() {
      isOver = true;
      await watching;
    },
  };
}

/** @param {import('./prepare-tenants.mjs').Target} target @param {'key' | 'writer'} by */
function lookAt(target, by) {
  return by === 'writer' ? target.checksumOthers() : target.checksum();
}

/** @param {import('./prepare-tenants.mjs').Target} target @param {import('./make-statements.mjs').Hostile} statement @param {string} sql @param {'key' | 'writer'} by @param {Record<string, unknown>} body @param {QueryResult} result @param {Way} way @returns {Promise<Finding>} */
async function sendOne(target, statement, sql, by, body, result, way) {
  const startedMs = performance.now();
  const answer = await sendUntilJudged(target, by, body);
  const elapsedMs = answer.headMs ?? performance.now() - startedMs;
  const wayMs = way.slowestSince(startedMs);
  const statementMs = target.longestSince(startedMs);
  result.sent += 1;
  result.slowestMs = Math.max(result.slowestMs, Math.round(statementMs));
  result.byStatus[answer.status] = (result.byStatus[answer.status] ?? 0) + 1;
  const code = answer.status >= 400 ? String(answer.json?.code) : '';
  if (code !== '') result.byCode[code] = (result.byCode[code] ?? 0) + 1;
  else result.accepted += 1;
  return { index: statement.index, className: statement.className, sql, answer: `${answer.status} ${answer.text.slice(0, 300)}`, faults: judge(target, sql, answer, code, { statementMs: statementMs - wayMs, answerMs: elapsedMs - wayMs }) };
}

const TRIES_MAX = 5;

/**
 * Sends a request again after 503. A gateway that was blocked answers 503 and asks to retry before it looks
 * at a statement.
 * @param {import('./prepare-tenants.mjs').Target} target
 * @param {'key' | 'writer'} by
 * @param {Record<string, unknown>} body
 */
async function sendUntilJudged(target, by, body) {
  for (let turn = 1; ; turn += 1) {
    const answer = await send(target.base, 'POST', '/v1/-/query', { headers: { Authorization: `Bearer ${target[by]}`, 'Content-Type': 'application/json' }, body, timeoutMs: 60_000 });
    if (answer.status !== 503 || answer.json?.code !== 'db.schema_changing' || turn === TRIES_MAX) return answer;
    await sleep(1_000 * Number(answer.headers['retry-after'] ?? 1));
  }
}

/** @param {import('./prepare-tenants.mjs').Target} target @param {string} sql @param {import('../support/http.mjs').Answer} answer @param {string} code @param {{ statementMs: number, answerMs: number }} took */
function judge(target, sql, answer, code, took) {
  /** @type {string[]} */
  const faults = [];
  const all = `${answer.text}\n${JSON.stringify(answer.headers)}`;
  for (const canary of target.canaries) if (all.includes(canary)) faults.push('holds a row that is not the key\'s');
  for (const told of target.told) if (all.toLowerCase().includes(told.toLowerCase()) && !sql.toLowerCase().includes(told.toLowerCase())) faults.push('tells of the server');
  if (/\b(?:SQLSTATE|mysql_errno|You have an error in your SQL)\b/.test(answer.text)) faults.push('holds text of the database');
  const rows = Array.isArray(answer.json) ? answer.json : answer.json?.data;
  if (answer.status === 200 && Array.isArray(rows) && rows.length > ROWS_MAX) faults.push('escapes the limit of rows');
  if (took.statementMs > STATEMENT_MS_MAX) faults.push(`took the server ${Math.round(took.statementMs)} ms`);
  if (took.answerMs > ANSWER_MS_MAX) faults.push(`took ${Math.round(took.answerMs)} ms`);
  if (answer.status >= 500 && !LIMIT_CODES.has(code)) faults.push(`is a ${answer.status}`);
  return faults;
}
