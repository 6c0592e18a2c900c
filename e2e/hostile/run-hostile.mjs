// @ts-check
import { checkResponse } from '../fuzz/check-response.mjs';
import { makeControls, makeHostile } from './make-hostile.mjs';
import { openRawClient } from './raw-client.mjs';

/**
 * @typedef {import('./prepare-targets.mjs').AttackTarget} Target
 * @typedef {{ index: number, className: string, place: string, request: string, answer: string, faults: string[] }}
 *   HostileFinding
 * @typedef {object} HostileResult
 * @property {number} requests
 * @property {Record<string, number>} byClass
 * @property {Record<string, number>} byPlace
 * @property {Record<string, number>} byStatus
 * @property {Record<string, number>} byCode
 * @property {{ ms: number, className: string, place: string, index: number }[]} slowest
 * @property {number} checksums the number of checks of the rows
 * @property {HostileFinding[]} findings
 */

const CHECKSUM_EVERY = 20;
const SLOWEST_MAX = 10;
/**
 * The codes for a statement that had to be stopped, or for a request above a limit. These are not faults of
 * the product.
 */
const LIMIT_CODES = new Set(['query.timeout', 'limit.query_cost', 'db.timeout', 'limit.response_size']);

/**
 * Sends the requests of the indexes from `first` on. Each target has its own tenant and sends its share one
 * after the other. No request may change a row.
 * @param {{ targets: readonly Target[], codes: Readonly<Record<string, { status: number }>>, seed: number, count: number, first?: number }} options
 * @returns {Promise<HostileResult>}
 */
export async function runHostile({ targets, codes, seed, count, first = 0 }) {
  /** @type {HostileResult} */
  const result = {
    requests: 0,
    byClass: {},
    byPlace: {},
    byStatus: {},
    byCode: {},
    slowest: [],
    checksums: 0,
    findings: [],
  };
  await Promise.all(
    targets.map((target, index) =>
      runTarget({
        target,
        codes,
        seed,
        first: first + index,
        end: first + count,
        step: targets.length,
        result,
      }),
    ),
  );
  result.findings.sort((a, b) => a.index - b.index);
  return result;
}

/** @param {{ target: Target, codes: Readonly<Record<string, { status: number }>>, seed: number, first: number, end: number, step: number, result: HostileResult }} run */
async function runTarget({ target, codes, seed, first, end, step, result }) {
  const client = openRawClient(target.base);
  const rows = await target.checksum();
  /** @type {HostileFinding[]} */
  let unproved = [];
  for (let index = first, sent = 1; index < end; index += step, sent += 1) {
    const finding = await sendOne({ target, client, codes, seed, index, result });
    if (finding.faults.length > 0) result.findings.push(finding);
    unproved.push(finding);
    if (sent % CHECKSUM_EVERY !== 0 && index + step < end) continue;
    result.checksums += 1;
    if ((await target.checksum()) !== rows) {
      // To find the request that changed a row, run the suite again with fewer requests per checksum.
      result.findings.push({
        index,
        className: '',
        place: '',
        request: unproved.map((item) => item.index).join(' '),
        answer: unproved
          .map((item) => `${item.className} at ${item.place}: ${item.answer.slice(0, 80)}`)
          .join('\n'),
        faults: ['one of these changed rows'],
      });
      break;
    }
    unproved = [];
  }
  client.close();
}

/**
 * @param {{ target: Target, client: ReturnType<typeof openRawClient>, codes: Readonly<Record<string, { status: number }>>, seed: number, index: number, result: HostileResult }} run
 * @returns {Promise<HostileFinding>}
 */
async function sendOne({ target, client, codes, seed, index, result }) {
  const hostile = makeHostile(seed, index, target.context);
  const { className, place: position, bytes, method, isAlone, mayBeSilent } = hostile;
  result.requests += 1;
  count1(result.byClass, className);
  count1(result.byPlace, position);
  const request = bytes.toString('latin1').replaceAll(target.context.key, '$KEY');
  const reported = { index, className, place: position, request: JSON.stringify(request.slice(0, 1_200)) };
  try {
    const { answers, elapsedMs, isComplete } = await client[isAlone ? 'tell' : 'ask'](
      bytes,
      method,
      mayBeSilent,
    );
    // A server that waits for the rest of a request is not slow.
    if (!mayBeSilent) noteSlow(result, { ms: Math.round(elapsedMs), className, place: position, index });
    const faults = answers.flatMap((answer, index) =>
      judge({ answer, hostile, target, codes, isFirst: index === 0, result }),
    );
    if (!isComplete && !isAlone) faults.push('more came than an answer');
    return {
      ...reported,
      answer: answers.map((answer) => `${answer.status} ${answer.text.slice(0, 300)}`).join(' | '),
      faults,
    };
  } catch (err) {
    count1(result.byStatus, 'none');
    return {
      ...reported,
      answer: String(err),
      faults: mayBeSilent && String(err).includes('no answer') ? [] : ['got no answer'],
    };
  }
}

/**
 * @param {{ answer: import('./raw-client.mjs').RawResponse, hostile: import('./make-hostile.mjs').Hostile, target: Target, codes: Readonly<Record<string, { status: number }>>, isFirst: boolean, result: HostileResult }} run
 * @returns {string[]}
 */
function judge({ answer, hostile, target, codes, isFirst, result }) {
  count1(result.byStatus, String(answer.status));
  const code = answer.status >= 400 ? String(answer.json?.code) : '';
  if (code !== '') count1(result.byCode, code);
  const request = {
    method: isFirst ? hostile.method : 'GET',
    path: unescapePercents(hostile.bytes.toString('utf8')),
    headers: { raw: hostile.bytes.toString('latin1') },
  };
  const faults = checkResponse(
    request,
    { ...answer, headers: answer.headers },
    { codes, forbidden: String(target.canaries[0]) },
  );
  const all = `${answer.text}\n${JSON.stringify(answer.headers)}`;
  for (const canary of target.canaries.slice(1))
    if (all.includes(canary)) faults.push('holds a row that the key may not see');
  const sent = `${request.path} ${request.path.replaceAll('-', '_')}`.toLowerCase();
  for (const secret of target.secrets)
    if (all.toLowerCase().includes(secret) && !sent.includes(secret))
      faults.push('tells a name that the key may not know');
  if (answer.status >= 500 && !LIMIT_CODES.has(code)) faults.push(`is a ${answer.status}`);
  return faults;
}

/**
 * Decodes percent escapes, because a message may repeat a part of the request without its escapes.
 * @param {string} text
 */
function unescapePercents(text) {
  return `${text} ${text.replace(/(?:%[0-9a-f]{2})+/gi, (escapes) => Buffer.from(escapes.replaceAll('%', ''), 'hex').toString('utf8'))}`;
}

/** @param {HostileResult} result @param {HostileResult['slowest'][number]} slow */
function noteSlow(result, slow) {
  result.slowest.push(slow);
  result.slowest.sort((a, b) => b.ms - a.ms);
  result.slowest.length = Math.min(result.slowest.length, SLOWEST_MAX);
}

/** @param {Record<string, number>} counts @param {string} name */
function count1(counts, name) {
  counts[name] = (counts[name] ?? 0) + 1;
}

/**
 * Sends valid requests. Each must succeed and reach the planner.
 * @param {Target} target
 * @param {{ isSample?: boolean }} [options] `isSample` sends one of each name
 * @returns {Promise<{ sent: number, classes: number, faults: string[] }>}
 */
export async function runControls(target, { isSample = false } = {}) {
  const client = openRawClient(target.base);
  const controls = makeControls(target.context).filter(
    (item, index, all) => !isSample || all.findIndex((other) => other.name === item.name) === index,
  );
  /** @type {string[]} */
  const faults = [];
  for (const { name, hostile } of controls) {
    const { answers } = await client[hostile.isAlone ? 'tell' : 'ask'](hostile.bytes, hostile.method);
    const [answer] = answers;
    const isPlanned = /\bplan;dur=/.test(answer?.headers['server-timing'] ?? '');
    if (answer === undefined || answer.status >= 300 || !isPlanned)
      faults.push(
        `${name}: ${String(answer?.status)} ${answer?.text.slice(0, 300) ?? ''} ${hostile.bytes.toString('latin1').replaceAll(target.context.key, '$KEY').slice(0, 400)}`,
      );
  }
  client.close();
  return {
    sent: controls.length,
    classes: new Set(controls.map((item) => item.hostile.className)).size - 1,
    faults,
  };
}
