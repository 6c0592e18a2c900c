// @ts-check
import { defineChange } from '../support/golden-change.mjs';

export const changePrimaryKey = defineChange({
  what: 'the primary key gets a second column',
  change: 'ALTER TABLE pins ADD KEY pins_id (id), DROP PRIMARY KEY, ADD PRIMARY KEY (mark, id)',
  undo: 'ALTER TABLE pins DROP PRIMARY KEY, ADD PRIMARY KEY (id), DROP KEY pins_id',
  strategies: { mariadb: 'inplace', mysql: 'inplace' },
});
