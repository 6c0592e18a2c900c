import { nameSnapshot } from '@rowhouse/schema-model';
import { rawColumn, rawTable } from '@rowhouse/schema-model/testing';
import { expect, it } from 'vitest';
import { findLabel } from './find-label.js';

const id = rawColumn('id', 'int(11)');

it.each<readonly [string, ReturnType<typeof rawTable>, readonly string[]]>([
  [
    'its name',
    rawTable('shops', [id, rawColumn('shop_name', 'varchar(50)'), rawColumn('city', 'varchar(50)')]),
    ['shop_name'],
  ],
  [
    'first and last name',
    rawTable('staff', [id, rawColumn('first_name', 'varchar(50)'), rawColumn('last_name', 'varchar(50)')]),
    ['first_name', 'last_name'],
  ],
  [
    'first and last name when a title is a position',
    rawTable('staff', [
      id,
      rawColumn('first_name', 'varchar(50)'),
      rawColumn('last_name', 'varchar(50)'),
      rawColumn('title', 'varchar(50)'),
    ]),
    ['first_name', 'last_name'],
  ],
  [
    'a column with the name of the table',
    rawTable('campuses', [id, rawColumn('campus', 'varchar(50)'), rawColumn('county', 'varchar(50)')]),
    ['campus'],
  ],
  [
    'a description when the key is a number',
    rawTable('customers', [
      id,
      rawColumn('customer_details', 'varchar(50)'),
      rawColumn('other_details', 'varchar(50)'),
    ]),
    ['customer_details'],
  ],
  [
    'an identifier on the object when the key is a number',
    rawTable('trucks', [id, rawColumn('plate_number', 'varchar(12)'), rawColumn('brand', 'varchar(40)')]),
    ['plate_number'],
  ],
  [
    'its key when the key is a code',
    rawTable('types', [rawColumn('code', 'varchar(9)'), rawColumn('type_details', 'varchar(50)')], {
      primaryKey: ['code'],
    }),
    ['code'],
  ],
  [
    'its key when there is nothing else',
    rawTable('orders', [id, rawColumn('status', 'varchar(50)')]),
    ['id'],
  ],
])('findLabel identifies rows by %s', (_, table, label) => {
  const [found] = nameSnapshot({ engine: 'mariadb', tables: [table] }, null).tables;
  expect(found === undefined ? [] : findLabel(found).map((column) => column.name)).toEqual(label);
});
