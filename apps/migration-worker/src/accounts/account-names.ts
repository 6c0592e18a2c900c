import type { AccountRecord } from '@rowhouse/contracts';

const LETTERS: Readonly<Record<AccountRecord['kind'], string>> = { rows: 'r', query: 'q', query_write: 'w', migrator: 'm' };
/** MySQL's bound; MariaDB would take 80. */
const USER_NAME_MAX = 32;

/** `<schema>r`, `<schema>q`, `<schema>w`, `<schema>m`; a narrowed account carries the beginning of its rights' hash. */
export function accountName(schemaName: string, kind: AccountRecord['kind'], rightsHash: string): string {
  const name = `${schemaName}${LETTERS[kind]}`;
  const room = USER_NAME_MAX - name.length;
  if (room < (rightsHash === '' ? 0 : 8)) throw new Error(`the schema name ${schemaName} is too long for account names`);
  return name + rightsHash.slice(0, Math.min(room, 12));
}
