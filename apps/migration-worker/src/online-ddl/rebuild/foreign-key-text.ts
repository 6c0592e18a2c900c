import { quoteName } from '@rowhouse/mysql';

const NAME = '`(?:[^`]|``)+`';
const HEAD = new RegExp(`^CONSTRAINT ${NAME} `);
const REFERENCE = new RegExp(` REFERENCES (?:${NAME}\\.)?${NAME} `);

/**
 * Returns a foreign key's line of CREATE TABLE under another name, and with another
 * target when `onto` is given.
 */
export function respellKey(definition: string, name: string, onto?: string): string {
  const named = definition.replace(HEAD, () => `CONSTRAINT ${quoteName(name)} `);
  return onto === undefined ? named : named.replace(REFERENCE, () => ` REFERENCES ${quoteName(onto)} `);
}

/**
 * Returns the suffix of a server-generated name (`posts_ibfk_1`), or null.
 * Servers rename such keys together with their table.
 */
export function readGeneratedSuffix(table: string, name: string, word: 'ibfk' | 'chk'): string | null {
  const rest = name.startsWith(`${table}_${word}_`) ? name.slice(table.length) : '';
  return /^_[a-z]+_[1-9]\d*$/.test(rest) ? rest : null;
}
