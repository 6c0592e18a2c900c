import type { RawColumn } from './raw-schema.js';
import type { ColumnFormat } from './types.js';

const FORMATS: readonly ColumnFormat[] = [
  'email',
  'uri',
  'uuid',
  'date',
  'date-time',
  'ipv4',
  'ipv6',
  'hostname',
];
const TEXT_TYPES = new Set(['char', 'varchar', 'tinytext', 'text', 'mediumtext', 'longtext']);

/**
 * Returns the format that a text column is validated against on write. The `@format …` tag in the comment
 * decides; `@format none` disables validation.
 *
 * Without a tag, NOT NULL columns named `email` or `…_email` are checked as email addresses. Nullable ones
 * are not, since existing programs store other text there.
 */
export function findFormat(column: RawColumn): ColumnFormat | null {
  if (!TEXT_TYPES.has(column.type)) return null;
  const tag = /(?:^|\s)@format\s+([a-z0-9-]+)/.exec(column.comment)?.[1];
  if (tag !== undefined) return FORMATS.find((format) => format === tag) ?? null;
  const name = column.name.toLowerCase();
  return !column.nullable && (name === 'email' || name.endsWith('_email')) ? 'email' : null;
}
