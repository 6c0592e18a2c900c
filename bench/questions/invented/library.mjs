// @ts-check
import { dayBefore, fill, FIRST_NAMES, insert, LAST_NAMES, pick } from './rows.mjs';

const TITLES = [
  'The Long Tide',
  'Ashes of Winter',
  'A Quiet Harbour',
  'Paper Moons',
  'The Clockmaker',
  'Under the Vines',
  'Salt Roads',
  'The Last Orchard',
  'Echo Valley',
  'Maps of Rain',
  'Iron Garden',
  'The Blue Door',
  'Northern Letters',
  'Small Gods of Dust',
  'Riverbend',
  'The Glass Choir',
  'Midnight Ledger',
  'Lantern Hill',
];
const AUTHORS = [1, 1, 2, 3, 1, 4, 2, 5, 6, 3, 1, 2, 4, 6, 3, 2, 1, 5];

/**
 * A schema with singular table names and keys named after them.
 * @type {import('./rows.mjs').InventedSet}
 */
export const LIBRARY = {
  name: 'library',
  statements: [
    'CREATE TABLE author (author_id INT PRIMARY KEY, name VARCHAR(80) NOT NULL, nationality VARCHAR(40) NOT NULL, birth_year INT NOT NULL)',
    'CREATE TABLE book (book_id INT PRIMARY KEY, title VARCHAR(120) NOT NULL, isbn VARCHAR(20) NOT NULL, genre VARCHAR(40) NOT NULL, published_year INT NOT NULL, pages INT NOT NULL, author_id INT NOT NULL, FOREIGN KEY (author_id) REFERENCES author (author_id))',
    'CREATE TABLE member (member_id INT PRIMARY KEY, name VARCHAR(80) NOT NULL, email VARCHAR(120) NOT NULL, joined_on DATE NOT NULL, membership_type VARCHAR(20) NOT NULL)',
    'CREATE TABLE copy (copy_id INT PRIMARY KEY, book_id INT NOT NULL, shelf VARCHAR(10) NOT NULL, state VARCHAR(20) NOT NULL, FOREIGN KEY (book_id) REFERENCES book (book_id))',
    'CREATE TABLE loan (loan_id INT PRIMARY KEY, copy_id INT NOT NULL, member_id INT NOT NULL, loaned_on DATE NOT NULL, due_on DATE NOT NULL, returned_on DATE NULL, FOREIGN KEY (copy_id) REFERENCES copy (copy_id), FOREIGN KEY (member_id) REFERENCES member (member_id))',
    'CREATE TABLE fine (fine_id INT PRIMARY KEY, loan_id INT NOT NULL, amount DECIMAL(6,2) NOT NULL, paid TINYINT(1) NOT NULL, FOREIGN KEY (loan_id) REFERENCES loan (loan_id))',
    insert(
      'author',
      [
        ['Ingrid Vale', 'Norwegian', 1951],
        ['Marco Tessa', 'Italian', 1968],
        ['Lena Brandt', 'German', 1979],
        ['Paul Okoro', 'Nigerian', 1945],
        ['Yuki Mori', 'Japanese', 1983],
        ['Elsa Brun', 'Norwegian', 1990],
        ['Tom Hale', 'British', 1962],
      ].map((row, index) => [index + 1, ...row]),
    ),
    fill('book', TITLES.length, (index) => [
      TITLES[index] ?? '',
      `978-3-16-14${index}`,
      pick(['Novel', 'Mystery', 'History', 'Novel', 'Poetry'], index),
      1985 + ((index * 11) % 40),
      120 + ((index * 53) % 400),
      AUTHORS[index] ?? 1,
    ]),
    fill('member', 16, (index) => [
      `${pick(FIRST_NAMES, index)} ${pick(LAST_NAMES, index)}`,
      `${pick(FIRST_NAMES, index).toLowerCase()}@${index % 3 === 0 ? 'mail.test' : 'post.test'}`,
      dayBefore(60 + index * 97),
      pick(['adult', 'student', 'adult', 'senior'], index),
    ]),
    fill('copy', 30, (index) => [
      1 + ((index * 7) % 17),
      pick(['A1', 'A2', 'B1', 'C3'], index),
      pick(['good', 'worn', 'new', 'good', 'damaged'], index),
    ]),
    fill('loan', 40, (index) => [
      1 + ((index * 3) % 28),
      1 + ([0, 1, 0, 2, 3, 0, 4, 5, 1, 6, 7, 0, 8][index % 13] ?? 0),
      dayBefore(8 + index * 9),
      dayBefore(index * 9 - 13),
      index % 7 === 0 ? null : dayBefore(index * 9 - (index % 5)),
    ]),
    fill('fine', 9, (index) => [2 + index * 4, 1.5 + index * 0.75, index % 3 === 0 ? 0 : 1]),
  ],
  questions: [
    ['How many books are there?', 'SELECT COUNT(*) FROM book'],
    ['titles of all mystery books', "SELECT title FROM book WHERE genre = 'Mystery'"],
    [
      'Which author wrote the most books?',
      'SELECT a.name FROM author a JOIN book b ON b.author_id = a.author_id GROUP BY a.author_id ORDER BY COUNT(*) DESC LIMIT 1',
    ],
    [
      'books written by Ingrid Vale',
      "SELECT b.title FROM book b JOIN author a ON a.author_id = b.author_id WHERE a.name = 'Ingrid Vale'",
    ],
    ['What is the longest book?', 'SELECT title FROM book ORDER BY pages DESC LIMIT 1'],
    ['books published after 2010', 'SELECT title FROM book WHERE published_year > 2010'],
    ['How many books are there in each genre?', 'SELECT genre, COUNT(*) FROM book GROUP BY genre'],
    [
      'loans that have not been returned',
      'SELECT * FROM loan WHERE returned_on IS NULL',
      'SELECT loan_id FROM loan WHERE returned_on IS NULL',
    ],
    [
      'members who joined in 2025',
      "SELECT name FROM member WHERE joined_on >= '2025-01-01' AND joined_on < '2026-01-01'",
    ],
    [
      'Which members have never borrowed anything?',
      'SELECT name FROM member WHERE member_id NOT IN (SELECT member_id FROM loan)',
    ],
    [
      'How many loans does each member have?',
      'SELECT m.name, COUNT(*) FROM member m JOIN loan l ON l.member_id = m.member_id GROUP BY m.member_id, m.name',
      'SELECT m.name, COUNT(l.loan_id) FROM member m LEFT JOIN loan l ON l.member_id = m.member_id GROUP BY m.member_id, m.name',
    ],
    ['total of unpaid fines', 'SELECT SUM(amount) FROM fine WHERE paid = 0'],
    ['average number of pages per genre', 'SELECT genre, AVG(pages) FROM book GROUP BY genre'],
    ['Norwegian authors', "SELECT name FROM author WHERE nationality = 'Norwegian'"],
    ['authors born after 1970', 'SELECT name FROM author WHERE birth_year > 1970'],
    [
      'How many copies of Paper Moons do we own?',
      "SELECT COUNT(*) FROM copy c JOIN book b ON b.book_id = c.book_id WHERE b.title = 'Paper Moons'",
    ],
    [
      'which copies are damaged?',
      "SELECT * FROM copy WHERE state = 'damaged'",
      "SELECT copy_id FROM copy WHERE state = 'damaged'",
    ],
    [
      'title and author of each book',
      'SELECT b.title, a.name FROM book b JOIN author a ON a.author_id = b.author_id',
    ],
    [
      'books with more than 300 pages, longest first',
      'SELECT title FROM book WHERE pages > 300 ORDER BY pages DESC',
    ],
    [
      'What is the highest fine?',
      'SELECT MAX(amount) FROM fine',
      'SELECT * FROM fine ORDER BY amount DESC LIMIT 1',
    ],
    ['email of the member Carmen Novak', "SELECT email FROM member WHERE name = 'Carmen Novak'"],
  ],
};
