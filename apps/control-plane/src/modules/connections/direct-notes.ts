import { CONNECTION_USERS_MAX, USER_SESSIONS_MAX, type DirectNote } from '@rowhouse/contracts';
import type { EngineKind } from '@rowhouse/schema-model';

/** The limits of direct connections, on every engine. docs/tools.md lists the same. */
export const DIRECT_LIMITS: readonly DirectNote[] = [
  {
    name: 'Sessions',
    text:
      `Each user can have ${USER_SESSIONS_MAX} sessions, and each database ${CONNECTION_USERS_MAX} ` +
      'users. Keep connection pools smaller.',
  },
  {
    name: 'CREATE DATABASE',
    text:
      'Not allowed for any role. If a tool creates a shadow or test database, give it a server of ' +
      'your own.',
  },
  {
    name: 'Routines and events',
    text:
      'You cannot create procedures, functions or events over a connection. Deploy routines with ' +
      'the schema.',
  },
  {
    name: 'Server rights',
    text: 'No account, file, process or replication rights: no CREATE USER, LOAD DATA INFILE or FLUSH TABLES.',
  },
  {
    name: 'Roles',
    text: 'read-only has no LOCK TABLES: take dumps with --single-transaction. Only owner can change tables and views.',
  },
  { name: 'Table engines', text: 'InnoDB only.' },
];

const TOOL_NOTES: readonly (DirectNote & { readonly engines: readonly EngineKind[] })[] = [
  {
    name: 'drizzle-kit',
    engines: ['mariadb'],
    text: 'Use generate. It finds no primary keys on MariaDB, so pull is incomplete and push --force truncates tables.',
  },
  {
    name: 'mariadb-dump',
    engines: ['mariadb', 'mysql'],
    text: 'Add --single-transaction: a read-only connection cannot lock tables.',
  },
  {
    name: 'mysqldump',
    engines: ['mysql'],
    text: 'Add --single-transaction, --no-tablespaces and --set-gtid-purged=OFF: it may not lock or flush tables.',
  },
  {
    name: 'mysqldump',
    engines: ['mariadb'],
    text: 'Add --single-transaction. Version 8 may also need --column-statistics=0.',
  },
  {
    name: 'MySQL Workbench',
    engines: ['mariadb'],
    text: 'It warns about the version of MariaDB. Use another client, or a database on MySQL.',
  },
  {
    name: 'Prisma',
    engines: ['mariadb', 'mysql'],
    text: 'prisma migrate dev needs a shadow database: set shadowDatabaseUrl to a server of your own. prisma db pull needs none.',
  },
  {
    name: 'MariaDB drivers',
    engines: ['mysql'],
    text: 'Without TLS, set allowPublicKeyRetrieval (Node.js, JDBC).',
  },
];

/** Lists what tools need on an engine. For an unknown engine, lists what tools need on both engines. */
export function listToolNotes(engine: EngineKind | null): DirectNote[] {
  return TOOL_NOTES.filter((note) => engine === null || note.engines.includes(engine)).map(
    ({ name, text }) => ({ name, text }),
  );
}
