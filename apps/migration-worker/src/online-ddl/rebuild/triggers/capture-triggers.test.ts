import { expect, it } from 'vitest';
import { listCaptureTriggers } from './capture-triggers.js';
import type { RebuildMember } from '@rowhouse/platform-store';
import { makeRebuildNames } from '../rebuild-names.js';

const member: RebuildMember = {
  at: 0,
  details: {
    table: 'posts',
    specs: '',
    key: ['id'],
    shadowKey: ['id'],
    columns: [
      { from: 'id', to: 'id' },
      { from: 'title', to: 'headline' },
    ],
  },
  keyIndex: 'PRIMARY',
  keyColumns: [
    { from: 'id', to: 'id', chunkBy: 'number', charset: null, collation: null, castType: 'bigint(20)' },
  ],
  outKeys: [],
  mayLag: false,
  filled: [{ name: 'rank', value: '0' }],
  comparable: [],
  rows: 0,
};
const names = makeRebuildNames('mig_abcdefghijklmnopqrst', 2, 0);
const sqlOf = (
  changes: Partial<RebuildMember> = {},
  lateKeys: Parameters<typeof listCaptureTriggers>[2] = [],
): string[] => listCaptureTriggers({ ...member, ...changes }, names, lateKeys).map((trigger) => trigger.sql);

it('a rebuild trigger captures a delete before an insert of the same row', () => {
  expect(listCaptureTriggers(member, names, []).map((trigger) => trigger.name)).toEqual([
    names.captureDelete,
    names.captureUpdate,
    names.captureInsert,
  ]);
});

it('rebuild triggers find rows by their key in its new column type', () => {
  const [remove = '', , insert = ''] = sqlOf();
  expect(remove).toContain('DECLARE _rh_old_0 bigint(20) DEFAULT OLD.`id`;');
  expect(remove).toContain(`DELETE FROM \`${names.shadow}\` WHERE \`id\` = _rh_old_0;`);
  expect(insert).toContain(
    `INSERT INTO \`${names.shadow}\` (\`id\`, \`headline\`, \`rank\`) VALUES (NEW.\`id\`, NEW.\`title\`, 0);`,
  );
  expect(insert).not.toMatch(/DELETE|REPLACE|DUPLICATE/);
});

it('a rebuild trigger for an insert removes an old row with the same key', () => {
  expect(sqlOf({ mayLag: true })[2]).toMatch(/DELETE FROM [^]*INSERT INTO/);
});

it("a rebuild trigger for a delete applies the foreign key's action to child rows", () => {
  expect(sqlOf({}, [{ action: 'SET NULL', columns: ['parent_id'], referencedColumns: ['id'] }])[0]).toContain(
    'SET `parent_id` = NULL WHERE `parent_id` = OLD.`id`;',
  );
  expect(sqlOf({}, [{ action: 'CASCADE', columns: ['parent_id'], referencedColumns: ['id'] }])[0]).toMatch(
    /WITH RECURSIVE[^;]* STRAIGHT_JOIN /,
  );
});
