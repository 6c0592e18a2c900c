import { doSteps, nameSnapshot } from '@rowhouse/schema-model';
import { foreignKey, rawColumn, rawTable } from '@rowhouse/schema-model/testing';
import { expect, it } from 'vitest';
import { buildLexicon, buildLexiconSteps } from './build-lexicon.js';
import { type LexiconInput } from './lexicon.js';

const PARTS = ['billing', 'contact', 'delivery', 'primary', 'secondary', 'legal', 'regional', 'annual'];

/**
 * Creates a schema with this number of tables. Each has 30 columns, and each column's name has three words.
 */
function makeInput(tables: number): LexiconInput {
  const id = rawColumn('id', 'int(11)');
  const created = Array.from({ length: tables }, (_, index) => {
    const columns = Array.from({ length: 28 }, (_none, position) =>
      rawColumn(
        `${PARTS[position % 8]}_${PARTS[(position + index) % 8]}_detail${position}`,
        position % 3 === 0 ? 'datetime' : 'varchar(50)',
      ),
    );
    const parent = `branch_${Math.floor(index / 2)}`;
    return rawTable(
      `branch_${index}`,
      [id, ...columns, rawColumn(`${parent}_id`, 'int(11)')],
      index === 0 ? {} : { foreignKeys: [foreignKey(`branch_${index}`, `${parent}_id`, parent)] },
    );
  });
  const values = created.map(({ name }) => ({
    table: name,
    column: 'billing_billing_detail0',
    values: Array.from({ length: 40 }, (_, value) => `Town ${value}`),
  }));
  return {
    snapshot: nameSnapshot({ engine: 'mariadb', tables: created }, null),
    values,
    synonyms: [{ phrase: 'seat', table: 'branch_3', column: null }],
  };
}

function countSteps(input: LexiconInput): number {
  let count = 0;
  for (const steps = buildLexiconSteps(input); steps.next().done !== true;) count += 1;
  return count;
}

it('buildLexiconSteps takes more steps for a larger schema', () => {
  const [small, large] = [countSteps(makeInput(4)), countSteps(makeInput(120))];
  expect(small).toBeLessThan(20);
  expect(large).toBeGreaterThan(20 * small);
});

it('the work of one step of buildLexiconSteps does not grow with the schema', () => {
  const longest = (tables: number): number => {
    let worst = 0;
    let reads = 0;
    // The test counts how often names are read, because splitting a name reads it from its column. Each step
    // may read at most a few hundred names.
    const input = makeInput(tables);
    const watched = input.snapshot.tables.map((table) => ({
      ...table,
      columns: table.columns.map((column) =>
        Object.defineProperty({ ...column }, 'name', {
          enumerable: true,
          get: () => ((reads += 1), column.name),
        }),
      ),
    }));
    for (
      const steps = buildLexiconSteps({ ...input, snapshot: { ...input.snapshot, tables: watched } });
      steps.next().done !== true;
      reads = 0
    )
      worst = Math.max(worst, reads);
    return worst;
  };
  expect(longest(300)).toBeLessThan(1.3 * longest(150));
});

it('buildLexiconSteps returns the same lexicon as buildLexicon', () => {
  const input = makeInput(40);
  const [lexicon, other] = [buildLexicon(input), doSteps(buildLexiconSteps(input))];
  for (const part of [
    'columns',
    'tables',
    'values',
    'firstNames',
    'valuesOf',
    'tableWords',
    'columnWords',
    'tablesByVerbRoot',
    'people',
    'dateColumns',
    'creationTimes',
    'amounts',
    'shortForms',
    'words',
  ] as const)
    expect(other[part]).toEqual(lexicon[part]);
  expect([...other.graph.edges]).toEqual([...lexicon.graph.edges]);
  expect(lexicon.tables.get('seat')).toMatchObject([{ table: { name: 'branch_3' } }]);
});

it('a stored value that is named like an object property is linked like any other value', () => {
  const users = rawTable('users', [rawColumn('id', 'int(11)'), rawColumn('gender', 'varchar(20)')]);
  const { values } = buildLexicon({
    snapshot: nameSnapshot({ engine: 'mariadb', tables: [users] }, null),
    values: [{ table: 'users', column: 'gender', values: ['constructor', '__proto__', 'f'] }],
    synonyms: [],
  });
  expect(values.get('constructor')).toHaveLength(1);
  expect(values.get('woman')).toHaveLength(1);
});
