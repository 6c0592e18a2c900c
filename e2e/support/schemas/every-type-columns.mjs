// @ts-check
import { COLUMN_TYPES } from '@rowhouse/schema-model/testing';

/**
 * Returns SQL for a table with every column type of an engine, one with NOT NULL columns, and two without a
 * key.
 * @param {'mariadb' | 'mysql'} engine
 */
export function everyTypeSql(engine) {
  const types = COLUMN_TYPES[engine];
  return [
    `CREATE TABLE every_type (id BIGINT UNSIGNED AUTO_INCREMENT PRIMARY KEY, ${types.map((type, index) => `c${index} ${type} NULL`).join(', ')}, doubled BIGINT AS (c${types.findIndex((type) => /^int/.test(type))} * 2) VIRTUAL, changed_at TIMESTAMP NOT NULL DEFAULT CURRENT_TIMESTAMP ON UPDATE CURRENT_TIMESTAMP)`,
    `CREATE TABLE \`full\` (a INT NOT NULL, b VARCHAR(40) NOT NULL, contact_email VARCHAR(80) NOT NULL, uuid CHAR(36) NOT NULL, ${types.map((type, index) => `c${index} ${type} NOT NULL`).join(', ')}, metadata VARCHAR(40) NOT NULL, \`class\` VARCHAR(40) NOT NULL, PRIMARY KEY (a, b), UNIQUE KEY by_uuid (uuid))`,
    'CREATE TABLE loose (a INT NULL, note VARCHAR(40) NULL)',
    'CREATE TABLE seen (at DATETIME(3) NULL, what TEXT NULL)',
  ].join(';\n');
}

export const EVERY_TYPE_SQL = everyTypeSql('mariadb');
