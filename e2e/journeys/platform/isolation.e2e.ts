import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { rootDir } from '@rowhouse/local/paths';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { mutateText } from '../../isolation/mutate-text.mjs';
import { ATTEMPTS, openAttacks, runAttempts, type Attacks } from '../../isolation/run-attempts.mjs';
import { listChanges } from '../../isolation/guards.mjs';
import { readProduct } from '../../support/product.mjs';

/**
 * Runs every sixth attack. `pnpm test:long isolation` runs all of them, and runs each attack also with its
 * guards removed.
 */
const EVERY = 6;
const product = readProduct();

describe('two hostile tenants', () => {
  let attacks: Attacks;
  beforeAll(async () => {
    attacks = await openAttacks(
      {
        control: product.control,
        gateways: product.gateways,
        admin: product.mysql,
        platform: product.platform,
        redisUrl: product.redisUrl,
        operator: product.demo,
      },
      null,
    );
  });
  afterAll(() => attacks?.close());

  it('no attack gives one tenant data of another tenant', async () => {
    const sample = ATTEMPTS.filter((_, index) => index % EVERY === 0);
    const tried = await runAttempts(attacks, sample, { areGuardsDown: false });
    expect(
      tried
        .filter(({ isIn, fault }) => isIn || fault !== null)
        .map(({ attempt, fault }) => `${attempt.vector}: ${attempt.name}: ${fault ?? 'got in'}`),
    ).toEqual([]);
    expect([ATTEMPTS.length >= 500, new Set(sample.map(({ vector }) => vector)).size >= 10]).toEqual([
      true,
      true,
    ]);
  });
});

describe('removable guards', () => {
  it('the code of every removable guard is found, and a moved guard is reported', () => {
    for (const file of new Set(listChanges().map((change) => change.file))) {
      const text = readFileSync(join(rootDir, file), 'utf8');
      expect(mutateText(`file://${file}`, text, listChanges())).not.toBe(text);
      expect(() => mutateText(`file://${file}`, '', listChanges())).toThrow(/where the guard is now/);
    }
  });

  it('guards can only be removed in a test process', () => {
    const program = fileURLToPath(new URL('../../isolation/guard-mutation.mjs', import.meta.url));
    const start = (env: Record<string, string>) =>
      spawnSync(
        process.execPath,
        ['--import', program, '-e', 'console.log(typeof globalThis.rowhouseGuards)'],
        { env: { PATH: process.env['PATH'] ?? '', ...env }, encoding: 'utf8' },
      );
    const rejected = start({ GUARD_MUTATION_FILE: '/dev/null', ROWHOUSE_ENV: 'production' });
    expect([rejected.status, rejected.stderr.includes('guards can only be removed in tests')]).toEqual([
      1,
      true,
    ]);
    expect(start({ ROWHOUSE_ENV: 'production' }).stdout.trim()).toBe('undefined');
  });
});
