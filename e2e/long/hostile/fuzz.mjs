// @ts-check
/**
 * Sends ten thousand random requests. Every error must be in the error table, and no response may contain a
 * row of another tenant.
 */
import { ERROR_CODES } from '@rowhouse/errors';
import { prepareTenants } from '../../fuzz/prepare-tenants.mjs';
import { runFuzz } from '../../fuzz/run-fuzz.mjs';
import { withProduct } from '../../support/with-product.mjs';
import { readCount, runSuite } from '../lib/run-suite.mjs';

const REQUESTS = readCount('count', 10_000);
const SEED = readCount('seed', 20_260_101);
const PLANTED_WITHIN = 2_000;

/** Runs a gateway with a planted defect, and returns the number of requests that reveal it. */
async function countPlanted() {
  const NODE_OPTIONS = `--import ${new URL('../../fuzz/plant-throw.mjs', import.meta.url).href}`;
  return withProduct(
    { gateways: 1, extraEnv: { NODE_OPTIONS, ROWHOUSE_UNBUNDLED: '1' } },
    async (product) => {
      const result = await runFuzz({
        bases: product.gateways,
        tenants: await prepareTenants(product),
        codes: ERROR_CODES,
        seed: SEED,
        count: PLANTED_WITHIN,
      });
      return result.findings.filter((finding) => finding.faults.includes('is a 500')).length;
    },
  );
}

const planted = await countPlanted();
await runSuite(() =>
  withProduct({ gateways: 2 }, async (product) => {
    const tenants = await prepareTenants(product);
    const result = await runFuzz({
      bases: product.gateways,
      tenants,
      codes: ERROR_CODES,
      seed: SEED,
      count: REQUESTS,
    });
    for (const finding of result.findings.slice(0, 20)) console.log(JSON.stringify(finding, null, 2));
    const having = (/** @type {RegExp} */ pattern) =>
      result.findings.filter((finding) => finding.faults.some((fault) => pattern.test(fault))).length;
    const foreign = having(/another tenant/);
    return {
      suite: 'fuzz',
      title: `${REQUESTS} random requests over method, path, parameter and value`,
      command: `pnpm test:long fuzz${REQUESTS === 10_000 ? '' : ` --count ${REQUESTS}`}`,
      seed: SEED,
      engines: { [product.mysql.engine]: product.mysql.version },
      skips: [],
      claims: [
        { claim: 'no response has a row of another tenant', holds: foreign === 0, found: `${foreign}` },
        { claim: 'no response is a 500', holds: having(/is a 500/) === 0, found: `${having(/is a 500/)}` },
        {
          claim: 'every error response is documented',
          holds: result.findings.length === foreign,
          found: `${result.findings.length - foreign}`,
        },
        {
          claim: 'requests reach the database',
          holds:
            (result.byStatus['200'] ?? 0) > REQUESTS / 10 && (result.byStatus['201'] ?? 0) > REQUESTS / 50,
          found: `${result.byStatus['200'] ?? 0} read, ${result.byStatus['201'] ?? 0} created`,
        },
        {
          claim: `an injected exception in the gateway is found within ${PLANTED_WITHIN} requests`,
          holds: planted > 0,
          found: `${planted} requests reveal it`,
        },
      ],
      notes: [
        'The throw is planted by `e2e/fuzz/plant-throw.mjs` in a separate gateway. `e2e/journeys/robustness/fuzz.e2e.ts` tests what else the checker finds.',
      ],
      figures: { byStatus: result.byStatus, byCode: result.byCode, findings: result.findings.slice(0, 50) },
    };
  }),
);
