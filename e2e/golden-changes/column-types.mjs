// @ts-check
import { ANY, defineChange } from '../support/schemas/golden-change.mjs';

export const intToBigint = defineChange({
  what: 'an integer column becomes wider',
  columns: 'size INT NOT NULL DEFAULT 7',
  seed: { size: 'i % 90' },
  change: 'ALTER TABLE items MODIFY COLUMN size BIGINT NOT NULL DEFAULT 7',
  undo: 'ALTER TABLE items MODIFY COLUMN size INT NOT NULL DEFAULT 7',
  before: { seeded: (i) => ({ size: i % 90 }), created: { size: 7 } },
  after: { seeded: (i) => ({ size: i % 90 }), created: { size: 7 } },
  strategies: { mariadb: 'rebuild', mysql: 'rebuild' },
});

export const bigintToSmallint = defineChange({
  what: 'an integer column becomes narrower',
  columns: 'size BIGINT NOT NULL DEFAULT 7',
  seed: { size: 'i % 90' },
  change: 'ALTER TABLE items MODIFY COLUMN size SMALLINT NOT NULL DEFAULT 7',
  undo: 'ALTER TABLE items MODIFY COLUMN size BIGINT NOT NULL DEFAULT 7',
  before: { seeded: (i) => ({ size: i % 90 }), created: { size: 7 } },
  after: { seeded: (i) => ({ size: i % 90 }), created: { size: 7 } },
  strategies: { mariadb: 'rebuild', mysql: 'rebuild' },
});

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

export const decimalWider = defineChange({
  what: 'a decimal column becomes wider',
  columns: 'size DECIMAL(8,2) NOT NULL DEFAULT 7',
  seed: { size: 'i % 90' },
  change: 'ALTER TABLE items MODIFY COLUMN size DECIMAL(12,4) NOT NULL DEFAULT 7',
  undo: 'ALTER TABLE items MODIFY COLUMN size DECIMAL(8,2) NOT NULL DEFAULT 7',
  before: { seeded: () => ({ size: ANY }), created: { size: ANY } },
  after: { seeded: () => ({ size: ANY }), created: { size: ANY } },
  strategies: { mariadb: 'rebuild', mysql: 'rebuild' },
});

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

export const enumAppend = defineChange({
  what: 'an ENUM gets a new value at its end',
  columns: "size ENUM('red','blue') NOT NULL DEFAULT 'red'",
  seed: { size: "ELT(1 + i % 2, 'red', 'blue')" },
  change: "ALTER TABLE items MODIFY COLUMN size ENUM('red','blue','green') NOT NULL DEFAULT 'red'",
  undo: "ALTER TABLE items MODIFY COLUMN size ENUM('red','blue') NOT NULL DEFAULT 'red'",
  before: { seeded: (i) => ({ size: i % 2 === 0 ? 'red' : 'blue' }), created: { size: 'red' } },
  after: { seeded: (i) => ({ size: i % 2 === 0 ? 'red' : 'blue' }), created: { size: 'red' } },
  strategies: { mariadb: 'instant', mysql: 'instant' },
});

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
