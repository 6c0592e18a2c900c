// @ts-check
import { defineChange } from '../support/schemas/golden-change.mjs';

export const addForeignKey = defineChange({
  what: 'a foreign key is added for an existing column',
  columns: 'editor_id INT NULL, KEY items_editor (editor_id)',
  seed: { editor_id: '1 + i % 50' },
  change:
    'ALTER TABLE items ADD CONSTRAINT items_editor FOREIGN KEY (editor_id) REFERENCES owners (id) ON DELETE SET NULL',
  undo: 'ALTER TABLE items DROP FOREIGN KEY items_editor',
  before: { seeded: (i) => ({ editor_id: 1 + (i % 50) }), created: { editor_id: null } },
  after: { seeded: (i) => ({ editor_id: 1 + (i % 50) }), created: { editor_id: null } },
  strategies: { mariadb: 'add_foreign_key', mysql: 'add_foreign_key' },
});

export const dropForeignKey = defineChange({
  what: 'a foreign key is dropped',
  columns:
    'editor_id INT NULL, KEY items_editor (editor_id), CONSTRAINT items_editor FOREIGN KEY (editor_id) REFERENCES owners (id) ON DELETE SET NULL',
  seed: { editor_id: '1 + i % 50' },
  change: 'ALTER TABLE items DROP FOREIGN KEY items_editor',
  undo: 'ALTER TABLE items ADD CONSTRAINT items_editor FOREIGN KEY (editor_id) REFERENCES owners (id) ON DELETE SET NULL',
  before: { seeded: (i) => ({ editor_id: 1 + (i % 50) }), created: { editor_id: null } },
  after: { seeded: (i) => ({ editor_id: 1 + (i % 50) }), created: { editor_id: null } },
  strategies: { mariadb: 'instant', mysql: 'inplace' },
});

export const changePrimaryKey = defineChange({
  what: 'the primary key gets a second column',
  change: 'ALTER TABLE pins ADD KEY pins_id (id), DROP PRIMARY KEY, ADD PRIMARY KEY (mark, id)',
  undo: 'ALTER TABLE pins DROP PRIMARY KEY, ADD PRIMARY KEY (id), DROP KEY pins_id',
  strategies: { mariadb: 'inplace', mysql: 'inplace' },
});

export const dropPrimaryKey = defineChange({
  what: 'the primary key is dropped, and another unique key stays',
  columns: 'UNIQUE KEY items_id (id)',
  change: 'ALTER TABLE items DROP PRIMARY KEY',
  undo: 'ALTER TABLE items ADD PRIMARY KEY (id)',
  strategies: { mariadb: 'nocopy', mysql: 'rebuild' },
});
