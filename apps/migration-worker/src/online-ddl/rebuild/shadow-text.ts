import { CHECK_NUMBER_FROM } from '@rowhouse/ddl-plan';
import { quoteName, readPieceName, splitCreateTable } from '@rowhouse/mysql';
import type { EngineKind, RawTable } from '@rowhouse/schema-model';

const NAME = '`(?:[^`]|``)+`';

const HEAD = new RegExp(`^CONSTRAINT ${NAME} `);

const REFERENCE = new RegExp(` REFERENCES (?:${NAME}\\.)?${NAME} `);
/**
 * The statements that create an empty shadow table. The first creates a copy of the unchanged table, and the
 * others apply the change to it.
 */
export interface ShadowText {
  readonly create: string;
  readonly change: string;
}

/**
 * Builds the statements from the table's own CREATE TABLE, so that all indexes are written out. With LIKE, an
 * index that the server created for a foreign key would become an ordinary index, which a foreign key then
 * does not replace. Foreign keys are left out. On MySQL, the names of checks must be unique in a schema, so
 * the checks get other names in the table and in `specs` (`checkName`).
 */
export function makeShadowText(
  table: RawTable,
  shadow: string,
  specs: string,
  engine: EngineKind,
): ShadowText {
  const parts = splitCreateTable(table.createSql);
  if (parts === null) throw new Error(`the definition of ${table.name} cannot be parsed`);
  const keys = new Set(table.foreignKeys.map((key) => key.definition));
  const rename = engine === 'mysql' ? makeCheckNames(table, shadow) : (name: string): string => name;
  const chunks = parts.pieces.filter((chunk) => !keys.has(chunk)).map((chunk) => renameCheck(chunk, rename));
  const options = parts.options === '' ? '' : ` ${parts.options}`;
  return {
    create: `CREATE TABLE ${quoteName(shadow)} (\n  ${chunks.join(',\n  ')}\n)${options}`,
    change: `ALTER TABLE ${quoteName(shadow)} ${renameInSpecs(specs, rename)}`,
  };
}

function renameCheck(chunk: string, rename: (name: string) => string): string {
  const named = chunk.startsWith('CONSTRAINT ') ? readPieceName(chunk) : null;
  return named === null ? chunk : `CONSTRAINT ${quoteName(rename(named.name))} ${named.rest}`;
}

const CONSTRAINT_NAME =
  /\b(ADD CONSTRAINT|DROP CONSTRAINT|DROP CHECK|ALTER CHECK|ALTER CONSTRAINT) `((?:[^`]|``)+)`/g;

function renameInSpecs(specs: string, rename: (name: string) => string): string {
  return specs.replace(
    CONSTRAINT_NAME,
    (_match, words: string, name: string) => `${words} ${quoteName(rename(name.replaceAll('``', '`')))}`,
  );
}

/**
 * Returns a function that gives each check its name in the shadow table. `posts_chk_2` becomes
 * `<shadow>_chk_2`, and the swap changes it back. A name that a user chose cannot exist twice, and changing
 * it later would need a copy. A check with such a name keeps a generated name.
 */
function makeCheckNames(table: RawTable, shadow: string): (name: string) => string {
  const chosen = new Map<string, string>();
  return (name) => {
    const suffix = readGeneratedSuffix(table.name, name, 'chk');
    if (suffix !== null) return `${shadow}${suffix}`;
    const known = chosen.get(name) ?? `${shadow}_chk_${CHECK_NUMBER_FROM + chosen.size}`;
    chosen.set(name, known);
    return known;
  };
}

/**
 * Returns the line of a foreign key in CREATE TABLE under another name. With `onto`, the key references that
 * table instead.
 */
export function respellKey(definition: string, name: string, onto?: string): string {
  const named = definition.replace(HEAD, () => `CONSTRAINT ${quoteName(name)} `);
  return onto === undefined ? named : named.replace(REFERENCE, () => ` REFERENCES ${quoteName(onto)} `);
}

/**
 * Returns the suffix of a server-generated name, such as `posts_ibfk_1`. Returns null for other names. When a
 * table is renamed, the server also renames its keys with such names.
 */
export function readGeneratedSuffix(table: string, name: string, word: 'ibfk' | 'chk'): string | null {
  const rest = name.startsWith(`${table}_${word}_`) ? name.slice(table.length) : '';
  return /^_[a-z]+_[1-9]\d*$/.test(rest) ? rest : null;
}
