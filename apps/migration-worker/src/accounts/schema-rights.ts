import type { ConnectionRole } from '@rowhouse/contracts';

const DML = 'SELECT, INSERT, UPDATE, DELETE';

/** Everything inside one schema; nothing global, no FILE, EVENT or GRANT OPTION. */
export const OWNER_RIGHTS = `${DML}, CREATE, ALTER, DROP, INDEX, REFERENCES, CREATE VIEW, SHOW VIEW, TRIGGER, CREATE ROUTINE, ALTER ROUTINE, EXECUTE, LOCK TABLES, CREATE TEMPORARY TABLES`;

export const ROW_RIGHTS = DML;

export const ROLE_RIGHTS: Readonly<Record<ConnectionRole, string>> = {
  owner: OWNER_RIGHTS,
  'read-write': `${DML}, SHOW VIEW, EXECUTE, LOCK TABLES, CREATE TEMPORARY TABLES`,
  'read-only': 'SELECT, SHOW VIEW',
};
