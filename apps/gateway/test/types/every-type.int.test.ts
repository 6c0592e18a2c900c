import fc from 'fast-check';
import { getTestServers, isWholeMatrix } from '@rowhouse/testkit';
import { afterAll, beforeAll, describe, it } from 'vitest';
import type { TestGateway } from '../support/start-gateway.js';
import { createTestCell, type TestCell } from '../support/test-cell.js';
import { checkColumnUses, writeAndRead } from './column-uses.js';
import { GEOMETRY_CASES } from './geometry-cases.js';
import { NUMBER_CASES } from './number-cases.js';
import { OTHER_CASES } from './other-cases.js';
import { CHARSET_CASES, TEXT_CASES } from './text-cases.js';
import { TIME_CASES } from './time-cases.js';
import type { TypeCase } from './type-case.js';
import { createTableStatements, type ColumnUseFixture } from './type-fixture.js';

const servers = getTestServers();
/** The seed of the random values. More seeds and runs test more values: `TYPE_SEED=7 TYPE_RUNS=50`. */
const seed = Number(process.env['TYPE_SEED'] ?? 20_260_101);
const runs = Number(process.env['TYPE_RUNS'] ?? 1);
/**
 * On request, all values of each type are tested with every feature on every engine. Otherwise only the edge
 * cases are tested with every feature on one engine, and all values are written and read on each.
 */
const isEverywhere = process.env['TYPE_RUNS'] !== undefined || isWholeMatrix();
const only = process.env['TYPE_ONLY'];
const ALL_CASES: readonly TypeCase[] = [
  ...NUMBER_CASES,
  ...TIME_CASES,
  ...TEXT_CASES,
  ...OTHER_CASES,
  ...GEOMETRY_CASES,
  ...CHARSET_CASES,
];

describe.each(servers.engines.map((engine, order) => [engine.engine, engine, order] as const))(
  'every column type on %s',
  (name, engine, order) => {
    const cases = ALL_CASES.filter(
      (entry) =>
        (entry.engine === 'both' || entry.engine === name) &&
        (only === undefined || new RegExp(only).test(entry.name)),
    );
    let cell: TestCell;
    let gateway: TestGateway;
    let bench: ColumnUseFixture;

    beforeAll(async () => {
      cell = await createTestCell(engine, servers.redisUrl);
      const tenant = await cell.addTenant({ ddl: cases.flatMap(createTableStatements) });
      gateway = await cell.startGateway();
      bench = {
        cell,
        tenant,
        url: gateway.url,
        driverUrl: (await cell.startGateway({ answersReadBy: 'driver' })).url,
      };
    });

    afterAll(() => cell?.stop());

    it.each(cases.map((entry) => [entry.type.slice(0, 60), entry] as const))(
      'a value of %s is returned unchanged by every endpoint',
      async (_type, entry) => {
        const isForHere =
          isEverywhere ||
          entry.engine !== 'both' ||
          ALL_CASES.indexOf(entry) % servers.engines.length === order;
        await (isForHere ? checkColumnUses : writeAndRead)(bench, entry, entry.edges);
        const values = fc.array(entry.values, { minLength: 2, maxLength: 6 });
        await fc.assert(
          fc.asyncProperty(values, (written) =>
            (isEverywhere ? checkColumnUses : writeAndRead)(bench, entry, written),
          ),
          { seed, numRuns: runs, endOnFailure: true },
        );
      },
    );
  },
);
