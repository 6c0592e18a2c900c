// @ts-check
import { defineChange } from '../support/golden-change.mjs';

export const renameColumn = defineChange({
  what: 'a column is renamed',
  change: 'ALTER TABLE items RENAME COLUMN title TO headline',
  undo: 'ALTER TABLE items RENAME COLUMN headline TO title',
  after: {
    seeded: (i) => ({ title: undefined, headline: `t${i}` }),
    created: { title: undefined, headline: 'made' },
    sends: { title: undefined, headline: 'made' },
  },
  refusals: ['body.invalid'],
  strategies: { mariadb: 'instant', mysql: 'instant' },
});
