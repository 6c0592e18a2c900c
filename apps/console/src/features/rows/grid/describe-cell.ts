import {
  countBase64Bytes,
  CutValue,
  describeBytes,
  toCellText,
  UNREAD,
} from '../../../data/rows/cell-text.js';
import { kindOf, type ColumnKind } from '../../../data/rows/column-kinds.js';
import type { ColumnView } from '../../../data/schema/read-tables.js';
import { formatCount } from '../../../ui/formatting/format-number.js';

/** The maximum number of characters that are shown in a cell. */
const DRAWN_MAX = 300;

/** A value as a cell shows it. */
export interface CellText {
  /** `unread` means that the value is not loaded yet. `quiet` is a description instead of the value. */
  readonly tone: 'plain' | 'mono' | 'quiet' | 'unread';
  readonly text: string;
  /** The size of the whole value, if only a part is shown. */
  readonly size: string | null;
}

const MONO: ReadonlySet<ColumnKind> = new Set(['json', 'datetime', 'date', 'time']);

/** Describes a value for a cell. NULL and an empty string look different, and long values show their size. */
export function describeCell(column: ColumnView, value: unknown): CellText {
  if (value === UNREAD) return { tone: 'unread', text: '', size: null };
  if (value === null) return quiet('NULL');
  // If the value is undefined, a new row omits the column, or the key may not read the column.
  if (value === undefined) return quiet(column.default === null && !column.autoIncrement ? '' : 'default');
  const kind = kindOf(column);
  if (kind === 'binary') return describeBinary(value);
  const text = toCellText(value);
  if (text === '') return quiet('empty');
  const isCut = value instanceof CutValue && value.length > value.start.length;
  return {
    tone: MONO.has(kind) ? 'mono' : 'plain',
    text: toOneLine(text),
    size: isCut ? `${formatCount(value.length)} ${value.unit === 'bytes' ? 'bytes' : 'chars'}` : null,
  };
}

function quiet(text: string): CellText {
  return { tone: 'quiet', text, size: null };
}

function describeBinary(value: unknown): CellText {
  const [visible, bytes] =
    value instanceof CutValue
      ? [value.start, value.length]
      : [toBytesText(String(value as string)), countBase64Bytes(String(value as string))];
  return bytes === 0
    ? quiet('empty')
    : {
        tone: 'mono',
        text: `${visible.toLowerCase()}${bytes > visible.length / 2 ? '…' : ''}`,
        size: describeBytes(bytes),
      };
}

/** Decodes base64 text and returns its first bytes in hexadecimal. */
function toBytesText(base64: string): string {
  try {
    return Array.from(atob(base64.slice(0, 24)))
      .slice(0, 16)
      .map((char) => char.charCodeAt(0).toString(16).padStart(2, '0'))
      .join('');
  } catch {
    return '';
  }
}

function toOneLine(text: string): string {
  const drawn = text.length > DRAWN_MAX ? text.slice(0, DRAWN_MAX) : text;
  return drawn.includes('\n') ? drawn.replaceAll(/\s*\n\s*/g, ' ↵ ') : drawn;
}
