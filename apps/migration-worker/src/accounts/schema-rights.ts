import type { ConnectionRole } from '@rowhouse/contracts';
import type { WorkerServer } from '@rowhouse/platform-store';

const DML = 'SELECT, INSERT, UPDATE, DELETE';
const TABLE_DDL = 'CREATE, ALTER, DROP, INDEX, REFERENCES, CREATE VIEW, SHOW VIEW, TRIGGER, ALTER ROUTINE, EXECUTE, LOCK TABLES, CREATE TEMPORARY TABLES';

/** Every right inside one schema that Rowhouse grants; nothing global, no FILE, EVENT or GRANT OPTION. */
export const ALL_SCHEMA_RIGHTS = `${DML}, ${TABLE_DDL}, CREATE ROUTINE`;
export const ROW_RIGHTS = DML;

/**
 * What deployed views, triggers and routines run with: reading and writing rows, and calling each other. No DDL, and
 * nothing outside the tenant's schema.
 */
export const DEFINER_RIGHTS = `${DML}, EXECUTE, TRIGGER, CREATE TEMPORARY TABLES`;
/** The rights of an owner's connection that deployed objects do not run with. */
export const RIGHTS_BEYOND_DEFINER = 'CREATE, ALTER, DROP, INDEX, REFERENCES, CREATE VIEW, SHOW VIEW, ALTER ROUTINE, CREATE ROUTINE, LOCK TABLES';
/** What the definer account needs in addition while the worker creates objects in its name. */
export const DEFINER_CREATE_RIGHTS = 'CREATE VIEW, SHOW VIEW, CREATE ROUTINE, ALTER ROUTINE, LOCK TABLES';

/**
 * Whether a routine that drops itself by dynamic SQL stops this server (MDEV-38861, seen on 10.11.19; no release is
 * known to have a fix). Tenants get no CREATE ROUTINE there: they create routines by deploying them.
 */
export function crashesOnRoutines(server: Pick<WorkerServer, 'engine'>): boolean {
  return server.engine === 'mariadb';
}

/** Returns the rights that a connection of this role has on its database's schema. */
export function listRoleRights(server: Pick<WorkerServer, 'engine'>, role: ConnectionRole): string {
  switch (role) {
    case 'owner': return crashesOnRoutines(server) ? `${DML}, ${TABLE_DDL}` : ALL_SCHEMA_RIGHTS;
    case 'read-write': return `${DML}, SHOW VIEW, EXECUTE, LOCK TABLES, CREATE TEMPORARY TABLES`;
    case 'read-only': return 'SELECT, SHOW VIEW';
  }
}
