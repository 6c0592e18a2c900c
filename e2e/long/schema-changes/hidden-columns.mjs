// @ts-check
/**
 * Hides and shows columns under load. No request fails, and no response has a hidden column once the change
 * is confirmed.
 */
import { signUp } from '../../support/control.mjs';
import { prepareProbes, probeHiddenColumns } from '../../support/probe-hidden-columns.mjs';
import { withProduct } from '../../support/with-product.mjs';
import { summarize } from '../../support/write-report.mjs';
import { readCount, readWords, runSuite } from '../lib/run-suite.mjs';

const ROUNDS = readCount('count', 10);
const ENGINES = /** @type {('mariadb' | 'mysql')[]} */ (readWords('engines') ?? ['mariadb', 'mysql']);
const FAULTS_SHOWN = 10;

await runSuite(async () => {
  /** @type {Record<string, string>} */
  const engines = {};
  /** @type {Record<string, unknown>} */
  const figures = {};
  const claims = [];
  for (const engine of ENGINES) {
    const found = await withProduct({ gateways: 2, engine }, async (product) => {
      engines[engine] = product.mysql.version;
      const user = await signUp(product.control, { starter: 'empty' });
      await prepareProbes(user, product.gateways[0] ?? '');
      return probeHiddenColumns(user, product.gateways, { rounds: ROUNDS });
    });
    const requests = Object.values(found.counts).reduce((sum, item) => sum + item, 0);
    figures[engine] = {
      requests,
      requests_by_probe: found.counts,
      change_ms: summarize(found.changeMs),
      faults: found.faults.length,
      first_faults: found.faults.slice(0, FAULTS_SHOWN),
    };
    claims.push({
      claim: `${engine}: no request fails or returns a hidden column during ${4 * ROUNDS} changes`,
      holds: found.faults.length === 0,
      found: `${found.faults.length} faults in ${requests} requests`,
    });
  }
  return {
    suite: 'hidden-columns',
    title: 'Changing hidden columns under load',
    command: 'pnpm test:long hidden-columns',
    seed: null,
    engines,
    skips: [],
    claims,
    figures,
  };
});
