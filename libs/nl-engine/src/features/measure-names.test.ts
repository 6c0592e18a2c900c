import { nameSnapshot } from '@rowhouse/schema-model';
import { foreignKey, rawColumn, rawTable } from '@rowhouse/schema-model/testing';
import { describe, expect, it } from 'vitest';
import { measureOver, measureShop } from '../../test/measure-shop.js';
import { buildLexicon } from '../lexicon/build-lexicon.js';
import { type Lexicon } from '../lexicon/lexicon.js';

describe('measureNames', () => {
  it('verbTables counts a verb that names a table which the statement does not use', () => {
    expect(
      measureShop('products that were reviewed by customers', 'EXISTS (SELECT 1 FROM `orders`')?.[
        'verbTables'
      ] ?? 1,
    ).toBe(1);
    expect(measureShop('names of products without reviews')).toMatchObject({
      verbTables: 0,
      passedTables: 0,
      inflected: 0,
    });
  });

  it('verbTables ignores a verb that is part of a joined foreign key', () => {
    const reports = (...more: readonly string[]): Lexicon =>
      buildLexicon({
        snapshot: nameSnapshot(
          {
            engine: 'mariadb',
            tables: [
              rawTable('workers', [rawColumn('id', 'int(11)'), rawColumn('first_name', 'varchar(50)')]),
              rawTable(
                'faults',
                [
                  rawColumn('id', 'int(11)'),
                  rawColumn('title', 'varchar(50)'),
                  ...more.map((name) => rawColumn(name, 'varchar(50)')),
                  rawColumn('reported_by_worker_id', 'int(11)'),
                ],
                { foreignKeys: [foreignKey('faults', 'reported_by_worker_id', 'workers')] },
              ),
            ],
          },
          null,
        ),
        values: [],
        synonyms: [],
      });
    expect(
      measureOver(
        reports('report_place'),
        'titles of faults reported by workers with the first name "Ada"',
        '`title`',
      ),
    ).toMatchObject({ verbColumns: 0 });
  });

  it('inflected counts words that were corrected', () => {
    expect(measureShop('how many prodcuts are there?')).toMatchObject({ inflected: 1 });
  });

  it('lostDetails counts words for all details when the statement does not return all columns', () => {
    expect(measureShop('list all supplier information', 'SELECT t1.`name`')?.['lostDetails'] ?? 1).toBe(1);
    expect(measureShop('list all supplier information', 't1.*')).toMatchObject({ lostDetails: 0 });
    const roles = buildLexicon({
      snapshot: nameSnapshot(
        {
          engine: 'mariadb',
          tables: [rawTable('roles', [rawColumn('id', 'int(11)'), rawColumn('description', 'varchar(99)')])],
        },
        null,
      ),
      values: [],
      synonyms: [],
    });
    expect(measureOver(roles, 'role details', '`description`')).toMatchObject({ lostDetails: 0 });
  });
});
