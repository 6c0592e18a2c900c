import type { RawColumn } from './raw-schema.js';
import type { ColumnFormat } from './types.js';

const FORMATS: readonly ColumnFormat[] = ['email', 'uri', 'uuid', 'date', 'date-time', 'ipv4', 'ipv6', 'hostname'];
const TEXT_TYPES = new Set(['char', 'varchar', 'tinytext', 'text', 'mediumtext', 'longtext']);

/**
 * What a text column is checked for on write: its `@format …` tag (`@format none` switches the rule off), else e-mail
 * for NOT NULL columns named `email` or `…_email`. Nullable ones are left alone: real programs store other text there.
 */
export function findFormat(column: RawColumn): ColumnFormat | null {
  if (!TEXT_TYPES.has(column.type)) return null;
  const tag = /(?:^|\s)@format\s+([a-z0-9-]+)/.exec(column.comment)?.[1];
  if (tag !== undefined) return FORMATS.find((format) => format === tag) ?? null;
  const name = column.name.toLowerCase();
  return !column.nullable && (name === 'email' || name.endsWith('_email')) ? 'email' : null;
}
