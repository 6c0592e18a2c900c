// @ts-check
import { ANY, defineChange } from '../support/schemas/golden-change.mjs';

export const addColumnFirst = defineChange({
  what: 'a column is added before all others',
  change: 'ALTER TABLE items ADD COLUMN size INT NULL FIRST',
  undo: 'ALTER TABLE items DROP COLUMN size',
  after: { seeded: () => ({ size: null }), created: { size: null } },
  strategies: { mariadb: 'instant', mysql: 'instant' },
});

export const addColumnMiddle = defineChange({
  what: 'a column is added between others',
  change: "ALTER TABLE items ADD COLUMN size VARCHAR(9) NOT NULL DEFAULT 'x' AFTER mark",
  undo: 'ALTER TABLE items DROP COLUMN size',
  after: { seeded: () => ({ size: 'x' }), created: { size: 'x' } },
  strategies: { mariadb: 'instant', mysql: 'instant' },
});

export const addColumnLast = defineChange({
  what: 'a nullable column is added at the end',
  change: 'ALTER TABLE items ADD COLUMN size INT NULL',
  undo: 'ALTER TABLE items DROP COLUMN size',
  after: { seeded: () => ({ size: null }), created: { size: null } },
  strategies: { mariadb: 'instant', mysql: 'instant' },
});

export const addColumnWithDefault = defineChange({
  what: 'a NOT NULL column with a default is added',
  change: 'ALTER TABLE items ADD COLUMN size INT NOT NULL DEFAULT 7',
  undo: 'ALTER TABLE items DROP COLUMN size',
  after: { seeded: () => ({ size: 7 }), created: { size: 7 } },
  strategies: { mariadb: 'instant', mysql: 'instant' },
});

export const addColumnOfExpression = defineChange({
  what: 'a column is added whose default expression differs for each row',
  // MySQL rejects such a default in ALTER TABLE, because statement-based replication would produce other
  // values.
  only: 'mariadb',
  change: 'ALTER TABLE items ADD COLUMN token CHAR(36) NOT NULL DEFAULT (uuid())',
  undo: 'ALTER TABLE items DROP COLUMN token',
  after: { seeded: () => ({ token: ANY }), created: { token: ANY } },
  strategies: { mariadb: 'rebuild', mysql: 'rebuild' },
});

export const addColumnOfNow = defineChange({
  what: 'a column is added that holds the time of the change in existing rows',
  change: 'ALTER TABLE items ADD COLUMN made_at DATETIME NOT NULL DEFAULT CURRENT_TIMESTAMP',
  undo: 'ALTER TABLE items DROP COLUMN made_at',
  after: { seeded: () => ({ made_at: ANY }), created: { made_at: ANY } },
  strategies: { mariadb: 'instant', mysql: 'instant' },
});

export const addRequiredColumn = defineChange({
  what: 'a required column is added',
  change: 'ALTER TABLE items ADD COLUMN size INT NOT NULL',
  undo: 'ALTER TABLE items DROP COLUMN size',
  after: { seeded: () => ({ size: 0 }), created: { size: ANY }, sends: { size: 5 } },
  refusals: ['body.invalid'],
  strategies: { mariadb: 'instant,instant', mysql: 'instant,instant' },
});

export const addStoredColumn = defineChange({
  what: 'a stored generated column is added',
  change: 'ALTER TABLE items ADD COLUMN size INT GENERATED ALWAYS AS (CHAR_LENGTH(mark)) STORED',
  undo: 'ALTER TABLE items DROP COLUMN size',
  after: { seeded: () => ({ size: ANY }), created: { size: ANY } },
  strategies: { mariadb: 'rebuild', mysql: 'rebuild' },
});

export const addVirtualColumn = defineChange({
  what: 'a virtual generated column is added',
  change: 'ALTER TABLE items ADD COLUMN size INT GENERATED ALWAYS AS (CHAR_LENGTH(mark)) VIRTUAL',
  undo: 'ALTER TABLE items DROP COLUMN size',
  after: { seeded: () => ({ size: ANY }), created: { size: ANY } },
  strategies: { mariadb: 'instant', mysql: 'instant' },
});

export const renameColumn = defineChange({
  what: 'a column is renamed',
  change: 'ALTER TABLE items RENAME COLUMN title TO headline',
  undo: 'ALTER TABLE items RENAME COLUMN headline TO title',
  after: {
    seeded: (i) => ({ title: undefined, headline: `t${i}` }),
    created: { title: undefined, headline: 'made' },
    sends: { title: undefined, headline: 'made' },
  },
  refusals: ['body.invalid'],
  strategies: { mariadb: 'instant', mysql: 'instant' },
});

export const reorderColumn = defineChange({
  what: 'a column moves to the front',
  change: 'ALTER TABLE items MODIFY COLUMN title VARCHAR(50) NOT NULL FIRST',
  undo: 'ALTER TABLE items MODIFY COLUMN title VARCHAR(50) NOT NULL AFTER owner_id',
  strategies: { mariadb: 'instant', mysql: 'inplace' },
});

export const commentColumn = defineChange({
  what: 'a column gets a comment',
  change: "ALTER TABLE items MODIFY COLUMN title VARCHAR(50) NOT NULL COMMENT 'what it is called'",
  undo: 'ALTER TABLE items MODIFY COLUMN title VARCHAR(50) NOT NULL',
  strategies: { mariadb: 'instant', mysql: 'instant' },
});

export const columnCharset = defineChange({
  what: 'a text column is converted to a character set with every character',
  columns: 'size VARCHAR(90) CHARACTER SET utf8mb3 COLLATE utf8mb3_unicode_ci NULL',
  seed: { size: "CONCAT('v', i)" },
  change:
    'ALTER TABLE items MODIFY COLUMN size VARCHAR(90) CHARACTER SET utf8mb4 COLLATE utf8mb4_unicode_ci NULL',
  undo: 'ALTER TABLE items MODIFY COLUMN size VARCHAR(90) CHARACTER SET utf8mb3 COLLATE utf8mb3_unicode_ci NULL',
  before: { seeded: (i) => ({ size: `v${i}` }), created: { size: null } },
  after: { seeded: (i) => ({ size: `v${i}` }), created: { size: null } },
  strategies: { mariadb: 'instant', mysql: 'inplace' },
});

export const dropColumn = defineChange({
  what: 'a column is dropped',
  columns: 'size INT NULL',
  seed: { size: 'i % 90' },
  change: 'ALTER TABLE items DROP COLUMN size',
  undo: 'ALTER TABLE items ADD COLUMN size INT NULL',
  before: { seeded: () => ({ size: ANY }), created: { size: ANY } },
  strategies: { mariadb: 'keep_columns', mysql: 'keep_columns' },
});

export const dropIndexedColumn = defineChange({
  what: 'a column and its index are dropped',
  columns: 'size INT NULL, KEY items_size (size)',
  seed: { size: 'i % 90' },
  change: 'ALTER TABLE items DROP COLUMN size',
  undo: 'ALTER TABLE items ADD COLUMN size INT NULL, ADD KEY items_size (size)',
  before: { seeded: () => ({ size: ANY }), created: { size: ANY } },
  strategies: { mariadb: 'nocopy,keep_columns', mysql: 'inplace,keep_columns' },
});

export const dropRequiredColumn = defineChange({
  what: 'a required column is dropped',
  columns: 'size INT NOT NULL',
  seed: { size: 'i % 90' },
  change: 'ALTER TABLE items DROP COLUMN size',
  undo: 'ALTER TABLE items ADD COLUMN size INT NOT NULL',
  before: { seeded: () => ({ size: ANY }), created: { size: ANY }, sends: { size: 5 } },
  refusals: ['body.invalid'],
  strategies: { mariadb: 'instant,keep_columns', mysql: 'instant,keep_columns' },
});
