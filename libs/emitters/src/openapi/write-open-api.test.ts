import { doSteps, nameSnapshot, type Snapshot } from '@rowhouse/schema-model';
import { makeRandomSchema, rawColumn, rawTable, toRawSchema } from '@rowhouse/schema-model/testing';
import { expect, it } from 'vitest';
import { OPTIONS } from '../testing/openapi-options.js';
import { emitOpenApi } from './emit-open-api.js';
import type { OpenApiOptions } from './openapi-types.js';
import { writeOpenApiSteps } from './write-open-api.js';

function randomSnapshot(seed: number): Snapshot {
  return nameSnapshot(
    toRawSchema(makeRandomSchema(seed, { tables: seed % 12, engine: seed % 2 === 0 ? 'mariadb' : 'mysql' })),
    null,
  );
}

it('writeOpenApi returns the OpenAPI document as JSON', () => {
  for (let seed = 0; seed < 25; seed += 1) {
    const options: OpenApiOptions = {
      ...OPTIONS,
      rights: {
        ...OPTIONS.rights,
        verbs: seed % 3 === 0 ? ['write'] : seed % 3 === 1 ? ['read'] : OPTIONS.rights.verbs,
      },
    };
    const snapshot = randomSnapshot(seed);
    expect(doSteps(writeOpenApiSteps(snapshot, options)).join(''), `seed ${seed}`).toBe(
      JSON.stringify(emitOpenApi(snapshot, options)),
    );
  }
});

it('writeOpenApi yields more often for a larger schema', () => {
  const countSteps = (tables: number): number => {
    const columns = [
      rawColumn('id', 'int(11)'),
      ...Array.from({ length: 29 }, (_, index) => rawColumn(`c${index}`, 'varchar(40)')),
    ];
    const snapshot = nameSnapshot(
      {
        engine: 'mariadb',
        tables: Array.from({ length: tables }, (_, index) => rawTable(`t${index}`, columns)),
      },
      null,
    );
    return [...writeOpenApiSteps(snapshot, OPTIONS)].length;
  };
  expect(countSteps(5)).toBe(0);
  const [some, many] = [countSteps(40), countSteps(80)];
  expect([some >= 8, many > some * 1.6]).toEqual([true, true]);
});
