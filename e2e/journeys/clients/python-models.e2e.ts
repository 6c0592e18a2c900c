import { provideDebianPython, provideNewestPython } from '@rowhouse/test-servers/provide-python';
import { createTerminalReport } from '@rowhouse/local/report';
import { makeRandomSchema, toSchemaSql } from '@rowhouse/schema-model/testing';
import { describe, expect, it } from 'vitest';
import { deploy, signUp, type TestUser } from '../../support/control.mjs';
import { EVERY_TYPE_SQL } from '../../support/schemas/every-type-columns.mjs';
import { readCode, tryPythonCode } from '../../support/code/generated-code.mjs';
import { openApi } from '../../support/http.mjs';
import { readProduct } from '../../support/product.mjs';
import { waitFor } from '../../support/wait.mjs';

const report = createTerminalReport();
const pythons = {
  'the newest Pydantic and SQLAlchemy': await provideNewestPython(report).catch((err: unknown) =>
    skipLoudly('the newest Pydantic and SQLAlchemy', err),
  ),
  "Debian's Pydantic and SQLAlchemy": await provideDebianPython(report).catch((err: unknown) =>
    skipLoudly("Debian's Pydantic and SQLAlchemy", err),
  ),
};

function skipLoudly(what: string, err: unknown): null {
  console.warn(`SKIPPED: no ${what} (${err instanceof Error ? err.message : String(err)})`);
  return null;
}

const product = readProduct();
const [base] = product.gateways;

async function prepare(sql: string): Promise<TestUser> {
  const user = await signUp(product.control, { starter: 'empty' });
  await deploy(user, sql);
  await waitFor(
    'the tables are served',
    async () => (await openApi(base, user.key).get('/')).json.tables.length > 0,
  );
  return user;
}

describe.each(Object.entries(pythons))('Python classes with %s', (_name, python) => {
  it.skipIf(python === null)('generated Python classes write and read back rows of every type', async () => {
    if (python === null) return;
    const user = await prepare(EVERY_TYPE_SQL);
    const tried = await tryPythonCode(user, base, python);
    expect(tried.counts).toMatchObject({ classes: 2, tables: 2 });
    expect(tried.counts.columns).toBeGreaterThan(50);
    tried.remove();
  });

  it.skipIf(python === null)(
    'generated Python classes write and read back rows of tables with unusual names',
    async () => {
      if (python === null) return;
      const user = await prepare(toSchemaSql(makeRandomSchema(17, { tables: 14 })));
      const tried = await tryPythonCode(user, base, python);
      expect(tried.counts.classes).toBeGreaterThan(5);
      tried.remove();
    },
  );
});

describe('Python code', () => {
  it('two requests for Python code return the same text', async () => {
    const user = await signUp(product.control);
    expect(await readCode(user, 'python')).toEqual(await readCode(user, 'python'));
  });
});
