// @ts-check
const TABLES = 400;

/**
 * Returns a schema of 400 tables that refer to each other, with comments, indexes, triggers and views. It is
 * about 500 KB of DDL.
 * @param {string} [word] a word that differs between two versions of the schema
 */
export function largeDdl(word = 'one') {
  const tables = Array.from({ length: TABLES }, (_, index) => {
    const columns = Array.from(
      { length: 20 },
      (_, column) =>
        `  column_${column} ${column % 3 === 0 ? `VARCHAR(${word === 'one' ? 100 : 120})` : 'INT'} NULL COMMENT 'what column ${column} holds'`,
    );
    const key =
      index === 0
        ? ''
        : `,\n  CONSTRAINT fk_${index} FOREIGN KEY (parent_id) REFERENCES table_${index - 1} (id)`;
    return `CREATE TABLE table_${index} (\n  id INT AUTO_INCREMENT PRIMARY KEY,\n  parent_id INT NULL,\n${columns.join(',\n')},\n  KEY by_first (column_0),\n  KEY by_two (column_1, column_2)${key}\n) COMMENT 'table ${index} of version ${word}'`;
  });
  return `${tables.join(';\n\n')};\n`;
}
