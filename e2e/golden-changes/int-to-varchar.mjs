// @ts-check
import { defineChange } from '../support/golden-change.mjs';

export const intToVarchar = defineChange({
  what: 'an integer column becomes a text column',
  columns: 'size INT NOT NULL DEFAULT 7',
  seed: { size: 'i % 90' },
  change: "ALTER TABLE items MODIFY COLUMN size VARCHAR(20) NOT NULL DEFAULT '7'",
  undo: 'ALTER TABLE items MODIFY COLUMN size INT NOT NULL DEFAULT 7',
  before: { seeded: (i) => ({ size: i % 90 }), created: { size: 7 } },
  after: { seeded: (i) => ({ size: String(i % 90) }), created: { size: '7' } },
  strategies: { mariadb: 'rebuild', mysql: 'rebuild' },
});
