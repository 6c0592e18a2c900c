import { CONNECTION_USERS_MAX, USER_SESSIONS_MAX, type DirectNote } from '@rowhouse/contracts';
import type { EngineKind } from '@rowhouse/schema-model';

/** The limits of direct connections, on every engine. docs/tools.md lists the same. */
export const DIRECT_LIMITS: readonly DirectNote[] = [
  {
    name: 'Sessions',
    text:
      `Each user can have ${USER_SESSIONS_MAX} sessions, and each database ${CONNECTION_USERS_MAX} ` +
      'users. Limit the size of connection pools accordingly.',
  },
  {
    name: 'CREATE DATABASE',
    text:
      'Not allowed for any role. If a tool needs to create a shadow or test database, give it a server of ' +
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
    text: 'You have no account, file, process or replication rights. CREATE USER, LOAD DATA INFILE and FLUSH TABLES fail.',
  },
  {
    name: 'Roles',
    text: 'The role read-only cannot use LOCK TABLES, so make dumps with --single-transaction. Only the role owner can change tables and views.',
  },
  { name: 'Table engines', text: 'A table must use InnoDB.' },
];

const TOOL_NOTES: readonly (DirectNote & { readonly engines: readonly EngineKind[] })[] = [
  {
    name: 'drizzle-kit',
    engines: ['mariadb'],
    text: 'Use drizzle-kit generate. On MariaDB, drizzle-kit does not find primary keys: pull returns an incomplete schema, and push --force truncates tables.',
  },
  {
    name: 'mariadb-dump',
    engines: ['mariadb', 'mysql'],
    text: 'Add --single-transaction, because a read-only connection cannot lock tables.',
  },
  {
    name: 'mysqldump',
    engines: ['mysql'],
    text: 'Add --single-transaction, --no-tablespaces and --set-gtid-purged=OFF, because connections cannot lock or flush tables.',
  },
  {
    name: 'mysqldump',
    engines: ['mariadb'],
    text: 'Add --single-transaction. With mysqldump 8, also add --column-statistics=0 if the dump fails.',
  },
  {
    name: 'MySQL Workbench',
    engines: ['mariadb'],
    text: 'MySQL Workbench shows a warning about the server version. Use another client, or a database on MySQL.',
  },
  {
    name: 'Prisma',
    engines: ['mariadb', 'mysql'],
    text: 'prisma migrate dev needs a shadow database, so set shadowDatabaseUrl to a server of your own. prisma db pull does not need one.',
  },
  {
    name: 'MariaDB drivers',
    engines: ['mysql'],
    text: 'If you connect without TLS, set allowPublicKeyRetrieval (Node.js and JDBC).',
  },
];

/** Lists what tools need on an engine. For an unknown engine, lists what tools need on both engines. */
export function listToolNotes(engine: EngineKind | null): DirectNote[] {
  return TOOL_NOTES.filter((note) => engine === null || note.engines.includes(engine)).map(
    ({ name, text }) => ({ name, text }),
  );
}
