// @ts-check
import { defineChange } from '../support/golden-change.mjs';

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
