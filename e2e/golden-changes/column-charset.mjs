// @ts-check
import { defineChange } from '../support/golden-change.mjs';

export const columnCharset = defineChange({
  what: 'a text column is converted to a character set with every character',
  columns: 'size VARCHAR(90) CHARACTER SET utf8mb3 COLLATE utf8mb3_unicode_ci NULL',
  seed: { size: "CONCAT('v', i)" },
  change:
    'ALTER TABLE items MODIFY COLUMN size VARCHAR(90) CHARACTER SET utf8mb4 COLLATE utf8mb4_unicode_ci NULL',
  undo: 'ALTER TABLE items MODIFY COLUMN size VARCHAR(90) CHARACTER SET utf8mb3 COLLATE utf8mb3_unicode_ci NULL',
  before: { seeded: (i) => ({ size: `v${i}` }), created: { size: null } },
  after: { seeded: (i) => ({ size: `v${i}` }), created: { size: null } },
  strategies: { mariadb: 'instant', mysql: 'inplace' },
});
