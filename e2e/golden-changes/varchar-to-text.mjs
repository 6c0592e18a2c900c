// @ts-check
import { defineChange } from '../support/golden-change.mjs';

export const varcharToText = defineChange({
  what: 'a text column becomes TEXT',
  columns: 'size VARCHAR(60) NULL',
  seed: { size: "CONCAT('v', i)" },
  change: 'ALTER TABLE items MODIFY COLUMN size TEXT NULL',
  undo: 'ALTER TABLE items MODIFY COLUMN size VARCHAR(60) NULL',
  before: { seeded: (i) => ({ size: `v${i}` }), created: { size: null } },
  after: { seeded: (i) => ({ size: `v${i}` }), created: { size: null } },
  strategies: { mariadb: 'rebuild', mysql: 'rebuild' },
});
