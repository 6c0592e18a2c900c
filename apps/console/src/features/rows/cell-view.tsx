import { countBase64Bytes, CutValue, describeBytes, toCellText, UNREAD } from '../../data/rows/cell-text.js';
import { kindOf } from '../../data/rows/column-kinds.js';
import type { ColumnView } from '../../data/schema/read-tables.js';
import classes from './rows.module.css';

/** More of a value is never drawn in a cell. */
const DRAWN_MAX = 300;

/** A value as a cell shows it: NULL and the empty text apart, long ones with their size. */
export function CellView({ column, value }: { column: ColumnView; value: unknown }) {
  if (value === UNREAD) return <span className={classes.shimmer} aria-hidden="true" />;
  if (value === null) return <span className={classes.quiet}>NULL</span>;
  // A new row that leaves it out, or a column that this key cannot read.
  if (value === undefined) return <span className={classes.quiet}>{column.default === null && !column.autoIncrement ? '' : 'default'}</span>;
  const kind = kindOf(column);
  if (kind === 'binary') return <BinaryView value={value} />;
  const text = toCellText(value);
  if (text === '') return <span className={classes.quiet}>empty</span>;
  const isCut = value instanceof CutValue && value.length > value.start.length;
  return (
    <>
      <span className={classes.text} data-mono={kind === 'json' || kind === 'datetime' || kind === 'date' || kind === 'time' || undefined}>{firstLine(text)}</span>
      {isCut ? <span className={classes.size}>{value.length.toLocaleString('en')} {value.unit === 'bytes' ? 'bytes' : 'chars'}</span> : null}
    </>
  );
}

function BinaryView({ value }: { value: unknown }) {
  const [shown, bytes] = value instanceof CutValue ? [value.start, value.length] : [toBytesText(String(value as string)), countBase64Bytes(String(value as string))];
  if (bytes === 0) return <span className={classes.quiet}>empty</span>;
  return (
    <>
      <span className={classes.text} data-mono>{shown.toLowerCase()}{bytes > shown.length / 2 ? '…' : ''}</span>
      <span className={classes.size}>{describeBytes(bytes)}</span>
    </>
  );
}

/** The first bytes of base64 text in hexadecimal digits. */
function toBytesText(base64: string): string {
  try {
    return Array.from(atob(base64.slice(0, 24))).slice(0, 16).map((char) => char.charCodeAt(0).toString(16).padStart(2, '0')).join('');
  } catch {
    return '';
  }
}

function firstLine(text: string): string {
  return text.slice(0, DRAWN_MAX).replaceAll(/\s*\n\s*/g, ' ↵ ');
}
