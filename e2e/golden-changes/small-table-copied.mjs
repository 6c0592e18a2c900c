// @ts-check
import { defineChange } from '../support/golden-change.mjs';

export const smallTableCopied = defineChange({
  what: 'a small table is copied at once',
  columns: 'size INT NOT NULL DEFAULT 7',
  seed: { size: 'i % 90' },
  items: 1_050,
  change: 'ALTER TABLE items MODIFY COLUMN size BIGINT NOT NULL DEFAULT 7',
  undo: 'ALTER TABLE items MODIFY COLUMN size INT NOT NULL DEFAULT 7',
  before: { seeded: (i) => ({ size: i % 90 }), created: { size: 7 } },
  after: { seeded: (i) => ({ size: i % 90 }), created: { size: 7 } },
  strategies: { mariadb: 'copy_small', mysql: 'copy_small' },
});
