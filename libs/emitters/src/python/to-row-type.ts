import type { CompiledColumn } from '@rowhouse/schema-model';
import { toPythonString, type PythonImports } from './python-text.js';

const PLAIN: Readonly<Record<string, string>> = {
  tinytext: 'TINYTEXT',
  text: 'TEXT',
  mediumtext: 'MEDIUMTEXT',
  longtext: 'LONGTEXT',
  tinyblob: 'TINYBLOB',
  blob: 'BLOB',
  mediumblob: 'MEDIUMBLOB',
  longblob: 'LONGBLOB',
  year: 'YEAR',
};

/** Returns the SQLAlchemy type of a column, which is MySQL's own type or a type in `base.py`. */
export function toRowType(column: CompiledColumn, imports: PythonImports): string {
  const mysql = (name: string, args: readonly string[] = []): string => {
    imports.name('sqlalchemy.dialects', 'mysql');
    return `mysql.${name}(${args.join(', ')})`;
  };
  const own = (name: string, args: readonly string[] = []): string =>
    `${imports.name('.base', name)}(${args.join(', ')})`;
  const unsigned = column.unsigned ? ['unsigned=True'] : [];
  const fraction = column.fraction === null || column.fraction === 0 ? [] : [String(column.fraction)];
  switch (column.valueKind) {
    case 'integer':
      return mysql(column.type === 'int' ? 'INTEGER' : column.type.toUpperCase(), unsigned);
    case 'decimal':
      return mysql('DECIMAL', [String(column.precision ?? 10), String(column.scale ?? 0), ...unsigned]);
    case 'float':
    case 'double':
      return mysql(column.valueKind.toUpperCase(), unsigned);
    case 'boolean':
      return column.type === 'bit' ? own('BitBoolean') : 'sa.Boolean()';
    case 'bit':
      return mysql('BIT', [String(column.precision ?? 1)]);
    case 'enum':
      return mysql('ENUM', (column.labels ?? []).map(toPythonString));
    case 'set':
      // SQLAlchemy rejects an empty label if this option is missing.
      return mysql('SET', [
        ...(column.labels ?? []).map(toPythonString),
        ...(column.labels?.includes('') === true ? ['retrieve_as_bitwise=True'] : []),
      ]);
    case 'date':
      return 'sa.Date()';
    case 'datetime':
      return mysql(
        'DATETIME',
        fraction.map((digits) => `fsp=${digits}`),
      );
    case 'timestamp':
      return own('Timestamp', fraction);
    case 'time':
      return own('TimeSpan', fraction);
    case 'json':
      return 'sa.JSON(none_as_null=True)';
    case 'uuid':
      return own('TextUuid');
    case 'inet':
      return own(column.type === 'inet4' ? 'Inet4' : 'Inet6');
    case 'vector':
      return own('Vector', [/\((\d+)\)/.exec(column.sqlType)?.[1] ?? '0']);
    case 'geometry':
      return own('GeoJson', [
        toPythonString(column.type),
        ...(column.srid === null || column.srid === 0 ? [] : [String(column.srid)]),
      ]);
    default:
      return toTextType(column, mysql);
  }
}

function toTextType(
  column: CompiledColumn,
  mysql: (name: string, args?: readonly string[]) => string,
): string {
  const plain = PLAIN[column.type];
  if (plain !== undefined) return mysql(plain);
  const sized = ['char', 'varchar', 'binary', 'varbinary'].includes(column.type);
  return sized ? mysql(column.type.toUpperCase(), [String(column.maxLength ?? 255)]) : 'sa.Text()';
}
