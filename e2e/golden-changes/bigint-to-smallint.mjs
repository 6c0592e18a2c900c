// @ts-check
import { defineChange } from '../support/golden-change.mjs';

export const bigintToSmallint = defineChange({
  what: 'an integer column becomes narrower',
  columns: 'size BIGINT NOT NULL DEFAULT 7',
  seed: { size: 'i % 90' },
  change: 'ALTER TABLE items MODIFY COLUMN size SMALLINT NOT NULL DEFAULT 7',
  undo: 'ALTER TABLE items MODIFY COLUMN size BIGINT NOT NULL DEFAULT 7',
  before: { seeded: (i) => ({ size: i % 90 }), created: { size: 7 } },
  after: { seeded: (i) => ({ size: i % 90 }), created: { size: 7 } },
  strategies: { mariadb: 'rebuild', mysql: 'rebuild' },
});
