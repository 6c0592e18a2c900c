// @ts-check
import { defineChange } from '../support/golden-change.mjs';

export const rebuildChild = defineChange({
  what: 'a table is rebuilt whose foreign key cascades deletes and updates',
  owned: 'ON DELETE CASCADE ON UPDATE CASCADE',
  columns:
    'size INT NOT NULL DEFAULT 7, editor_id INT NULL, CONSTRAINT items_editor FOREIGN KEY (editor_id) REFERENCES owners (id) ON DELETE SET NULL ON UPDATE CASCADE',
  seed: { size: 'i % 90', editor_id: '1 + i % 50' },
  change: 'ALTER TABLE items MODIFY COLUMN size VARCHAR(20) NOT NULL DEFAULT 7',
  undo: 'ALTER TABLE items MODIFY COLUMN size INT NOT NULL DEFAULT 7',
  before: {
    seeded: (i) => ({ size: i % 90, editor_id: 1 + (i % 50) }),
    created: { size: 7, editor_id: null },
  },
  after: {
    seeded: (i) => ({ size: String(i % 90), editor_id: 1 + (i % 50) }),
    created: { size: '7', editor_id: null },
  },
  strategies: { mariadb: 'rebuild', mysql: 'rebuild' },
  holds: [
    'SELECT 1 FROM {items} c LEFT JOIN owners p ON p.id = c.editor_id WHERE c.editor_id IS NOT NULL AND p.id IS NULL LIMIT 1',
  ],
});
