import type { EventLoopScheduler, SchedulingServices } from '@rowhouse/admission';
import { compileSnapshot, nameSnapshot, type CompiledSnapshot } from '@rowhouse/schema-model';
import { rawColumn, rawTable } from '@rowhouse/schema-model/testing';
import { expect, it } from 'vitest';
import { compileWhole, prepareNames } from './compile-tables.js';

const database = { record: { schemaName: 'pown' } } as Parameters<typeof compileWhole>[2];

function compile(tables: number): CompiledSnapshot {
  const raw = Array.from({ length: tables }, (_, index) =>
    rawTable(
      `t${index}`,
      Array.from({ length: 50 }, (_column, column) => rawColumn(`c${column}`, 'int')),
    ),
  );
  return compileSnapshot(nameSnapshot({ engine: 'mariadb', tables: raw }, null), 1, {
    tables: null,
    verbs: ['read'],
    hiddenColumns: {},
  });
}

/** Creates a gateway that records slices. */
function setUp(): { readonly services: SchedulingServices; readonly owners: string[] } {
  const owners: string[] = [];
  return {
    owners,
    services: {
      scheduler: {
        nextSlice: (owner: string) => (owners.push(owner), Promise.resolve()),
      } as unknown as EventLoopScheduler,
    },
  };
}

it('a large schema is compiled in slices, once for all concurrent callers', async () => {
  const [{ services, owners }, compiled] = [setUp(), compile(60)];
  const first = compileWhole(services, compiled, database);
  expect(first).not.toBeNull();
  expect(compileWhole(services, compiled, database)).toBe(first);
  await first;
  expect(owners).toEqual(Array(6).fill('pown'));
  expect(compileWhole(services, compiled, database)).toBeNull();
});

it('a small schema is compiled without waiting', () => {
  const { services, owners } = setUp();
  expect([compileWhole(services, compile(9), database), owners]).toEqual([null, []]);
});

it('the names of all columns are read in slices for queries', async () => {
  const [{ services, owners }, compiled] = [setUp(), compile(60)];
  await prepareNames(services, compiled, database);
  expect([owners.length, prepareNames(services, compiled, database)]).toEqual([9, null]);
});
