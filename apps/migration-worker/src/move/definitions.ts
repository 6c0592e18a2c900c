import { createHash } from 'node:crypto';
import { sideSchemaName } from '@rowhouse/contracts';
import { AppError } from '@rowhouse/errors';
import {
  PLATFORM_SQL_MODE,
  quoteName,
  quoteText,
  type AdminConnection,
  type WithDefinitions,
} from '@rowhouse/mysql';
import type { UserTrigger } from '@rowhouse/platform-store';
import { readUserTriggers } from '../online-ddl/rebuild/triggers/user-triggers.js';
import { asProvisioner } from '../servers/server-access.js';
import { inspectSeparately } from '../snapshots/inspect-schema.js';
import { MOVE_LEDGER, MOVE_MARK } from './move-names.js';
import type { MoveContext } from './move-run.js';

/** The definitions of all objects in both schemas, in the server's own text. Rows are not included. */
export interface Definitions {
  /** Base tables, with a CREATE statement that lacks the next AUTO_INCREMENT number. */
  readonly tables: readonly {
    readonly schema: string;
    readonly name: string;
    readonly create: string;
    readonly nextNumber: string | null;
  }[];
  readonly views: readonly CreatedDefinition[];
  readonly routines: readonly CreatedDefinition[];
  readonly triggers: readonly (UserTrigger & { readonly schema: string })[];
  /** The definers of these objects as `name@host`. */
  readonly definers: ReadonlySet<string>;
  readonly charset: string;
  readonly collation: string;
}

interface CreatedDefinition {
  readonly name: string;
  readonly create: string;
  /**
   * The SQL mode in which the definition is parsed. In another mode, a quote may end at a different position.
   */
  readonly sqlMode: string;
}

const NEXT_NUMBER = /\bAUTO_INCREMENT=(\d+) ?/;

/** Reads the database at its current server, over a separate session. */
export async function readSourceDefinitions({ ctx, from, database }: MoveContext): Promise<Definitions> {
  const opening = ctx.access.openMigrator(from, database, await ctx.directory.listAccounts(database.id));
  return inspectSeparately(opening, from.engine, (session) =>
    readDefinitions(session, database.schemaName, asProvisioner(ctx.access, from)),
  );
}

/**
 * `withDefinitions` is the session that reads routines. Servers show the text of a routine only to its
 * definer and to accounts with rights on all schemas.
 */
async function readDefinitions(
  connection: AdminConnection,
  schemaName: string,
  withDefinitions: WithDefinitions,
): Promise<Definitions> {
  const side = sideSchemaName(schemaName);
  const listed = await connection.rows<{ schema: string; name: string; type: string }>(
    'SELECT TABLE_SCHEMA AS `schema`, TABLE_NAME AS name, TABLE_TYPE AS type FROM information_schema.TABLES WHERE TABLE_SCHEMA IN (?, ?) ORDER BY TABLE_SCHEMA, TABLE_NAME',
    [schemaName, side],
  );
  const tables = [];
  const views = [];
  const triggers = [];
  for (const { schema, name, type } of listed) {
    if (name === MOVE_LEDGER || name === MOVE_MARK) continue;
    if (type === 'VIEW') {
      views.push({
        name,
        create: await show(connection, 'VIEW', 'Create View', schema, name),
        sqlMode: PLATFORM_SQL_MODE,
      });
      continue;
    }
    const text = await show(connection, 'TABLE', 'Create Table', schema, name);
    const options = text.lastIndexOf('\n)');
    tables.push({
      schema,
      name,
      create: text.slice(0, options) + text.slice(options).replace(NEXT_NUMBER, ''),
      nextNumber: NEXT_NUMBER.exec(text.slice(options))?.[1] ?? null,
    });
    triggers.push(
      ...(await readUserTriggers(connection, schema, name)).map((trigger) => ({ ...trigger, schema })),
    );
  }
  const routines = await readRoutines(connection, schemaName, withDefinitions);
  const [base] = await connection.rows<{ charset: string; collation: string }>(
    'SELECT DEFAULT_CHARACTER_SET_NAME AS charset, DEFAULT_COLLATION_NAME AS collation FROM information_schema.SCHEMATA WHERE SCHEMA_NAME = ?',
    [schemaName],
  );
  return {
    tables,
    views,
    routines,
    triggers,
    definers: await readDefiners(connection, schemaName),
    charset: base?.charset ?? 'utf8mb4',
    collation: base?.collation ?? 'utf8mb4_unicode_ci',
  };
}

/** Returns a hash that is equal for equal definitions. */
export function hashDefinitions({
  tables,
  views,
  routines,
  triggers,
  charset,
  collation,
}: Definitions): string {
  const message = [
    tables.map(({ nextNumber: _next, ...table }) => table),
    views,
    routines,
    triggers,
    charset,
    collation,
  ];
  return createHash('sha256').update(JSON.stringify(message)).digest('hex');
}

async function show(
  connection: AdminConnection,
  kind: string,
  column: string,
  schema: string,
  name: string,
): Promise<string> {
  const [row] = await connection.rows<Record<string, string | null>>(
    `SHOW CREATE ${kind} ${quoteName(schema)}.${quoteName(name)}`,
  );
  const text = row?.[column] ?? null;
  if (text === null)
    throw new AppError('transfer.not_possible', {
      detail: `The server does not return the definition of ${name}.`,
      internal: kind,
    });
  return text;
}

async function readRoutines(
  connection: AdminConnection,
  schemaName: string,
  withDefinitions: WithDefinitions,
): Promise<CreatedDefinition[]> {
  const rows = await connection.rows<{ name: string; type: string; mode: string }>(
    'SELECT ROUTINE_NAME AS name, ROUTINE_TYPE AS type, SQL_MODE AS mode FROM information_schema.ROUTINES WHERE ROUTINE_SCHEMA = ? ORDER BY ROUTINE_TYPE, ROUTINE_NAME',
    [schemaName],
  );
  if (rows.length === 0) return [];
  return withDefinitions(async (session) => {
    const created: CreatedDefinition[] = [];
    for (const { name, type, mode } of rows) {
      created.push({
        name,
        create: await show(
          session,
          type,
          type === 'FUNCTION' ? 'Create Function' : 'Create Procedure',
          schemaName,
          name,
        ),
        sqlMode: mode,
      });
    }
    return created;
  });
}

async function readDefiners(connection: AdminConnection, schemaName: string): Promise<ReadonlySet<string>> {
  const name = quoteText(schemaName);
  const rows = await connection.rows<{ definer: string }>(
    `SELECT DEFINER AS definer FROM information_schema.VIEWS WHERE TABLE_SCHEMA = ${name} UNION SELECT DEFINER FROM information_schema.TRIGGERS WHERE EVENT_OBJECT_SCHEMA = ${name}
     UNION SELECT DEFINER FROM information_schema.ROUTINES WHERE ROUTINE_SCHEMA = ${name}`,
  );
  return new Set(rows.map((row) => row.definer));
}
