import type { ColumnView, TableView } from '../../data/schema/read-tables.js';

const TEXT_SAMPLES: readonly [RegExp, string][] = [
  [/e?mail/i, 'ada@example.com'],
  [/user_?name|login|handle/i, 'ada'],
  [/title|headline/i, 'Hello from Rowhouse'],
  [/content|body|text|description/i, 'The first row of many.'],
  [/name/i, 'Example'],
  [/slug/i, 'hello'],
  [/sku|code/i, 'A-100'],
  [/url|link/i, 'https://example.com'],
];

/** Returns a request body that creates a row. It has the required columns and the first optional one. */
export function makeSampleRow(table: TableView): Record<string, unknown> {
  const writable = table.columns.filter((column) => !column.autoIncrement && !column.isGenerated);
  const required = writable.filter((column) => !column.nullable && column.default === null);
  const chosen =
    required.length > 0 ? required : writable.filter((column) => column.default === null).slice(0, 2);
  return Object.fromEntries(chosen.map((column) => [column.name, makeSampleValue(column)]));
}

/** Sample values by the JSON type of a column. For all other types, the sample is a text. */
const SAMPLES: Readonly<Record<string, unknown>> = {
  integer: 1,
  bit: 1,
  year: 2026,
  boolean: true,
  decimal: '9.90',
  float: 1.5,
  double: 1.5,
  json: {},
  binary: 'AQID',
  vector: [0.5],
  date: '2026-01-31',
  datetime: '2026-01-31T12:00:00Z',
  timestamp: '2026-01-31T12:00:00Z',
  time: '12:00:00',
  uuid: '018f3a10-0000-7000-8000-000000000001',
  geometry: { type: 'Point', coordinates: [4.9, 52.37] },
};

export function makeSampleValue({ name, type, valueKind, labels, format, maxLength }: ColumnView): unknown {
  if (labels !== null) return valueKind === 'set' ? labels.slice(0, 1) : labels[0];
  if (valueKind === 'inet') return /4/.test(type) ? '192.0.2.1' : '2001:db8::1';
  if (Object.hasOwn(SAMPLES, valueKind)) return SAMPLES[valueKind];
  const sample =
    TEXT_SAMPLES.find(([pattern]) => pattern.test(format === 'email' ? 'email' : name))?.[1] ?? 'text';
  return maxLength === null ? sample : sample.slice(0, maxLength);
}
