import type { AccountRecord } from '@rowhouse/contracts';

const LETTERS: Readonly<Record<AccountRecord['kind'], string>> = {
  rows: 'r',
  query: 'q',
  query_write: 'w',
  migrator: 'm',
};
/** The maximum length on MySQL. MariaDB would accept 80. */
const USER_NAME_MAX = 32;

/**
 * Returns the account's name: `<schema>r`, `<schema>q`, `<schema>w` or `<schema>m`. An account with narrowed
 * rights also gets the first characters of their hash.
 */
export function accountName(schemaName: string, kind: AccountRecord['kind'], rightsHash: string): string {
  const name = `${schemaName}${LETTERS[kind]}`;
  const capacity = USER_NAME_MAX - name.length;
  if (capacity < (rightsHash === '' ? 0 : 8))
    throw new Error(`the schema name ${schemaName} is too long for account names`);
  return name + rightsHash.slice(0, Math.min(capacity, 12));
}
