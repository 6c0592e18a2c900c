import type { ForeignKey, ReferentialAction } from '@rowhouse/schema-model';

const NAME = '`((?:[^`]|``)+)`';
const NAMES = '\\(((?:`(?:[^`]|``)+`(?:, ?)?)+)\\)';
const FOREIGN_KEY = new RegExp(
  `^CONSTRAINT ${NAME} FOREIGN KEY ${NAMES} REFERENCES (?:${NAME}\\.)?${NAME} ${NAMES}(.*)$`,
  's',
);
const ACTION = 'RESTRICT|CASCADE|SET NULL|NO ACTION|SET DEFAULT';

/**
 * Parses a foreign key from a line of SHOW CREATE TABLE. Returns null for another line. The alternative,
 * joining two views of information_schema, makes MariaDB open every table of every schema.
 *
 * @param unexplained the action of a key that names none
 */
export function parseForeignKey(line: string, unexplained: ReferentialAction): ForeignKey | null {
  const match = FOREIGN_KEY.exec(line);
  if (match === null) return null;
  const [, name = '', columns = '', , table = '', referenced = '', tail = ''] = match;
  const action = (word: string): ReferentialAction =>
    (new RegExp(` ON ${word} (${ACTION})`).exec(tail)?.[1] as ReferentialAction | undefined) ?? unexplained;
  return {
    name: unquote(name),
    columns: readNames(columns),
    referencedTable: unquote(table),
    referencedColumns: readNames(referenced),
    onDelete: action('DELETE'),
    onUpdate: action('UPDATE'),
    definition: line,
  };
}

function readNames(list: string): string[] {
  return [...list.matchAll(/`((?:[^`]|``)+)`/g)].map((match) => unquote(match[1] ?? ''));
}

function unquote(name: string): string {
  return name.replaceAll('``', '`');
}
