// @ts-check
import { defineChange } from '../support/golden-change.mjs';

export const widenKeyOfSelfReference = defineChange({
  what: 'a key becomes wider to which its own table and others refer',
  columns:
    'above_id INT NULL, CONSTRAINT items_above FOREIGN KEY (above_id) REFERENCES items (id) ON DELETE CASCADE',
  seed: { above_id: 'IF(i % 3 = 0, i - 1, NULL)' },
  change: `ALTER TABLE items DROP FOREIGN KEY items_above; ALTER TABLE notes DROP FOREIGN KEY notes_item; ALTER TABLE pins DROP FOREIGN KEY pins_item;
  ALTER TABLE items MODIFY COLUMN id BIGINT AUTO_INCREMENT, MODIFY COLUMN above_id BIGINT NULL; ALTER TABLE notes MODIFY COLUMN item_id BIGINT NOT NULL; ALTER TABLE pins MODIFY COLUMN item_id BIGINT NULL;
  ALTER TABLE items ADD CONSTRAINT items_above FOREIGN KEY (above_id) REFERENCES items (id) ON DELETE CASCADE;
  ALTER TABLE notes ADD CONSTRAINT notes_item FOREIGN KEY (item_id) REFERENCES items (id) ON DELETE CASCADE;
  ALTER TABLE pins ADD CONSTRAINT pins_item FOREIGN KEY (item_id) REFERENCES items (id) ON DELETE SET NULL`,
  undo: `ALTER TABLE items DROP FOREIGN KEY items_above; ALTER TABLE notes DROP FOREIGN KEY notes_item; ALTER TABLE pins DROP FOREIGN KEY pins_item;
  ALTER TABLE items MODIFY COLUMN id INT AUTO_INCREMENT, MODIFY COLUMN above_id INT NULL; ALTER TABLE notes MODIFY COLUMN item_id INT NOT NULL; ALTER TABLE pins MODIFY COLUMN item_id INT NULL;
  ALTER TABLE items ADD CONSTRAINT items_above FOREIGN KEY (above_id) REFERENCES items (id) ON DELETE CASCADE;
  ALTER TABLE notes ADD CONSTRAINT notes_item FOREIGN KEY (item_id) REFERENCES items (id) ON DELETE CASCADE;
  ALTER TABLE pins ADD CONSTRAINT pins_item FOREIGN KEY (item_id) REFERENCES items (id) ON DELETE SET NULL`,
  before: { seeded: (i) => ({ above_id: i % 3 === 0 ? i - 1 : null }), created: { above_id: null } },
  after: { seeded: (i) => ({ above_id: i % 3 === 0 ? i - 1 : null }), created: { above_id: null } },
  strategies: { mariadb: 'rebuild_family', mysql: 'rebuild_family' },
  holds: [
    'SELECT 1 FROM {items} c LEFT JOIN {items} p ON p.id = c.above_id WHERE c.above_id IS NOT NULL AND p.id IS NULL LIMIT 1',
  ],
});
