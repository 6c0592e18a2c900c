import { SCHEMA_IS_READ_ONLY } from '@rowhouse/errors';
import {
  cutDefiner,
  quoteName,
  quoteText,
  readServerFault,
  respellBody,
  type AdminConnection,
} from '@rowhouse/mysql';
import type { WorkerDatabase, WorkerServer } from '@rowhouse/platform-store';
import { findForbiddenStatement, withoutInvoker } from '@rowhouse/query-engine';
import {
  createTriggerSql,
  listTriggerSettings,
  readExistingTriggers,
} from '../online-ddl/rebuild/triggers/user-triggers.js';
import { withConnection } from '../servers/server-access.js';
import { inspectSeparately } from '../snapshots/inspect-schema.js';
import type { WorkerContext } from '../worker-context.js';
import { definerName, openDefiner, withViewDrop } from './definer-account.js';
import { crashesOnRoutines } from './grants/schema-rights.js';

interface StoredObject {
  readonly kind: 'view' | 'procedure' | 'function' | 'trigger';
  readonly name: string;
}

/** The result of a transfer of ownership. */
export interface Adoption {
  readonly adopted: number;
  /** Objects whose new definer the server rejected. They keep their old definer. */
  readonly failed: readonly StoredObject[];
  /** Routines that were dropped, because a call could crash this server. */
  readonly dropped: readonly string[];
}

/**
 * Returns whether Rowhouse creates this routine on the server. It does not create a routine with dynamic SQL
 * on a server that such a routine could crash.
 * @param sqlMode the SQL mode in which the routine's text is quoted
 */
export function isDeployable(server: Pick<WorkerServer, 'engine'>, createSql: string, sqlMode = ''): boolean {
  return !crashesOnRoutines(server) || findForbiddenStatement(respellBody(createSql, sqlMode)) === null;
}

/**
 * Makes the definer account the DEFINER of all views, routines and triggers in a database whose definer is
 * one of `userNames`. Apart from the rights with which they run, the objects do not change. A trigger or view
 * is replaced in one step. On MySQL, a routine is missing between two statements. On a server that routines
 * can crash, routines with dynamic SQL are dropped.
 */
export async function adoptObjects(
  ctx: Pick<WorkerContext, 'access' | 'logger' | 'own'>,
  server: WorkerServer,
  database: Pick<WorkerDatabase, 'id' | 'schemaName'>,
  userNames: readonly string[],
): Promise<Adoption> {
  const check: CleanupContext['check'] = (read) =>
    inspectSeparately(ctx.access.openProvisioner(server), server.engine, read);
  const objects = await check((session) => listObjects(session, database.schemaName, userNames));
  if (objects.length === 0) return { adopted: 0, failed: [], dropped: [] };
  return withConnection(ctx.access.openProvisioner(server), async (provisioner) => {
    return withConnection(openDefiner(ctx, server, database.schemaName), (session) =>
      adoptAll(ctx, { server, database, provisioner, session, check }, objects),
    );
  });
}

interface CleanupContext {
  readonly server: WorkerServer;
  readonly database: Pick<WorkerDatabase, 'id' | 'schemaName'>;
  readonly provisioner: AdminConnection;
  /** The session of the definer account. */
  readonly session: AdminConnection;
  /** Runs a read over a separate session that sees every definition. */
  readonly check: <T>(read: (session: AdminConnection) => Promise<T>) => Promise<T>;
}

async function adoptAll(
  ctx: Pick<WorkerContext, 'logger'>,
  context: CleanupContext,
  objects: readonly StoredObject[],
): Promise<Adoption> {
  const failed: StoredObject[] = [];
  const dropped: string[] = [];
  for (const object of objects) {
    try {
      const isAdopted = await withWritableSchema(context.provisioner, context.database.schemaName, () =>
        adoptOne(context, object),
      );
      if (!isAdopted) dropped.push(object.name);
    } catch (error) {
      const fault = readServerFault(error);
      if (fault === null || fault.isConnectionLost) throw error;
      failed.push(object);
      ctx.logger.warn(
        { database: context.database.id, kind: object.kind, name: object.name, err: error },
        'an object could not be given to the definer account',
      );
    }
  }
  for (const name of dropped)
    ctx.logger.warn(
      { database: context.database.id, routine: name },
      'a routine with dynamic SQL was dropped: a call could stop this server',
    );
  return { adopted: objects.length - failed.length - dropped.length, failed, dropped };
}

/** Transfers one object to the definer account. Returns false for a routine that was dropped instead. */
async function adoptOne(context: CleanupContext, object: StoredObject): Promise<boolean> {
  const {
    provisioner,
    session,
    check,
    server,
    database: { schemaName },
  } = context;
  if (object.kind === 'trigger') {
    await adoptTrigger(context, object.name);
    return true;
  }
  const { sql, sqlMode } = await check((looking) => readText(looking, schemaName, object));
  await session.run(`SET SESSION sql_mode = ${quoteText(sqlMode)}`);
  if (object.kind === 'view') {
    await withViewDrop(provisioner, schemaName, object.name, () =>
      session.run(sql.replace(/^CREATE /, 'CREATE OR REPLACE ')),
    );
    return true;
  }
  const drop = `DROP ${object.kind.toUpperCase()} ${quoteName(schemaName)}.${quoteName(object.name)}`;
  if (!isDeployable(server, sql, sqlMode)) {
    await provisioner.run(drop);
    return false;
  }
  if (server.engine === 'mariadb') await session.run(sql.replace(/^CREATE /, 'CREATE OR REPLACE '));
  else {
    await provisioner.run(drop);
    await session.run(sql);
  }
  return true;
}

async function readText(
  session: AdminConnection,
  schemaName: string,
  { kind, name }: StoredObject,
): Promise<{ sql: string; sqlMode: string }> {
  const [row] = await session.rows<Record<string, string | null>>(
    `SHOW CREATE ${kind.toUpperCase()} ${quoteName(schemaName)}.${quoteName(name)}`,
  );
  const text = cutDefiner(row?.[`Create ${kind.charAt(0).toUpperCase()}${kind.slice(1)}`] ?? '');
  return { sql: kind === 'function' ? withoutInvoker(text) : text, sqlMode: row?.['sql_mode'] ?? '' };
}

/**
 * Replaces a trigger. Triggers of one table with the same timing and event run in order. The new trigger
 * names its neighbor, so that it keeps its position.
 */
async function adoptTrigger(
  { session, server, provisioner, database: { schemaName } }: CleanupContext,
  name: string,
): Promise<void> {
  const all = await readExistingTriggers(provisioner, schemaName);
  const trigger = all.find((userTrigger) => userTrigger.name === name);
  if (trigger === undefined) return;
  const group = all.filter(
    (userTrigger) =>
      userTrigger.table === trigger.table &&
      userTrigger.timing === trigger.timing &&
      userTrigger.event === trigger.event,
  );
  const index = group.indexOf(trigger);
  const [before, after] = [group[index - 1], group[index + 1]];
  const order =
    before !== undefined
      ? `FOLLOWS ${quoteName(before.name)} `
      : after !== undefined
        ? `PRECEDES ${quoteName(after.name)} `
        : '';
  const owned = { ...trigger, definer: 'CURRENT_USER' };
  await session.run(listTriggerSettings(trigger));
  if (server.engine === 'mariadb') {
    await session.run(createTriggerSql(owned, trigger.table, { order, orReplace: true }));
    return;
  }
  await session.run(`LOCK TABLES ${quoteName(trigger.table)} WRITE`);
  try {
    await session.run(`DROP TRIGGER ${quoteName(name)}`);
    await session.run(createTriggerSql(owned, trigger.table, { order }));
  } finally {
    if (!session.isLost()) await session.run('UNLOCK TABLES');
  }
}

/**
 * Lists routines first and views last. A view may call a function, and the server checks the function when
 * the view is replaced.
 */
async function listObjects(
  session: AdminConnection,
  schemaName: string,
  userNames: readonly string[],
): Promise<StoredObject[]> {
  const definers = userNames
    .filter((name) => name !== definerName(schemaName))
    .map((name) => quoteText(`${name}@%`))
    .join(', ');
  if (definers === '') return [];
  const schema = quoteText(schemaName);
  const read = (sql: string): Promise<{ kind: string; name: string }[]> => session.rows(sql);
  const routines = await read(
    `SELECT LOWER(ROUTINE_TYPE) AS kind, ROUTINE_NAME AS name FROM information_schema.ROUTINES WHERE ROUTINE_SCHEMA = ${schema} AND DEFINER IN (${definers})`,
  );
  const triggers = await read(
    `SELECT 'trigger' AS kind, TRIGGER_NAME AS name FROM information_schema.TRIGGERS WHERE TRIGGER_SCHEMA = ${schema} AND DEFINER IN (${definers})`,
  );
  const views = await read(
    `SELECT 'view' AS kind, TABLE_NAME AS name FROM information_schema.VIEWS WHERE TABLE_SCHEMA = ${schema} AND DEFINER IN (${definers})`,
  );
  return [...routines, ...triggers, ...views]
    .filter(({ name }) => !name.startsWith('_rh_'))
    .map(({ kind, name }) => ({ kind: kind as StoredObject['kind'], name }));
}

/**
 * Returns whether the account is the definer of an object in the schema. The query names the schema, because
 * MariaDB would otherwise open all tables of the server.
 */
export async function isDefiner(
  { access }: Pick<WorkerContext, 'access'>,
  server: WorkerServer,
  schemaName: string,
  userName: string,
): Promise<boolean> {
  const objects = await inspectSeparately(access.openProvisioner(server), server.engine, (session) =>
    listObjects(session, schemaName, [userName]),
  );
  return objects.length > 0;
}

/**
 * Runs `callback`, which must be safe to repeat. If a READ ONLY schema stops `callback`, this removes that
 * option and runs `callback` again.
 */
export async function withWritableSchema<T>(
  provisioner: AdminConnection,
  schemaName: string,
  callback: () => Promise<T>,
): Promise<T> {
  try {
    return await callback();
  } catch (error) {
    if (readServerFault(error)?.errno !== SCHEMA_IS_READ_ONLY) throw error;
    await provisioner.run(`ALTER DATABASE ${quoteName(schemaName)} READ ONLY = 0`);
    return callback();
  }
}
