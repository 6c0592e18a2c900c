// @ts-check
import { defineChange } from '../support/golden-change.mjs';

export const rebuildSelfReference = defineChange({
  what: 'a table that refers to itself is rebuilt',
  columns:
    'size INT NOT NULL DEFAULT 7, above_id INT NULL, CONSTRAINT items_above FOREIGN KEY (above_id) REFERENCES items (id) ON DELETE SET NULL',
  seed: { size: 'i % 90', above_id: 'IF(i > 1, i - 1, NULL)' },
  change: 'ALTER TABLE items MODIFY COLUMN size BIGINT NOT NULL DEFAULT 7',
  undo: 'ALTER TABLE items MODIFY COLUMN size INT NOT NULL DEFAULT 7',
  before: {
    seeded: (i) => ({ size: i % 90, above_id: i > 1 ? i - 1 : null }),
    created: { size: 7, above_id: null },
  },
  after: {
    seeded: (i) => ({ size: i % 90, above_id: i > 1 ? i - 1 : null }),
    created: { size: 7, above_id: null },
  },
  strategies: { mariadb: 'rebuild', mysql: 'rebuild' },
  holds: [
    'SELECT 1 FROM {items} c LEFT JOIN {items} p ON p.id = c.above_id WHERE c.above_id IS NOT NULL AND p.id IS NULL LIMIT 1',
  ],
});
