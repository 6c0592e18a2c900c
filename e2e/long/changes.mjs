// @ts-check
/**
 * Every golden change beside an open loop of requests, on each engine: none fails, none is lost, none waits.
 * One engine behind the other, each with a product and a load of its own; with --together at the same time.
 *   --only a,b   some of the changes      --engine mariadb|mysql     --rate 200     --in-flight 200     --requests 600     --holder-ms 5000     --family-items 30000
 */
import { readGoldenChanges } from '../support/golden-change.mjs';
import { runChange } from '../support/change-load/run-change.mjs';
import { signUp } from '../support/control.mjs';
import { withProduct } from '../support/with-product.mjs';
import { describeChange, tellChange } from './lib/describe-change.mjs';
import { readCount, readWords, runSuite } from './lib/run-suite.mjs';

const PER_SECOND = readCount('rate', 200);
const IN_FLIGHT_MIN = readCount('in-flight', 200);
const CHANGED_MIN = readCount('requests', 600);
const ROUNDS_MAX = readCount('rounds-max', 40);
const HOLDER_MS = readCount('holder-ms', 5_000);
const CONTROL_MS_MIN = readCount('control-ms', 500);
/** Whole families are rebuilt where their tables are big. */
const FAMILY_ITEMS = readCount('family-items', 30_000);
const WARM_UP_MS = readCount('warm-up-ms', 4_000);
const ONLY = readWords('only');
const IS_TOGETHER = process.argv.includes('--together');
const ENGINES = /** @type {import('../support/golden-change.mjs').Engine[]} */ (readWords('engine') ?? ['mariadb', 'mysql']);
const OPTIONS = { perSecond: PER_SECOND, inFlightMin: IN_FLIGHT_MIN, changedMin: CHANGED_MIN, roundsMin: 2, roundsMax: ROUNDS_MAX, controlMsMin: CONTROL_MS_MIN, holderMs: HOLDER_MS };

/** @typedef {ReturnType<typeof describeChange>} Described */

await runSuite(async () => {
  const changes = (await readGoldenChanges()).filter((change) => ONLY?.includes(change.name) ?? true);
  const missing = (ONLY ?? []).filter((name) => !changes.some((change) => change.name === name));
  if (missing.length > 0) throw new Error(`there is no golden change ${missing.join(', ')}`);
  /** @type {Awaited<ReturnType<typeof measure>>[]} */
  const described = [];
  /** @type {Record<string, string>} */
  const engines = {};
  const runEngine = (/** @type {import('../support/golden-change.mjs').Engine} */ engine) =>
    withProduct({ gateways: 2, engine }, async (product) => {
      engines[engine] = product.mysql.version;
      const person = await signUp(product.control, { name: 'changes', starter: 'empty' });
      const stage = { person, gateways: product.gateways, dataDir: product.dataDir, mysql: { ...product.mysql.admin, engine } };
      const own = changes.filter(({ only }) => only === null || only === engine);
      for (const change of own.slice(0, 1)) await warmUp(stage, change);
      for (const change of own) {
        const items = change.strategies[engine].includes('rebuild_family') ? FAMILY_ITEMS : change.items;
        described.push(await measure(async () => describeChange(await runChange(stage, change, { ...OPTIONS, items }))));
      }
    });
  if (IS_TOGETHER) await Promise.all(ENGINES.map(runEngine));
  else for (const engine of ENGINES) await runEngine(engine);
  return toReport(described, engines, changes.length);
});

/**
 * Once more where nothing but time went wrong, since the machine has other work, too. What fails twice has failed, and every
 * first time is in the report.
 * @param {() => Promise<Described>} run @returns {Promise<Described & { first_time: Described | null }>}
 */
async function measure(run) {
  const first = await run();
  console.log(tellChange(first));
  const isTimeAlone = first.failed.length + first.lost.length + first.broken.length === 0 && !(first.is_within && first.is_held_within);
  if (!isTimeAlone) return { ...first, first_time: null };
  const second = await run();
  console.log(`once more: ${tellChange(second)}`);
  return { ...second, first_time: first };
}

/**
 * Processes that have just started run code that is not compiled yet. The first change is made once beforehand, and
 * judged by everything but time.
 * @param {import('../support/change-load/run-change.mjs').ChangeProduct} stage @param {import('../support/golden-change.mjs').GoldenChange} change
 */
async function warmUp(stage, change) {
  const { failed, lost, broken } = await runChange(stage, change, { ...OPTIONS, roundsMin: 4, roundsMax: 4, controlMsMin: WARM_UP_MS, holderMs: 0 });
  const faults = [...failed, ...lost, ...broken];
  if (faults.length > 0) throw new Error(`warming up: ${faults.slice(0, 5).join('; ')}`);
}

/** @param {(Described & { first_time: Described | null })[]} all @param {Record<string, string>} engines @param {number} changesTotal */
function toReport(all, engines, changesTotal) {
  const requests = all.reduce((sum, one) => sum + one.changed.asked + one.control.asked + (one.held?.asked ?? 0), 0);
  const nameOf = (/** @type {Described} */ one) => `${one.name} on ${one.engine}`;
  const claim = (/** @type {string} */ text, /** @type {(one: Described) => boolean} */ isBad, /** @type {string} */ good) => {
    const bad = all.filter(isBad);
    return { claim: text, holds: all.length > 0 && bad.length === 0, found: bad.length === 0 ? good : bad.map(nameOf).join(', ') };
  };
  const again = all.filter(({ first_time: first }) => first !== null);
  const asked = process.argv.slice(2);
  return {
    suite: 'changes',
    title: 'Every kind of schema change under load',
    command: `pnpm test:long changes${asked.length === 0 ? '' : ` ${asked.join(' ')}`}`,
    seed: null,
    engines,
    skips: ONLY === undefined && ENGINES.length === 2 ? [] : [`everything but ${(ONLY ?? ['all changes']).join(', ')} on ${ENGINES.join(' and ')}`],
    claims: [
      claim('no request failed: no answer, a 5xx, a row that is wrong before and after, a 4xx that is right neither before nor after', (one) => one.failed.length > 0, `0 of ${requests} requests beside ${changesTotal} kinds of changes`),
      claim('no acknowledged write is lost', (one) => one.lost.length > 0, '0'),
      claim('what has to hold holds, and nothing is left over', (one) => one.broken.length > 0, `${all.length} times`),
      claim(`at least ${IN_FLIGHT_MIN} requests were in flight during the cut-overs of each`, (one) => one.in_flight < IN_FLIGHT_MIN, `fewest ${Math.min(...all.map((one) => one.in_flight))}`),
      claim('p99 at most max(2 x control, control + 10 ms), none above max(250 ms, control maximum + 100 ms)', (one) => !one.is_within, 'each'),
      ...(HOLDER_MS === 0 ? [] : [claim(`the same while an idle transaction holds the table for ${HOLDER_MS} ms`, (one) => !one.is_held_within, 'each')]),
    ],
    notes: [
      ...(!IS_TOGETHER || ENGINES.length === 1 ? [] : ['Both engines at the same time on this machine: what one does costs the control windows of the other, too.']),
      `An open loop of ${PER_SECOND} starts a second in a process of its own, on two gateways; latency from the moment at which a request was due. A start may be several requests, one after the other.`,
      'Control: the same load between the changes, for as long as each change took. In flight: from sending to the answer, during DDL, publishing and acknowledgement by the journal; copying and comparing of a rebuild is left out.',
      'Where the host took the processors away for 20 ms within a tenth of a second, what was due then or up to 100 ms later is left out of every p99, of changes and of control alike (p99_of_all has it); maxima are of all.',
      again.length === 0 ? 'Each was measured once.' : `Measured a second time, since the first was above a bar of time: ${again.map((one) => `${nameOf(one)} (p99 first ${one.first_time?.changed.p99} of ${one.first_time?.control.p99} ms)`).join(', ')}.`,
      `Tables have 6,000 rows to begin with, where a whole family is rebuilt ${FAMILY_ITEMS.toLocaleString('en')}. Before the first change it is made four times and not judged by time: processes that have just started are slow.`,
      'What each change is: e2e/golden-changes. Refused: answered with an error that is right on the other side of the change.',
    ],
    figures: { changes: all.map((one) => ({ ...one, failed: one.failed.slice(0, 20), lost: one.lost.slice(0, 20) })) },
  };
}
