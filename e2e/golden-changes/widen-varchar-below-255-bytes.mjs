// @ts-check
import { defineChange } from '../support/golden-change.mjs';

export const widenVarcharBelow255Bytes = defineChange({
  what: 'a text column becomes wider, still with a 1-byte length',
  columns: "size VARCHAR(50) NOT NULL DEFAULT 'd'",
  seed: { size: "CONCAT('v', i)" },
  change: "ALTER TABLE items MODIFY COLUMN size VARCHAR(63) NOT NULL DEFAULT 'd'",
  undo: "ALTER TABLE items MODIFY COLUMN size VARCHAR(50) NOT NULL DEFAULT 'd'",
  before: { seeded: (i) => ({ size: `v${i}` }), created: { size: 'd' } },
  after: { seeded: (i) => ({ size: `v${i}` }), created: { size: 'd' } },
  strategies: { mariadb: 'instant', mysql: 'inplace' },
});
