// @ts-check
import { defineChange } from '../support/golden-change.mjs';

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
