import type { ConnectionRole } from '@rowhouse/contracts';
import type { WorkerServer } from '@rowhouse/platform-store';

const DML = 'SELECT, INSERT, UPDATE, DELETE';
const TABLE_DDL =
  'CREATE, ALTER, DROP, INDEX, REFERENCES, CREATE VIEW, SHOW VIEW, TRIGGER, EXECUTE, LOCK TABLES, CREATE TEMPORARY TABLES';

/**
 * Every right inside a schema that Rowhouse grants. No right is global. FILE, EVENT and GRANT OPTION are not
 * included.
 */
export const ALL_SCHEMA_RIGHTS = `${DML}, ${TABLE_DDL}, CREATE ROUTINE, ALTER ROUTINE`;
export const ROW_RIGHTS = DML;

/**
 * The rights that deployed views, triggers and routines run with: reading and writing rows, and calling each
 * other. These rights include no DDL and nothing outside the tenant's schema.
 */
export const DEFINER_RIGHTS = `${DML}, EXECUTE, TRIGGER, CREATE TEMPORARY TABLES`;
/** The rights that an owner's connection has and deployed objects do not have. */
export const RIGHTS_BEYOND_DEFINER =
  'CREATE, ALTER, DROP, INDEX, REFERENCES, CREATE VIEW, SHOW VIEW, ALTER ROUTINE, CREATE ROUTINE, LOCK TABLES';
/** Additional rights of the definer account while the worker creates objects in its name. */
export const DEFINER_CREATE_RIGHTS = 'CREATE VIEW, SHOW VIEW, CREATE ROUTINE, ALTER ROUTINE, LOCK TABLES';

/**
 * Returns whether this server crashes when a routine drops itself with dynamic SQL (MDEV-38861). The fault
 * was seen on 10.11.19, and no release is known to fix it. If an older version of Rowhouse has deployed
 * routines that could drop themselves, they are dropped on such servers.
 */
export function crashesOnRoutines(server: Pick<WorkerServer, 'engine'>): boolean {
  return server.engine === 'mariadb';
}

/**
 * The rights to create and change routines. No connection has them, so each routine was checked when it was
 * deployed.
 */
export const ROUTINE_RIGHTS = ['CREATE ROUTINE', 'ALTER ROUTINE'] as const;

/** The rights that a connection of each role has on its database's schema. */
export const ROLE_RIGHTS: Readonly<Record<ConnectionRole, string>> = {
  owner: `${DML}, ${TABLE_DDL}`,
  'read-write': `${DML}, SHOW VIEW, EXECUTE, LOCK TABLES, CREATE TEMPORARY TABLES`,
  'read-only': 'SELECT, SHOW VIEW',
};
