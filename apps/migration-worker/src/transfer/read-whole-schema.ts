import { setImmediate as nextSlice } from 'node:timers/promises';
import { introspectRoutines, introspectSchema, type AdminConnection } from '@rowhouse/mysql';
import type { WorkerDatabase, WorkerServer } from '@rowhouse/platform-store';
import { runStepsInSlices, type RawSchema, type Snapshot } from '@rowhouse/schema-model';
import { writeSchemaSteps } from '@rowhouse/sql-files';
import { isDeployable } from '../accounts/stored-objects.js';
import { asProvisioner } from '../servers/server-access.js';
import type { WorkerContext } from '../worker-context.js';

interface Read {
  readonly database: WorkerDatabase;
  readonly server: WorkerServer;
  readonly connection: AdminConnection;
}

/**
 * Reads a schema, including procedures and functions that were created over direct connections and whose text
 * only the provisioner sees. `notes` name the objects that a restore cannot create, and `omitted` the objects
 * that a file cannot contain.
 */
export async function readWholeSchema(
  ctx: Pick<WorkerContext, 'access'>,
  { database, server, connection }: Read,
): Promise<{ schema: RawSchema; notes: string[]; omitted: string[] }> {
  const notes: string[] = [];
  const omitted: string[] = [];
  const unread = (name: string, reason: string): void => void omitted.push(`${name} was omitted: ${reason}`);
  const tables = await introspectSchema(connection, database.schemaName, server.engine);
  const routines = await introspectRoutines(
    connection,
    database.schemaName,
    asProvisioner(ctx.access, server),
    unread,
  );
  for (const { name, createSql } of routines) {
    if (!isDeployable(server, createSql))
      notes.push(
        `${name} has dynamic SQL, which routines on this server cannot contain. It is in the file, ` +
          'but a restore omits it.',
      );
  }
  const others = await connection.rows<{ name: string; type: string }>(
    "SELECT TABLE_NAME AS name, TABLE_TYPE AS type FROM information_schema.TABLES WHERE TABLE_SCHEMA = ? AND TABLE_TYPE NOT IN ('BASE TABLE', 'VIEW') ORDER BY TABLE_NAME",
    [database.schemaName],
  );
  for (const { name, type } of others)
    if (!name.startsWith('_rh_')) unread(name, `objects of the kind ${type} are not exported.`);
  return { schema: { engine: server.engine, tables, routines }, notes, omitted };
}

/** Returns sentences about what the SQL text of a snapshot omits. */
export async function describeText(snapshot: Snapshot): Promise<string[]> {
  const { omitted, uncommented } = await runStepsInSlices(writeSchemaSteps(snapshot), () => nextSlice());
  const comments =
    uncommented.length === 0
      ? []
      : [`The SQL text omits comments inside ${[...new Set(uncommented)].join(', ')}.`];
  return [
    ...comments,
    ...omitted.map(({ object, name, reason }) => `The SQL text omits the ${object} ${name}: ${reason}`),
  ];
}
