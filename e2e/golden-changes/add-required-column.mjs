// @ts-check
import { ANY, defineChange } from '../support/golden-change.mjs';

export const addRequiredColumn = defineChange({
  what: 'a required column is added',
  change: 'ALTER TABLE items ADD COLUMN size INT NOT NULL',
  undo: 'ALTER TABLE items DROP COLUMN size',
  after: { seeded: () => ({ size: 0 }), created: { size: ANY }, sends: { size: 5 } },
  refusals: ['body.invalid'],
  strategies: { mariadb: 'instant,instant', mysql: 'instant,instant' },
});
