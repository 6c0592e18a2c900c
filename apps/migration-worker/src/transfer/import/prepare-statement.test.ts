import type { RawStatement } from '@rowhouse/query-engine';
import { describe, expect, it } from 'vitest';
import { DumpDatabase } from './dump-database.js';
import { createImportReport } from './import-report.js';
import { prepareStatement } from './prepare-statement.js';

const SERVER = { engine: 'mariadb', engineVersion: '10.11.6-MariaDB' } as const;

function prepare(text: string) {
  const report = createImportReport();
  const raw: RawStatement = { text, line: 1, delimiter: ';', isCut: false };
  const prepared = prepareStatement(
    raw,
    { server: SERVER, charset: 'utf8', database: new DumpDatabase() },
    report,
  );
  return { sql: prepared.map((item) => (item.kind === 'ddl' ? item.sql : item.kind)), ...report.close() };
}

describe('prepareStatement', () => {
  it.each([
    [
      'CREATE TABLE t (a INT) ENGINE=MyISAM DEFAULT CHARSET=utf8mb4',
      'CREATE TABLE t (a INT) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4',
    ],
    ['CREATE TABLE t (a INT) TYPE=MyISAM', 'CREATE TABLE t (a INT) ENGINE=InnoDB'],
    [
      "CREATE TABLE t (a INT) ENGINE = Aria COMMENT='people (old)'",
      "CREATE TABLE t (a INT) ENGINE=InnoDB COMMENT='people (old)'",
    ],
    [
      "CREATE TABLE t (engine VARCHAR(9) COMMENT 'ENGINE=MyISAM') ENGINE=MyISAM COMMENT='ENGINE=MyISAM'",
      "CREATE TABLE t (engine VARCHAR(9) COMMENT 'ENGINE=MyISAM') ENGINE=InnoDB COMMENT='ENGINE=MyISAM'",
    ],
    [
      'CREATE TABLE t (a INT) ENGINE=MyISAM PARTITION BY RANGE (a) (PARTITION p VALUES LESS THAN (1) ENGINE = MyISAM)',
      'CREATE TABLE t (a INT) ENGINE=InnoDB PARTITION BY RANGE (a) (PARTITION p VALUES LESS THAN (1) ENGINE=InnoDB)',
    ],
  ])(
    'prepareStatement converts other storage engines to InnoDB and changes nothing else: %s',
    (text, sql) => {
      expect(prepare(text)).toMatchObject({
        sql: [sql],
        problems: [],
        notes: [expect.stringContaining('were converted to InnoDB')],
      });
    },
  );

  it('prepareStatement keeps InnoDB tables, and columns named like storage engines, unchanged', () => {
    const sql = 'CREATE TABLE engine (engine VARCHAR(9), type INT) ENGINE=InnoDB';
    expect(prepare(sql)).toEqual({ sql: [sql], problems: [], problemsTotal: 0, notes: [] });
  });

  it('prepareStatement preserves column defaults that are zero dates', () => {
    const text =
      "CREATE TABLE `t` (`a` datetime NOT NULL DEFAULT '0000-00-00 00:00:00', `b` date DEFAULT '0000-00-00')";
    expect(prepare(text)).toEqual({ sql: [text], problems: [], problemsTotal: 0, notes: [] });
  });
});
