import { nameSnapshot, type Snapshot } from '@rowhouse/schema-model';
import { rawColumn, rawTable } from '@rowhouse/schema-model/testing';
import { expect, it } from 'vitest';
import { compareSchemas, describeObjects } from './compare-schemas.js';

const makeSchema = (tables: number, type = 'int'): Snapshot =>
  nameSnapshot(
    {
      engine: 'mariadb',
      tables: Array.from({ length: tables }, (_, index) =>
        rawTable(
          `t${index}`,
          Array.from({ length: 50 }, (_column, column) =>
            rawColumn(`c${column}`, index === 1 ? type : 'int'),
          ),
        ),
      ),
    },
    null,
  );

it('the comparison of two schemas lists each difference with its name', async () => {
  const expected = [
    { object: 't1', how: 'other' },
    { object: 't2', how: 'only_here' },
  ];
  expect(await compareSchemas(makeSchema(2), makeSchema(3, 'varchar(40)'))).toEqual(expected);
  expect(await compareSchemas(makeSchema(1), null)).toEqual([{ object: 't0', how: 'missing_here' }]);
});

it('large schemas are compared in slices, and each schema is described once', async () => {
  const [snapshot, other] = [makeSchema(100), makeSchema(100)];
  let iterations = 0;
  const count = (): void => {
    iterations += 1;
    next = setImmediate(count);
  };
  let next = setImmediate(count);
  expect(await compareSchemas(snapshot, other)).toEqual([]);
  clearImmediate(next);
  expect(iterations).toBeGreaterThanOrEqual(15);
  expect(describeObjects(snapshot)).toBe(describeObjects(snapshot));
});
