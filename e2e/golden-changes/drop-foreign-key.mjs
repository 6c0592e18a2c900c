// @ts-check
import { defineChange } from '../support/golden-change.mjs';

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
