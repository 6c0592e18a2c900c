// @ts-check
import { defineChange } from '../support/golden-change.mjs';

export const widenVarcharAcross255Bytes = defineChange({
  what: 'a text column becomes wider, with a 2-byte length instead of a 1-byte length',
  columns: "size VARCHAR(50) NOT NULL DEFAULT 'd'",
  seed: { size: "CONCAT('v', i)" },
  change: "ALTER TABLE items MODIFY COLUMN size VARCHAR(255) NOT NULL DEFAULT 'd'",
  undo: "ALTER TABLE items MODIFY COLUMN size VARCHAR(50) NOT NULL DEFAULT 'd'",
  before: { seeded: (i) => ({ size: `v${i}` }), created: { size: 'd' } },
  after: { seeded: (i) => ({ size: `v${i}` }), created: { size: 'd' } },
  strategies: { mariadb: 'rebuild', mysql: 'rebuild' },
});
