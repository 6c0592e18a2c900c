// @ts-check
import { defineChange } from '../support/schemas/golden-change.mjs';

export const setDefault = defineChange({
  what: 'a column gets a default',
  columns: 'size INT NULL',
  seed: { size: 'i % 90' },
  change: 'ALTER TABLE items ALTER COLUMN size SET DEFAULT 7',
  undo: 'ALTER TABLE items ALTER COLUMN size SET DEFAULT NULL',
  before: { seeded: (i) => ({ size: i % 90 }), created: { size: null } },
  after: { seeded: (i) => ({ size: i % 90 }), created: { size: 7 } },
  strategies: { mariadb: 'instant', mysql: 'instant' },
});

export const dropDefault = defineChange({
  what: 'a column loses its default',
  columns: 'size INT NULL DEFAULT 7',
  seed: { size: 'i % 90' },
  change: 'ALTER TABLE items MODIFY COLUMN size INT NULL',
  undo: 'ALTER TABLE items ALTER COLUMN size SET DEFAULT 7',
  before: { seeded: (i) => ({ size: i % 90 }), created: { size: 7 } },
  after: { seeded: (i) => ({ size: i % 90 }), created: { size: null } },
  strategies: { mariadb: 'instant', mysql: 'instant' },
});

export const nullToNotNull = defineChange({
  what: 'a column becomes NOT NULL',
  columns: 'size INT NULL DEFAULT 7',
  seed: { size: 'i % 90' },
  change: 'ALTER TABLE items MODIFY COLUMN size INT NOT NULL DEFAULT 7',
  undo: 'ALTER TABLE items MODIFY COLUMN size INT NULL DEFAULT 7',
  before: { seeded: (i) => ({ size: i % 90 }), created: { size: 7 } },
  after: { seeded: (i) => ({ size: i % 90 }), created: { size: 7 } },
  strategies: { mariadb: 'inplace', mysql: 'inplace' },
});

export const notNullToNull = defineChange({
  what: 'a column becomes nullable',
  columns: 'size INT NOT NULL DEFAULT 7',
  seed: { size: 'i % 90' },
  change: 'ALTER TABLE items MODIFY COLUMN size INT NULL DEFAULT 7',
  undo: 'ALTER TABLE items MODIFY COLUMN size INT NOT NULL DEFAULT 7',
  before: { seeded: (i) => ({ size: i % 90 }), created: { size: 7 } },
  after: { seeded: (i) => ({ size: i % 90 }), created: { size: 7 } },
  strategies: { mariadb: 'inplace', mysql: 'inplace' },
});
