import { compileSnapshot, nameSnapshot, type CompiledSnapshot } from '@rowhouse/schema-model';
import { rawColumn, rawTable } from '@rowhouse/schema-model/testing';
import { expect, it } from 'vitest';
import { compileWhole, prepareNames } from './compile-whole.js';
import type { Gateway } from './gateway.js';

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
function setUp(): { readonly gateway: Pick<Gateway, 'turns'>; readonly owners: string[] } {
  const owners: string[] = [];
  return {
    owners,
    gateway: {
      turns: { turn: (owner: string) => (owners.push(owner), Promise.resolve()) } as Gateway['turns'],
    },
  };
}

it('a large schema is compiled in slices, once for all concurrent callers', async () => {
  const [{ gateway, owners }, compiled] = [setUp(), compile(60)];
  const first = compileWhole(gateway, compiled, database);
  expect(first).not.toBeNull();
  expect(compileWhole(gateway, compiled, database)).toBe(first);
  await first;
  expect(owners).toEqual(Array(6).fill('pown'));
  expect(compileWhole(gateway, compiled, database)).toBeNull();
});

it('a small schema is compiled without waiting', () => {
  const { gateway, owners } = setUp();
  expect([compileWhole(gateway, compile(9), database), owners]).toEqual([null, []]);
});

it('the names of all columns are read in slices for queries', async () => {
  const [{ gateway, owners }, compiled] = [setUp(), compile(60)];
  await prepareNames(gateway, compiled, database);
  expect([owners.length, prepareNames(gateway, compiled, database)]).toEqual([9, null]);
});
