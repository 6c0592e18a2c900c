// @ts-check
import { defineChange } from '../support/golden-change.mjs';

export const replaceTrigger = defineChange({
  what: 'a trigger is replaced',
  columns: 'size INT NOT NULL DEFAULT 7',
  more: 'CREATE TRIGGER items_size BEFORE INSERT ON items FOR EACH ROW SET NEW.size = 8;',
  change:
    'DROP TRIGGER items_size; CREATE TRIGGER items_size BEFORE INSERT ON items FOR EACH ROW SET NEW.size = 9',
  undo: 'DROP TRIGGER items_size; CREATE TRIGGER items_size BEFORE INSERT ON items FOR EACH ROW SET NEW.size = 8',
  before: { seeded: () => ({ size: 8 }), created: { size: 8 } },
  after: { seeded: () => ({ size: 8 }), created: { size: 9 } },
  strategies: { mariadb: 'create', mysql: 'replace' },
});
