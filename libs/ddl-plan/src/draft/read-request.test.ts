import { describe, expect, it } from 'vitest';
import { makeSnapshot, makeTable } from '../testing/make-schema.js';
import { editsToSql } from './edits-to-sql.js';
import { readRequest, REQUEST_FORMS } from './read-request.js';

const schema = makeSnapshot(
  makeTable('authors', ['id bigint NOT NULL AUTO_INCREMENT', 'name varchar(50)', 'PRIMARY KEY (id)']),
  makeTable('books', [
    'id int NOT NULL',
    'title varchar(80)',
    'rating int',
    'isbn varchar(20)',
    'PRIMARY KEY (id)',
  ]),
);
const sqlOf = (text: string): readonly string[] => {
  const { edits, rest } = readRequest(schema, text);
  expect(rest).toEqual([]);
  const { sql, faults } = editsToSql(schema, edits);
  expect(faults).toEqual([]);
  return sql;
};

describe('readRequest', () => {
  it.each(REQUEST_FORMS)('readRequest parses the example sentence "%s"', (form) => {
    expect(sqlOf(form).length).toBeGreaterThan(0);
  });
  it('readRequest guesses types from names and references from tables', () => {
    expect(
      sqlOf(
        'Create a table named Loans with a book, an author_id, due date, price, is_paid and an optional note',
      ),
    ).toEqual([
      `CREATE TABLE \`loans\` (
  \`id\` int NOT NULL AUTO_INCREMENT,
  \`book_id\` int(10) NOT NULL,
  \`author_id\` bigint NOT NULL,
  \`due_date\` date NULL,
  \`price\` decimal(12,2) NOT NULL,
  \`is_paid\` boolean NOT NULL DEFAULT 0,
  \`note\` text NULL,
  PRIMARY KEY (\`id\`),
  CONSTRAINT \`loans_book_id_fk\` FOREIGN KEY (\`book_id\`) REFERENCES \`books\` (\`id\`),
  CONSTRAINT \`loans_author_id_fk\` FOREIGN KEY (\`author_id\`) REFERENCES \`authors\` (\`id\`)
)`.replace('int(10)', 'int'),
    ]);
  });
  it('readRequest finds a table by its singular name', () => {
    const cinema = makeSnapshot(
      makeTable('movies', ['id int NOT NULL', 'PRIMARY KEY (id)']),
      makeTable('statuses', ['id int NOT NULL', 'PRIMARY KEY (id)']),
      makeTable('categories', ['id int NOT NULL', 'PRIMARY KEY (id)']),
    );
    const { edits } = readRequest(cinema, 'a table showings with a movie, a status_id and a category');
    expect(edits[0]).toMatchObject({
      columns: [
        { name: 'id' },
        { name: 'movie_id', references: { table: 'movies' } },
        { name: 'status_id', references: { table: 'statuses' } },
        { name: 'category_id', references: { table: 'categories' } },
      ],
    });
  });
  it('readRequest uses the types that a sentence states', () => {
    expect(
      sqlOf(
        'add weight (decimal(10,3)), a unique sku as varchar(12) and state (one of new, used or lost) to books',
      ),
    ).toEqual([
      'ALTER TABLE `books` ADD COLUMN `weight` decimal(10,3) NOT NULL',
      'ALTER TABLE `books` ADD COLUMN `sku` varchar(12) NOT NULL, ADD UNIQUE KEY `sku` (`sku`)',
      "ALTER TABLE `books` ADD COLUMN `state` enum('new','used','lost') NOT NULL",
    ]);
  });
  it('readRequest guesses texts for numeric identifiers and short types for addresses', () => {
    expect(
      sqlOf('add a phone number, an e-mail address, an ip address and a house number to authors'),
    ).toEqual(
      [
        'phone_number` varchar(64)',
        'e_mail_address` varchar(255)',
        'ip_address` varchar(45)',
        'house_number` varchar(64)',
      ].map((column) => `ALTER TABLE \`authors\` ADD COLUMN \`${column} NOT NULL`),
    );
    expect(sqlOf('add a page number to books')).toEqual([
      'ALTER TABLE `books` ADD COLUMN `page_number` int NOT NULL',
    ]);
  });
  it.each([
    'add a column subtitle to the books table',
    'add a new field called subtitle to each book',
    'add column subtitle to table books',
    'add the column named subtitle to books',
  ])('readRequest reads the column name between other words in "%s"', (text) => {
    expect(sqlOf(text)).toEqual(['ALTER TABLE `books` ADD COLUMN `subtitle` varchar(255) NOT NULL']);
  });
  it('readRequest lets later sentences use tables of earlier ones', () => {
    expect(
      sqlOf('A table shelves with name. Each book belongs to a shelf. Then rename rating of books to stars.'),
    ).toEqual([
      expect.stringContaining('CREATE TABLE `shelves`'),
      'ALTER TABLE `books` ADD COLUMN `shelf_id` int NULL, ADD CONSTRAINT `books_shelf_id_fk` FOREIGN KEY (`shelf_id`) REFERENCES `shelves` (`id`)',
      'ALTER TABLE `books` RENAME COLUMN `rating` TO `stars`',
    ]);
  });
  it('readRequest turns a column that belongs to a table into the column and a reference', () => {
    expect(
      sqlOf('A table shelves with name. A table visits with a date and a venue that belongs to a shelf.'),
    ).toEqual([
      expect.stringContaining('CREATE TABLE `shelves`'),
      expect.stringMatching(/`venue` varchar[\s\S]*`shelf_id` int[\s\S]*REFERENCES `shelves` \(`id`\)/),
    ]);
  });
  it('readRequest reports a sentence that matches no form', () => {
    expect(readRequest(schema, 'make my books better').rest).toEqual(['make my books better']);
    expect(readRequest(schema, 'add x to nothing; drop the table books').rest).toEqual(['add x to nothing']);
    expect(readRequest(schema, 'add size (int; DROP TABLE books) to books').rest).not.toEqual([]);
  });

  it.each([
    `rename ${'a of '.repeat(400)}${'b to '.repeat(390)}#`,
    `make ${'a of '.repeat(790)}#`,
    `${'a belongs to '.repeat(300)}#`,
    `add ${'a to '.repeat(790)}#`,
  ])('readRequest parses 4,000 characters in linear time: %.12s', (text) => {
    // This measures time, because the steps of a regular expression cannot be counted. Quadratic behavior
    // would take minutes at this length.
    const startedMs = performance.now();
    expect(readRequest(schema, text).rest).toEqual([text]);
    expect(performance.now() - startedMs).toBeLessThan(2_000);
  });
});
