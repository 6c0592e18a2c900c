import { describe, expect, it } from 'vitest';
import { doSteps } from '@rowhouse/schema-model';
import { findCountersSteps } from './find-counters.js';

const find = (sql: string): string[] =>
  doSteps(findCountersSteps(sql, { engine: 'mariadb', version: '10.11.0' })).map(
    ({ table, next }) => `${table}=${next}`,
  );

describe('findCountersSteps', () => {
  it('findCounters finds AUTO_INCREMENT in any clause that may contain it', () => {
    expect(
      find(
        'ALTER TABLE t AUTO_INCREMENT=500; alter table `a``b` engine=InnoDB, auto_increment 7; ALTER TABLE shop.t ADD c int, AUTO_INCREMENT = 18446744073709551615;',
      ),
    ).toEqual(['t=500', 'a`b=7', 't=18446744073709551615']);
    expect(
      find(
        "CREATE TABLE IF NOT EXISTS `t` (id int AUTO_INCREMENT PRIMARY KEY COMMENT 'AUTO_INCREMENT=3') ENGINE=InnoDB AUTO_INCREMENT=9 DEFAULT CHARSET=utf8mb4",
      ),
    ).toEqual(['t=9']);
  });

  it('findCounters ignores columns, texts and comments', () => {
    expect(
      find(
        "ALTER TABLE t MODIFY id int AUTO_INCREMENT, COMMENT='AUTO_INCREMENT=5'; -- ALTER TABLE t AUTO_INCREMENT=6\nCREATE TABLE u (id int AUTO_INCREMENT, PRIMARY KEY (id), KEY k (id))",
      ),
    ).toEqual([]);
  });

  it('findCounters returns nothing for a text that cannot be parsed', () => {
    expect(find("ALTER TABLE t AUTO_INCREMENT=500; ALTER TABLE 't")).toEqual([]);
  });
});
