// @ts-check
import { defineChange } from '../support/golden-change.mjs';

export const enumInsert = defineChange({
  what: 'an ENUM gets a new value between others',
  columns: "size ENUM('red','blue') NOT NULL DEFAULT 'red'",
  seed: { size: "ELT(1 + i % 2, 'red', 'blue')" },
  change: "ALTER TABLE items MODIFY COLUMN size ENUM('red','green','blue') NOT NULL DEFAULT 'red'",
  undo: "ALTER TABLE items MODIFY COLUMN size ENUM('red','blue') NOT NULL DEFAULT 'red'",
  before: { seeded: (i) => ({ size: i % 2 === 0 ? 'red' : 'blue' }), created: { size: 'red' } },
  after: { seeded: (i) => ({ size: i % 2 === 0 ? 'red' : 'blue' }), created: { size: 'red' } },
  strategies: { mariadb: 'rebuild', mysql: 'rebuild' },
});
