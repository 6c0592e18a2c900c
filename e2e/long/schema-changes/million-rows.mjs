// @ts-check
/**
 * Changes a key from INT to BIGINT on a table of a million rows: once with two tables that refer to the key
 * with ON DELETE CASCADE, and once without references. In both cases, the table has a user-defined trigger.
 * The load and the bounds are those of `changes`.
 *
 * Options: `--rows 1000000`, `--engine mariadb|mysql`, `--rate 200`, `--only widen-key-alone`.
 */
import { readGoldenChange } from '../../support/schemas/golden-change.mjs';
import { runChange } from '../../support/change-load/run-change.mjs';
import { signUp } from '../../support/control.mjs';
import { withProduct } from '../../support/with-product.mjs';
import { describeChange, reportChange } from './parts/describe-change.mjs';
import { readCount, readWords, runSuite } from '../lib/run-suite.mjs';

const ROWS = readCount('rows', 1_000_000);
const PER_SECOND = readCount('rate', 200);
const NAMES = readWords('only') ?? ['widen-key-of-cascades', 'widen-key-alone'];
const ENGINES = /** @type {('mariadb' | 'mysql')[]} */ (readWords('engine') ?? ['mariadb', 'mysql']);
/** Two rounds: the change and its reversal, which use the same strategy. */
const ROUNDS = readCount('rounds', 2);

await runSuite(async () => {
  /** @type {Record<string, string>} */
  const engines = {};
  /** @type {ReturnType<typeof describeChange>[]} */
  const all = [];
  for (const engine of ENGINES) {
    await withProduct({ gateways: 2, engine }, async (product) => {
      engines[engine] = product.mysql.version;
      const user = await signUp(product.control, { name: 'changes', starter: 'empty' });
      for (const name of NAMES) {
        const options = {
          perSecond: PER_SECOND,
          inFlightMin: 0,
          roundsMin: ROUNDS,
          roundsMax: ROUNDS,
          controlMsMin: 5_000,
          controlMsMax: 60_000,
          holderMs: 0,
          items: ROWS,
        };
        const item = describeChange(
          await runChange(
            {
              person: user,
              gateways: product.gateways,
              dataDir: product.dataDir,
              mysql: { ...product.mysql.admin, engine },
              platform: product.platform.admin,
            },
            await readGoldenChange(name),
            options,
          ),
        );
        all.push(item);
        console.log(reportChange(item));
      }
    });
  }
  const claim = (
    /** @type {string} */ text,
    /** @type {(item: ReturnType<typeof describeChange>) => boolean} */ isBad,
  ) => {
    const bad = all.filter(isBad);
    return {
      claim: text,
      holds: all.length > 0 && bad.length === 0,
      found:
        bad.length === 0
          ? `${all.length} times`
          : bad.map((item) => `${item.name} on ${item.engine}`).join(', '),
    };
  };
  return {
    suite: 'million-rows',
    title: `Widening a key on a table of ${ROWS} rows`,
    command: `pnpm test:long million-rows${process.argv.length > 2 ? ` ${process.argv.slice(2).join(' ')}` : ''}`,
    seed: null,
    engines,
    skips: ENGINES.length === 2 && NAMES.length === 2 ? [] : ['the cases that the options omit'],
    claims: [
      claim('no request fails', (item) => item.failed.length > 0),
      claim('no acknowledged write is lost', (item) => item.lost.length > 0),
      claim('all invariants hold, and nothing is left over', (item) => item.broken.length > 0),
      claim(
        'p99 is at most max(2 x control, control + 10 ms), and no request takes longer than max(250 ms, control maximum + 100 ms)',
        (item) => !item.is_within,
      ),
    ],
    notes: [
      `An open loop of ${PER_SECOND} starts a second runs in a separate process, on two gateways. Latency counts from the moment at which a request was due. Each change is made and reverted.`,
    ],
    figures: {
      changes: all.map((item) => ({
        ...item,
        failed: item.failed.slice(0, 20),
        lost: item.lost.slice(0, 20),
      })),
    },
  };
});
