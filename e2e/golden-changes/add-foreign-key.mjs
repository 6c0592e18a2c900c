// @ts-check
import { defineChange } from '../support/golden-change.mjs';

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
