import { makeRandomSchema, toSchemaSql } from '@rowhouse/schema-model/testing';
import { describe, expect, it } from 'vitest';
import { deploy, signUp } from '../../support/control.mjs';
import { openApi } from '../../support/http.mjs';
import { readProduct } from '../../support/product.mjs';
import { waitFor } from '../../support/wait.mjs';
import { compileProgram } from '../../typed-client/compile-program.mjs';

describe('types generated from the OpenAPI document', () => {
  const product = readProduct();
  const [base] = product.gateways;

  it('a program with types of the OpenAPI document compiles in strict mode and runs', async () => {
    const user = await signUp(product.control);
    const compiled = await compileProgram(
      (await openApi(base, user.key).get('/openapi.json')).json,
      'crud-program.ts',
    );
    expect(compiled.faults).toBe('');
    expect(await compiled.run([base, user.key])).toEqual({
      post: { title: 'Typed', published: true, user_id: true },
      includedTag: 'first',
      includedUser: 'typed@example.test',
      linked: true,
      listed: ['Typed'],
      total: '1',
      updated: 'Typed again',
      stale: 412,
      byFilter: { updated: 1 },
      refused: 422,
      fault: expect.stringMatching(/email/),
      found: 1,
      batch: 200,
      query: [{ n: 1 }],
      unlinked: 204,
      deleted: 204,
      gone: 404,
    });
    compiled.remove();
  });

  it('OpenAPI types for unusual names and every column type compile in strict mode', async () => {
    const sketch = makeRandomSchema(17, { tables: 14 });
    const user = await signUp(product.control, { starter: 'empty' });
    await deploy(user, toSchemaSql(sketch));
    const document = await waitFor('the tables are served', async () => {
      const { json } = await openApi(base, user.key).get('/openapi.json');
      return json.tags.length > sketch.tables.length ? json : undefined;
    });
    const compiled = await compileProgram(document);
    expect(compiled.faults).toBe('');
    compiled.remove();
  });
});
