import type { ColumnFormat } from '@rowhouse/schema-model';
import { toPythonString } from './python-text.js';

const LABEL = '[^\\W_]+(?:-+[^\\W_]+)*';
const ATOM = '[^\\s@"(),:;<>\\[\\]\\\\.]+';
const HEX = '[0-9A-Fa-f]';

/**
 * Regular expressions with the same meaning in Rust and Python. The data API validates these formats more
 * strictly.
 */
const PATTERNS: Readonly<Record<ColumnFormat, string>> = {
  email: `^${ATOM}(?:\\.${ATOM})*@${LABEL}(?:\\.${LABEL})+`,
  uri: '^[A-Za-z][A-Za-z0-9+.\\-]*:[^\\s<>"{}|\\\\^`]+',
  uuid: `^${HEX}{8}-${HEX}{4}-${HEX}{4}-${HEX}{4}-${HEX}{12}`,
  date: '^[0-9]{4}-[0-9]{2}-[0-9]{2}',
  'date-time': '^[0-9]{4}-[0-9]{2}-[0-9]{2}[T ][0-9]{2}:[0-9]{2}[^\\s]*',
  ipv4: '^(?:[0-9]{1,3}\\.){3}[0-9]{1,3}',
  ipv6: '^[0-9A-Fa-f:.]+',
  hostname: `^${LABEL}(?:\\.${LABEL})*`,
};

/** The names of these regular expressions in `base.py`. */
export const FORMAT_NAMES: Readonly<Record<ColumnFormat, string>> = {
  email: 'EMAIL',
  uri: 'URI',
  uuid: 'UUID_TEXT',
  date: 'DATE_TEXT',
  'date-time': 'DATE_TIME_TEXT',
  ipv4: 'IPV4_TEXT',
  ipv6: 'IPV6_TEXT',
  hostname: 'HOST_NAME',
};

/**
 * Emits the regular expressions with the end anchor of the target version. In Python, `$` also matches before
 * a line break at the end. Rust, which Pydantic 2 uses, does not support `\Z`.
 */
export function emitPatterns(target: '1' | '2'): string {
  const end = target === '1' ? '\\Z' : '$';
  return (Object.keys(PATTERNS) as ColumnFormat[])
    .map((format) => `${FORMAT_NAMES[format]} = ${toPythonString(PATTERNS[format] + end)}\n`)
    .join('');
}
