// @ts-check
import { defineChange } from '../support/golden-change.mjs';

export const widenVarcharAbove255Bytes = defineChange({
  what: 'a text column becomes wider, with a 2-byte length before and after',
  columns: "size VARCHAR(300) NOT NULL DEFAULT 'd'",
  seed: { size: "CONCAT('v', i)" },
  change: "ALTER TABLE items MODIFY COLUMN size VARCHAR(600) NOT NULL DEFAULT 'd'",
  undo: "ALTER TABLE items MODIFY COLUMN size VARCHAR(300) NOT NULL DEFAULT 'd'",
  before: { seeded: (i) => ({ size: `v${i}` }), created: { size: 'd' } },
  after: { seeded: (i) => ({ size: `v${i}` }), created: { size: 'd' } },
  strategies: { mariadb: 'instant', mysql: 'inplace' },
});
