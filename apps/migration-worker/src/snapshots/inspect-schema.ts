import {
  introspectRoutines,
  introspectSchema,
  type AdminConnection,
  type WithDefinitions,
} from '@rowhouse/mysql';
import type { EngineKind, RawSchema } from '@rowhouse/schema-model';

const LOOKS_MAX = 20;

/**
 * Introspects until two consecutive results are equal, so that a partial DDL change is not published.
 * `withDefinitions` reads routines; see `introspectRoutines`. Throws when the schema keeps changing.
 */
export async function inspectSchema(
  connection: AdminConnection,
  schemaName: string,
  engine: EngineKind,
  withDefinitions?: WithDefinitions,
): Promise<RawSchema> {
  let before = '';
  for (let check = 0; check < LOOKS_MAX; check += 1) {
    const schema = await readSchema(connection, schemaName, engine, withDefinitions);
    const text = JSON.stringify(schema);
    if (text === before) return schema;
    before = text;
  }
  throw new Error(`${schemaName} changed between ${LOOKS_MAX} looks`);
}

/** Introspects tables and routines once. */
export async function readSchema(
  connection: AdminConnection,
  schemaName: string,
  engine: EngineKind,
  withDefinitions?: WithDefinitions,
): Promise<RawSchema> {
  const tables = await introspectSchema(connection, schemaName, engine);
  return { engine, tables, routines: await introspectRoutines(connection, schemaName, withDefinitions) };
}
