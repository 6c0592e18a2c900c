import { expect, it } from 'vitest';
import { joinCreateTable, splitCreateTable } from './split-create-table.js';

it.each([
  [') ENGINE=InnoDB AUTO_INCREMENT=7 DEFAULT CHARSET=utf8mb4', ') ENGINE=InnoDB DEFAULT CHARSET=utf8mb4'],
  [') /*!80023 AUTOEXTEND_SIZE=1073741824 */ ENGINE=InnoDB AUTO_INCREMENT=7', ') ENGINE=InnoDB'],
  [
    ") /*!50100 TABLESPACE `x` */ /*!80023 AUTOEXTEND_SIZE=67108864 */ ENGINE=InnoDB COMMENT='a'",
    ") /*!50100 TABLESPACE `x` */ ENGINE=InnoDB COMMENT='a'",
  ],
  [
    ") ENGINE=InnoDB COMMENT='/*!80023 AUTOEXTEND_SIZE=4194304 */ '",
    ") ENGINE=InnoDB COMMENT='/*!80023 AUTOEXTEND_SIZE=4194304 */ '",
  ],
])('splitCreateTable removes counters and reserved space from the options %s', (end, expected) => {
  const parts = splitCreateTable(`CREATE TABLE \`t\` (\n  \`a\` int\n${end}`);
  expect(parts === null ? null : joinCreateTable(parts)).toBe(
    `CREATE TABLE \`t\` (\n  \`a\` int\n${expected}`,
  );
});
