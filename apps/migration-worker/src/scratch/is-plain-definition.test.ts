import { describe, expect, it } from 'vitest';
import { isPlainDefinition } from './plan-cache.js';

const write = (...lines: string[]): string =>
  `CREATE TABLE \`t\` (\n${lines.map((line) => `  ${line}`).join(',\n')}\n) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_unicode_ci`;

describe('isPlainDefinition', () => {
  it('isPlainDefinition accepts common columns and keys as both engines print them', () => {
    expect(
      isPlainDefinition(
        write(
          '`id` int(11) NOT NULL AUTO_INCREMENT',
          "`name` varchar(80) NOT NULL DEFAULT ''",
          '`amount` decimal(10,2) DEFAULT NULL',
          '`made` datetime DEFAULT current_timestamp()',
          '`note` text DEFAULT NULL',
          'PRIMARY KEY (`id`)',
          'UNIQUE KEY `n` (`name`,`made`)',
          'CONSTRAINT `f` FOREIGN KEY (`id`) REFERENCES `u` (`id`) ON DELETE CASCADE',
        ),
      ),
    ).toBe(true);
    expect(
      isPlainDefinition(
        write(
          '`id` bigint unsigned NOT NULL',
          '`t` timestamp NULL DEFAULT CURRENT_TIMESTAMP ON UPDATE CURRENT_TIMESTAMP',
          "`doc` json DEFAULT NULL COMMENT 'a document'",
          'PRIMARY KEY (`id`)',
        ),
      ),
    ).toBe(true);
  });
  it.each([
    "`t` timestamp NOT NULL DEFAULT '0000-00-00 00:00:00'",
    "`d` date DEFAULT '2020-00-01'",
    "`e` enum('a') DEFAULT NULL",
    '`g` int(11) GENERATED ALWAYS AS (`a` + 1) VIRTUAL',
    "`a` varchar(9) DEFAULT 'it''s'",
    '`a` int(11) DEFAULT (1 + 2)',
    '`a` varchar(9) CHARACTER SET latin1 COLLATE latin1_swedish_ci DEFAULT NULL',
    '`odd ``name` int(11) DEFAULT NULL',
    'KEY `k` (`a`(10))',
    'CONSTRAINT `c` CHECK (`a` > 0)',
    "`a` int(11) COMMENT 'ünï'",
  ])('isPlainDefinition returns false for %s', (line) => {
    expect(isPlainDefinition(write('`id` int(11) NOT NULL', line))).toBe(false);
  });
  it('isPlainDefinition returns false for options and partitions', () => {
    expect(isPlainDefinition(`${write('`id` int(11) NOT NULL')} ROW_FORMAT=COMPRESSED`)).toBe(false);
    expect(isPlainDefinition(`${write('`id` int(11) NOT NULL')}\n PARTITION BY HASH (\`id\`)`)).toBe(false);
  });
});
