import {
  introspectRoutines,
  introspectSchema,
  type AdminConnection,
  type WithDefinitions,
} from '@rowhouse/mysql';
import type { EngineKind, RawSchema } from '@rowhouse/schema-model';
import { AppError } from '@rowhouse/errors';
import { inTime } from '@rowhouse/runtime';

const STATEMENT_SECONDS_MAX = 60;

const CHECK_MS_MAX = 300_000;

const LOOKS_MAX = 20;

/**
 * Introspects the schema until two consecutive results are equal, so that a partial DDL change is not
 * published. `withDefinitions` reads routines; see `introspectRoutines`. Throws when the schema keeps
 * changing.
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
  throw new Error(`${schemaName} changed during ${LOOKS_MAX} reads`);
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

/**
 * Runs `check` over a session that does nothing else and is closed afterwards. Engines run the tenant's
 * functions while they open a view that calls them, and settings that a function changes stay in that
 * session. After the session has read a tenant's schema, it must not be used to find sessions, accounts or
 * rights, or to read and write rows.
 *
 * @param opening a session with no more rights than the check needs
 *
 * @throws AppError `db.unavailable` when the check takes longer than five minutes
 */
export async function inspectSeparately<T>(
  opening: Promise<AdminConnection>,
  engine: EngineKind,
  check: (session: AdminConnection) => Promise<T>,
): Promise<T> {
  const session = await opening;
  try {
    const limit =
      engine === 'mariadb'
        ? `max_statement_time = ${STATEMENT_SECONDS_MAX}`
        : `max_execution_time = ${STATEMENT_SECONDS_MAX * 1_000}`;
    await session.run(`SET SESSION ${limit}`);
    return await inTime(check(session), CHECK_MS_MAX, () => {
      session.drop();
      return new AppError('db.unavailable', {
        retryAfterSeconds: 60,
        internal: 'a look at a schema was given up',
      });
    });
  } finally {
    await session.close();
  }
}
