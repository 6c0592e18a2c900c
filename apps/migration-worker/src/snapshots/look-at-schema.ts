import { introspectSchema, type AdminConnection } from '@rowhouse/mysql';
import type { EngineKind, RawTable } from '@rowhouse/schema-model';

const LOOKS_MAX = 20;

/**
 * Introspects until two looks in a row are equal, so that no half of someone's DDL is published.
 * Throws when the schema does not come to rest.
 */
export async function lookAtSchema(connection: AdminConnection, schemaName: string, engine: EngineKind): Promise<RawTable[]> {
  let before = '';
  for (let look = 0; look < LOOKS_MAX; look += 1) {
    const tables = await introspectSchema(connection, schemaName, engine);
    const text = JSON.stringify(tables);
    if (text === before) return tables;
    before = text;
  }
  throw new Error(`${schemaName} changed between ${LOOKS_MAX} looks`);
}
