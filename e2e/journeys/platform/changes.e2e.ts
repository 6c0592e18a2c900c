import { beforeAll, describe, expect, it } from 'vitest';
import { signUp, type TestUser } from '../../support/control.mjs';
import { runChange } from '../../support/change-load/run-change.mjs';
import { readGoldenChange, readGoldenChanges, type Engine } from '../../support/schemas/golden-change.mjs';
import { readProduct } from '../../support/product.mjs';

/**
 * Three kinds of change: a rename, in which two schema versions are served at once; a drop after publishing;
 * and a rebuild that swaps related tables with their triggers. `pnpm test:long changes` runs every case.
 */
const SAMPLE = ['rename-column', 'drop-required-column', 'widen-key-with-triggers'];
const OPTIONS = { perSecond: 60, inFlightMin: 0, roundsMin: 2, roundsMax: 2, controlMsMin: 200, holderMs: 0 };

describe('schema changes under load', () => {
  const product = readProduct();
  let user: TestUser;
  beforeAll(async () => {
    user = await signUp(product.control, { name: 'changes', starter: 'empty' });
  });

  it.each(SAMPLE)(
    'no request fails and no write is lost during %s, when deployed and when reverted',
    async (name) => {
      const mysql = { ...product.mysql, engine: product.mysql.engine as Engine };
      const { failed, lost, broken, changed } = await runChange(
        {
          person: user,
          gateways: product.gateways,
          dataDir: product.dataDir,
          mysql,
          platform: product.platform,
        },
        await readGoldenChange(name),
        OPTIONS,
      );
      expect({ failed, lost, broken }).toEqual({ failed: [], lost: [], broken: [] });
      expect(changed.length).toBeGreaterThan(10);
    },
  );

  it('every test change names its strategies for each engine that supports it', async () => {
    const changes = await readGoldenChanges();
    expect(changes.length).toBeGreaterThanOrEqual(55);
    for (const { name, change, undo, strategies } of changes) {
      expect(name).toMatch(/^[a-z0-9-]+$/);
      for (const engine of ['mariadb', 'mysql'] as const)
        expect([name, change[engine] !== '', undo[engine] !== '', strategies[engine] !== '']).toEqual([
          name,
          true,
          true,
          true,
        ]);
    }
  });
});
