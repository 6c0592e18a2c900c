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

/** A body that creates a row: the columns one must give, plus the first that one may. */
export function makeSampleRow(table: TableView): Record<string, unknown> {
  const writable = table.columns.filter((column) => !column.autoIncrement);
  const required = writable.filter((column) => !column.nullable && column.default === null);
  const chosen = required.length > 0 ? required : writable.filter((column) => column.default === null).slice(0, 2);
  return Object.fromEntries(chosen.map((column) => [column.name, makeSampleValue(column)]));
}

export function makeSampleValue(column: ColumnView): unknown {
  if (column.labels !== null) return column.labels[0];
  const type = column.type.toLowerCase();
  if (/bool|tinyint\(1\)/.test(type)) return true;
  if (/int|serial|year/.test(type)) return 1;
  if (/dec|num/.test(type)) return '9.90';
  if (/float|double|real/.test(type)) return 1.5;
  if (/json/.test(type)) return {};
  if (/datetime|timestamp/.test(type)) return '2026-01-31T12:00:00Z';
  if (/date/.test(type)) return '2026-01-31';
  if (/time/.test(type)) return '12:00:00';
  if (/uuid/.test(type)) return '018f3a10-0000-7000-8000-000000000001';
  const sample = TEXT_SAMPLES.find(([pattern]) => pattern.test(column.format === 'email' ? 'email' : column.name))?.[1] ?? 'text';
  return column.maxLength === null ? sample : sample.slice(0, column.maxLength);
}
