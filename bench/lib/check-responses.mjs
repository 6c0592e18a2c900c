// @ts-check
import { isDeepStrictEqual } from 'node:util';
import { makeRandom } from './make-random.mjs';

/** @typedef {import('./bench-case.mjs').BenchCase} BenchCase */
/** @typedef {import('./bench-case.mjs').BenchTarget} BenchTarget */

const REQUESTS = 3;

/**
 * Checks that every target gives the same responses as the baseline, because a wrong response may be faster.
 * Compares writes by their status only. Compares peers that have their own format by the number of rows.
 * @param {BenchCase} benchCase
 * @param {readonly BenchTarget[]} targets the first one is the baseline
 * @param {import('./bench-case.mjs').DataSize} size
 */
export async function checkResponses(benchCase, targets, size) {
  const [requested, ...others] = await Promise.all(
    targets.map((target) => sendSome(benchCase, target, size)),
  );
  others.forEach((answers, index) => {
    answers.forEach(({ path, status, text }, position) => {
      const theirs = requested?.[position];
      if (!isSame(benchCase, targets[index + 1]?.peer, { status, text }, theirs))
        throw new Error(
          `${benchCase.name}: ${targets[index + 1]?.name} returns another response for ${path} than the baseline: ${text.slice(0, 400)} and ${theirs?.text.slice(0, 400)}`,
        );
    });
  });
}

/**
 * @param {BenchCase} benchCase
 * @param {BenchTarget} target
 * @param {import('./bench-case.mjs').DataSize} size
 */
async function sendSome(benchCase, target, size) {
  const random = makeRandom(7);
  const get = (/** @type {string} */ path) => send(target, { method: 'GET', path });
  const gathered = (await benchCase.gather?.(get, size)) ?? [];
  const answers = [];
  let lastBody = null;
  for (let count = 0; count < REQUESTS; count += 1) {
    const created = benchCase.makeRequest({ random, size, gathered, lastBody });
    const request = target.peer?.toRequest(created) ?? created;
    const reply = await send(target, request);
    const text = await reply.text();
    if (!reply.ok)
      throw new Error(
        `${benchCase.name}: ${target.name} returns status ${reply.status} for ${request.method} ${request.path}: ${text.slice(0, 400)}`,
      );
    lastBody = text;
    // Cursors are removed from paths, because they differ between targets.
    answers.push({ path: request.path.replace(/_cursor=.*/, ''), status: reply.status, text });
  }
  return answers;
}

/** @param {BenchTarget} target @param {import('./bench-case.mjs').BenchRequest} request */
function send({ base, key }, { method, path, body, headers = {} }) {
  return fetch(base.replace(/\/$/, '') + path, {
    method,
    headers: {
      ...(key === null ? {} : { Authorization: `Bearer ${key}` }),
      ...(body === undefined ? {} : { 'Content-Type': 'application/json' }),
      ...headers,
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
}

/**
 * @param {BenchCase} benchCase
 * @param {BenchTarget['peer']} peer
 * @param {{ status: number, text: string }} found
 * @param {{ status: number, text: string } | undefined} requested
 */
function isSame({ isWrite }, peer, found, requested) {
  if (requested === undefined) return false;
  if (peer !== undefined) return isWrite === true || peer.countRows(found.text) === countRows(requested.text);
  return isWrite === true
    ? found.status === requested.status
    : isDeepStrictEqual(toValues(found.text), toValues(requested.text));
}

/** @param {string} text */
function countRows(text) {
  const values = JSON.parse(text);
  return Array.isArray(values) ? values.length : 1;
}

/**
 * Parses JSON or JSON lines.
 * @param {string} text
 */
function toValues(text) {
  return text === ''
    ? null
    : text.startsWith('[')
      ? JSON.parse(text)
      : text
          .trimEnd()
          .split('\n')
          .map((line) => JSON.parse(line));
}
