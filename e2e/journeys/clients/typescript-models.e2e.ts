import { makeRandomSchema, toSchemaSql } from '@rowhouse/schema-model/testing';
import { describe, expect, it } from 'vitest';
import { deploy, signUp } from '../../support/control.mjs';
import { EVERY_TYPE_SQL } from '../../support/schemas/every-type-columns.mjs';
import { compileTypeScript, readCode } from '../../support/code/generated-code.mjs';
import { readProduct } from '../../support/product.mjs';

describe('generated TypeScript', () => {
  const product = readProduct();
  const [base] = product.gateways;

  it('a program with the generated TypeScript client compiles in strict mode and runs', async () => {
    const user = await signUp(product.control);
    const compiled = await compileTypeScript(await readCode(user, 'typescript'), 'generated-program.ts');
    expect(compiled.faults).toBe('');
    expect(await compiled.run([base, user.key])).toEqual({
      upserted: 'again',
      nested: 'Nested.',
      chosen: { label: 'Generated', number: true, on: 10, text: true },
      same: true,
      post: { title: 'Generated', published: true, ids: 'number', user_id: true },
      email: 'generated@example.test',
      counts: [1, 0, 0],
      tags: ['g-first'],
      link: true,
      listed: ['Generated'],
      sorted: [1],
      none: 1,
      updated: 'Generated again',
      stale: 412,
      names: ['g-first', 'g-second'],
      refused: { status: 422, code: 'body.invalid', detail: expect.stringContaining('email') },
      rows: [{ n: 1 }],
      gone: null,
      count: 0,
      zod: ['username', 'email'],
    });
    compiled.remove();
  });

  it('generated TypeScript for every column type and unusual names compiles in strict mode', async () => {
    const user = await signUp(product.control, { starter: 'empty' });
    await deploy(user, `${EVERY_TYPE_SQL};\n${toSchemaSql(makeRandomSchema(17, { tables: 14 }))}`);
    const compiled = await compileTypeScript(await readCode(user, 'typescript'));
    expect(compiled.faults).toBe('');
    compiled.remove();
  });
});
