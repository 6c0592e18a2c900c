import type { RawColumn } from '@rowhouse/schema-model';
import type { ComparableColumn } from './rebuild-details.js';

const WHOLE = /^(tinyint|smallint|mediumint|int|bigint)$/;
const SHAPE = /^(geometry|point|linestring|polygon|multi\w+|geom\w+)$/;
const VARIABLE = /^(varchar|tinytext|text|mediumtext|longtext)$/;
/** The character set in which every character of another set has exactly one code. */
const UNIVERSAL = 'utf8mb4';

/** Returns how to compare a value of the table with its copy in another type. */
export function chooseComparison(from: RawColumn, to: RawColumn): ComparableColumn['by'] {
  if (SHAPE.test(from.type) || SHAPE.test(to.type)) return 'absence';
  if (from.sqlType === to.sqlType && from.charset === to.charset && from.collation === to.collation)
    return from.charset === null ? 'value' : 'bytes';
  if (WHOLE.test(from.type) && WHOLE.test(to.type)) return 'value';
  if (!VARIABLE.test(from.type) || !VARIABLE.test(to.type) || from.charset === null) return 'absence';
  if (from.charset === to.charset) return 'bytes';
  return to.charset === UNIVERSAL ? 'characters' : 'absence';
}
