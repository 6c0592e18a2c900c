// @ts-check
import { defineChange } from '../support/golden-change.mjs';

export const widenKeyOfFamily = defineChange({
  what: 'a key becomes wider together with its references by CASCADE and by SET NULL',
  change: `ALTER TABLE notes DROP FOREIGN KEY notes_item; ALTER TABLE pins DROP FOREIGN KEY pins_item;
  ALTER TABLE items MODIFY COLUMN id BIGINT AUTO_INCREMENT; ALTER TABLE notes MODIFY COLUMN item_id BIGINT NOT NULL; ALTER TABLE pins MODIFY COLUMN item_id BIGINT NULL;
  ALTER TABLE notes ADD CONSTRAINT notes_item FOREIGN KEY (item_id) REFERENCES items (id) ON DELETE CASCADE;
  ALTER TABLE pins ADD CONSTRAINT pins_item FOREIGN KEY (item_id) REFERENCES items (id) ON DELETE SET NULL`,
  undo: `ALTER TABLE notes DROP FOREIGN KEY notes_item; ALTER TABLE pins DROP FOREIGN KEY pins_item;
  ALTER TABLE items MODIFY COLUMN id INT AUTO_INCREMENT; ALTER TABLE notes MODIFY COLUMN item_id INT NOT NULL; ALTER TABLE pins MODIFY COLUMN item_id INT NULL;
  ALTER TABLE notes ADD CONSTRAINT notes_item FOREIGN KEY (item_id) REFERENCES items (id) ON DELETE CASCADE;
  ALTER TABLE pins ADD CONSTRAINT pins_item FOREIGN KEY (item_id) REFERENCES items (id) ON DELETE SET NULL`,
  strategies: { mariadb: 'rebuild_family', mysql: 'rebuild_family' },
});
