// @ts-check
/**
 * Measures the CPU cost of the SQL guard per statement: `node bench/guard/run.mjs [--iterations 5000]
 * [--report]`. It runs in one process without a server.
 */
import { parseArgs } from 'node:util';
import { guardQuery, routeQuery } from '@rowhouse/query-engine';
import { summarize, writeReport } from '@rowhouse/e2e/support/write-report';
import { makeUsual, OPTIONS, ROUTE_SCHEMA, WORST } from './texts.mjs';

const { values } = parseArgs({
  options: { iterations: { type: 'string', default: '5000' }, report: { type: 'boolean', default: false } },
});
const ITERATIONS = Number(values.iterations);

/**
 * @param {string} text
 * @returns {string} the verdict
 */
function judge(text) {
  try {
    return guardQuery(text, {
      ...OPTIONS,
      params: Array.from({ length: text.split('?').length - 1 }, () => 1),
    }).kind;
  } catch (err) {
    return String(/** @type {{ code?: string }} */ (err).code);
  }
}

const ATTEMPTS_MAX = 25;
let disturbed = 0;

/**
 * Returns the duration of `callback` in milliseconds.
 * Repeats a run in which the operating system interrupted this process, because the duration would include
 * other processes.
 * @param {() => unknown} callback
 */
function time(callback) {
  for (let iteration = 1; ; iteration += 1) {
    const otherBefore = process.resourceUsage().involuntaryContextSwitches;
    const startedMs = performance.now();
    callback();
    const tookMs = performance.now() - startedMs;
    if (process.resourceUsage().involuntaryContextSwitches === otherBefore || iteration === ATTEMPTS_MAX)
      return tookMs;
    disturbed += 1;
  }
}

const usual = Array.from({ length: 485 }, (_, iteration) => makeUsual(iteration));
for (const text of usual)
  if (judge(text) !== 'select') throw new Error(`rejected: ${judge(text)} ${text.slice(0, 200)}`);
for (let iteration = 0; iteration < 2_000; iteration += 1) judge(usual[iteration % usual.length] ?? '');
const guard = summarize(
  Array.from({ length: ITERATIONS }, (_, iteration) =>
    time(() => judge(usual[iteration % usual.length] ?? '')),
  ),
);
const route = summarize(
  Array.from({ length: ITERATIONS }, (_, iteration) =>
    time(() => routeQuery(usual[iteration % usual.length] ?? '', ROUTE_SCHEMA)),
  ),
);
const worst = WORST.map(([name, text]) => {
  for (let iteration = 0; iteration < 20; iteration += 1) judge(text);
  return {
    name,
    bytes: text.length,
    judged: judge(text),
    ...summarize(Array.from({ length: 200 }, () => time(() => judge(text)))),
  };
});
const slowest = worst.reduce((most, item) => (item.p99 > most.p99 ? item : most));
console.log(
  `guard, 2 KB: p50 ${guard.p50} ms, p99 ${guard.p99} ms; routing: p50 ${route.p50} ms, p99 ${route.p99} ms`,
);
for (const item of worst)
  console.log(
    `${String(item.p50).padStart(8)} ${String(item.p99).padStart(8)}  ${item.name}, ${item.bytes} bytes: ${item.judged}`,
  );
if (values.report) {
  const isMet = writeReport({
    suite: 'bench-guard',
    title: 'Cost of the SQL guard per statement',
    command: 'node bench/guard/run.mjs --report',
    seed: null,
    engines: {},
    skips: [],
    claims: [
      { claim: 'below 1 ms (p99) for 2 KB', holds: guard.p99 < 1, found: `${guard.p99} ms` },
      {
        claim: 'p99 is below 20 ms for the worst 16 KB',
        holds: slowest.p99 < 20,
        found: `${slowest.p99} ms: ${slowest.name}`,
      },
    ],
    notes: [`Runs that other processes interrupted were repeated: ${disturbed}.`],
    figures: { guard, route, worst },
  });
  if (!isMet) process.exitCode = 1;
}
