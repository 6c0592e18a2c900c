import { openRandom } from '@rowhouse/schema-model/testing';
import { describe, expect, it } from 'vitest';
import { makeTables } from '../../differential/make-tables.mjs';
import { prepareDatabase } from '../../differential/prepare-database.mjs';
import { runDifferential } from '../../differential/run-differential.mjs';
import { signUp } from '../../support/control.mjs';
import { readProduct } from '../../support/product.mjs';

/**
 * The number of requests in this short version of the suite. `pnpm test:long differential` sends 20,000 on
 * both engines.
 */
const SAMPLE = 300;
const SEED = 20_261_128;

describe('random requests about random rows', () => {
  it(`${SAMPLE} random requests get the responses that an evaluation in memory predicts`, async () => {
    const product = readProduct();
    const [gateway] = product.gateways;
    const tables = makeTables(openRandom(SEED), 30);
    const user = await signUp(product.control, { name: 'differ', starter: 'empty' });
    await prepareDatabase({ gateway, tenants: product.mysql, platform: product.platform }, user, tables);
    const result = await runDifferential({ base: gateway, key: user.key, tables, seed: SEED, count: SAMPLE });
    expect(
      result.findings.map(
        ({ index, fault, calls }) => `seed ${SEED}, request ${index}: ${calls[0]}: ${fault}`,
      ),
    ).toEqual([]);
    // Empty responses would prove little, so the requests must return many rows.
    expect(result.rows).toBeGreaterThan(SAMPLE * 5);
    expect(Object.keys(result.byForm).length).toBeGreaterThan(11);
  });
});
