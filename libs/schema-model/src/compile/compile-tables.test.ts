import { expect, it } from 'vitest';
import { compileSnapshot, compileTablesSteps } from './compile-snapshot.js';
import type { CompiledSnapshot, CompiledTable } from './compiled-snapshot.js';
import { describeSchemaSteps } from '../describe-schema.js';
import { nameSnapshot } from '../naming/name-snapshot.js';
import { doSteps, type Steps } from '../steps.js';
import { rawColumn, rawTable } from '../testing/index.js';
import type { Rights } from '../types.js';

const tables = Array.from({ length: 60 }, (_, index) =>
  rawTable(
    `t${index}`,
    Array.from({ length: 50 }, (_column, column) => rawColumn(`c${column}`, 'int')),
  ),
);
const snapshot = nameSnapshot({ engine: 'mariadb', tables }, null);
const all: Rights = { tables: null, verbs: ['read', 'write', 'delete'], hiddenColumns: {} };

/** Returns the largest number of tables that are looked up in one step. */
function countMost<T>(make: (compiled: CompiledSnapshot) => Steps<T>): number {
  const compiled = compileSnapshot(snapshot, 1, all);
  let [found, maximum] = [0, 0];
  const steps = make({
    ...compiled,
    findByName: (name): CompiledTable | null => ((found += 1), compiled.findByName(name)),
  });
  for (let isFinished = false; !isFinished; found = 0) {
    isFinished = steps.next().done === true;
    maximum = Math.max(maximum, found);
  }
  return maximum;
}

it('compileTablesSteps returns all visible tables ordered by name', () => {
  const seen = (rights: Rights): string[] =>
    doSteps(compileTablesSteps(compileSnapshot(snapshot, 1, rights))).map(({ name }) => name);
  expect(seen(all)).toEqual(tables.map(({ name }) => name).sort());
  expect(seen({ ...all, tables: { t7: ['read'], t3: ['write'], gone: ['read'] } })).toEqual(['t3', 't7']);
});

it('one step of compileTablesSteps or describeSchemaSteps compiles a few hundred columns', () => {
  expect(countMost(compileTablesSteps)).toBe(10);
  expect(countMost((compiled) => describeSchemaSteps(compiled, { project: 'p', database: 'd' }))).toBe(10);
});
