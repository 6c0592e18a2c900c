import type { NewColumn } from './edit-types.js';

/** The types that a new column probably has, by its name. The first entry that matches is used. */
const GUESSES: readonly (readonly [RegExp, Partial<NewColumn> & { readonly type: string }])[] = [
  [
    /^(is|has|can)_|^(active|published|done|enabled|completed|archived|public|paid|visible|verified|available)$/,
    { type: 'boolean', default: false },
  ],
  [
    /(^|_)(created|updated)_at$|^created$|^updated$/,
    { type: 'datetime', default_expression: 'CURRENT_TIMESTAMP' },
  ],
  [/_at$|(^|_)(timestamp|datetime)$/, { type: 'datetime', nullable: true }],
  [/(^|_)(date|birthday|deadline|dob)$|_on$|_until$/, { type: 'date', nullable: true }],
  [/(^|_)time$/, { type: 'time', nullable: true }],
  [/(^|_)(price|amount|cost|total|balance|salary|fee|budget)$/, { type: 'decimal(12,2)' }],
  [/(^|_)(latitude|longitude|lat|lng|lon)$/, { type: 'decimal(9,6)', nullable: true }],
  // Identifiers such as phone or account numbers are never summed. Many begin with 0 or contain letters, so
  // the column is a text.
  [
    /(^|_)(phone|telephone|mobile|fax|account|card|serial|tracking|invoice|house|licen[cs]e|passport|tax|vat|registration|part)_number$/,
    { type: 'varchar(64)' },
  ],
  [
    /(^|_)(count|quantity|age|number|stock|position|rank|year|size|weight|height|width|length|score|points|rating|level|priority|minutes|seconds|hours|days|pages)$/,
    { type: 'int' },
  ],
  [/(^|_)e_?mail(_address)?$/, { type: 'varchar(255)' }],
  [/(^|_)ip(_address)?$/, { type: 'varchar(45)' }],
  [/(^|_)(url|link|website|image|avatar|photo|picture)$/, { type: 'varchar(500)', nullable: true }],
  [
    /(^|_)(body|content|description|text|notes?|bio|comment|message|summary|address|instructions)$/,
    { type: 'text', nullable: true },
  ],
  [/(^|_)(json|metadata|settings|options|data|payload)$/, { type: 'json', nullable: true }],
  [/(^|_)(phone|telephone|mobile|fax|zip|postcode|postal_code|code|sku|isbn)$/, { type: 'varchar(64)' }],
  [
    /(^|_)(country|currency|language|locale|status|color|colour|kind|type|category)$/,
    { type: 'varchar(64)' },
  ],
];

export function guessColumn(name: string): NewColumn {
  const guess = GUESSES.find(([pattern]) => pattern.test(name))?.[1] ?? { type: 'varchar(255)' };
  return { name, ...guess };
}

/** Converts words such as `Due Date` to a column name such as `due_date`. */
export function toColumnName(words: string): string {
  return words
    .trim()
    .replace(/([a-z0-9])([A-Z])/g, '$1_$2')
    .replace(/[\s-]+/g, '_')
    .toLowerCase();
}
