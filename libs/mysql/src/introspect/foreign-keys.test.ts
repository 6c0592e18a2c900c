import { describe, expect, it } from 'vitest';
import type { AdminConnection } from '../admin/admin-connection.js';
import { spellForeignKeys } from './foreign-keys.js';

const parts = [
  {
    CONSTRAINT_NAME: 'na`med',
    COLUMN_NAME: 'pa`r',
    REFERENCED_TABLE_SCHEMA: 'here',
    REFERENCED_TABLE_NAME: 'ti`ck',
    REFERENCED_COLUMN_NAME: 'id',
  },
  {
    CONSTRAINT_NAME: 'plain',
    COLUMN_NAME: 'a',
    REFERENCED_TABLE_SCHEMA: 'there',
    REFERENCED_TABLE_NAME: 't',
    REFERENCED_COLUMN_NAME: 'x',
  },
  {
    CONSTRAINT_NAME: 'plain',
    COLUMN_NAME: 'b',
    REFERENCED_TABLE_SCHEMA: 'there',
    REFERENCED_TABLE_NAME: 't',
    REFERENCED_COLUMN_NAME: 'y',
  },
];
const rules = [
  { CONSTRAINT_NAME: 'plain', UPDATE_RULE: 'CASCADE', DELETE_RULE: 'SET NULL' },
  { CONSTRAINT_NAME: 'na`med', UPDATE_RULE: 'RESTRICT', DELETE_RULE: 'RESTRICT' },
];

function connect(): { connection: AdminConnection; asked: string[] } {
  const requests: string[] = [];
  const rows = (sql: string): Promise<unknown[]> => {
    requests.push(sql);
    return Promise.resolve(sql.includes('KEY_COLUMN_USAGE') ? parts : rules);
  };
  return { connection: { rows } as unknown as AdminConnection, asked: requests };
}
const table = (...lines: string[]): string =>
  `CREATE TABLE \`ti\`\`ck\` (\n  \`id\` int(11) NOT NULL,\n${lines.join(',\n')}\n) ENGINE=InnoDB`;
const CHECK = "  CONSTRAINT `c` CHECK (`a` <> ' FOREIGN KEY (`')";

describe('foreign keys of SHOW CREATE TABLE', () => {
  it('an unambiguous foreign key line of SHOW CREATE TABLE stays unchanged without a query', async () => {
    const { connection, asked: requests } = connect();
    const text = table(
      '  CONSTRAINT `f` FOREIGN KEY (`a`, `b`) REFERENCES `there`.`t` (`x`, `y`) ON DELETE SET NULL ON UPDATE CASCADE',
      CHECK,
    );
    expect(await spellForeignKeys(connection, 'here', 'ti`ck', text)).toBe(text);
    expect(requests).toEqual([]);
  });
  it('a foreign key line is rebuilt when a name contains a backquote that is not doubled', async () => {
    const keys = [
      '  CONSTRAINT `plain` FOREIGN KEY (`a`, `b`) REFERENCES `there`.`t` (`x`, `y`) ON DELETE SET NULL ON UPDATE CASCADE',
      '  CONSTRAINT `na`med` FOREIGN KEY (`pa`r`) REFERENCES `ti``ck` (`id`)',
    ];
    const spelled = [
      '  CONSTRAINT `na``med` FOREIGN KEY (`pa``r`) REFERENCES `ti``ck` (`id`)',
      keys[0] ?? '',
    ];
    for (const rest of [[CHECK], []]) {
      expect(await spellForeignKeys(connect().connection, 'here', 'ti`ck', table(...keys, ...rest))).toBe(
        table(...spelled, ...rest),
      );
    }
  });
  it('a foreign key line is rebuilt when a name looks like another key', async () => {
    const { connection, asked: requests } = connect();
    const text = table(
      '  CONSTRAINT `x` FOREIGN KEY (`a`) REFERENCES `t` (`x`)` FOREIGN KEY (`b`) REFERENCES `t` (`x`)',
    );
    expect(await spellForeignKeys(connection, 'here', 'ti`ck', text)).toContain('na``med');
    expect(requests).toHaveLength(2);
  });
});
