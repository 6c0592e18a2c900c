// @ts-check
import { defineChange } from '../support/golden-change.mjs';

export const narrowVarchar = defineChange({
  what: 'a text column becomes narrower',
  columns: "size VARCHAR(60) NOT NULL DEFAULT 'd'",
  seed: { size: "CONCAT('v', i)" },
  change: "ALTER TABLE items MODIFY COLUMN size VARCHAR(20) NOT NULL DEFAULT 'd'",
  undo: "ALTER TABLE items MODIFY COLUMN size VARCHAR(60) NOT NULL DEFAULT 'd'",
  before: { seeded: (i) => ({ size: `v${i}` }), created: { size: 'd' } },
  after: { seeded: (i) => ({ size: `v${i}` }), created: { size: 'd' } },
  strategies: { mariadb: 'rebuild', mysql: 'rebuild' },
});
