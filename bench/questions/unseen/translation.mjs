// @ts-check
import { dayBefore, fill, insert, pick } from '../invented/rows.mjs';

const ORDERING = [1, 3, 1, 2, 5, 1, 4, 3, 6];

/** @type {import('../invented/rows.mjs').InventedSet} */
export const TRANSLATION = {
  name: 'translation agency',
  statements: [
    'CREATE TABLE clients (client_id INT PRIMARY KEY, client_name VARCHAR(60) NOT NULL, sector VARCHAR(30) NOT NULL, country VARCHAR(30) NOT NULL)',
    'CREATE TABLE translators (translator_id INT PRIMARY KEY, name VARCHAR(60) NOT NULL, native_language VARCHAR(20) NOT NULL, rate_per_word DECIMAL(5,3) NOT NULL, years_experience INT NOT NULL, is_freelance TINYINT(1) NOT NULL)',
    'CREATE TABLE jobs (job_id INT PRIMARY KEY, client_id INT NOT NULL, translator_id INT NULL, source_language VARCHAR(20) NOT NULL, target_language VARCHAR(20) NOT NULL, word_count INT NOT NULL, deadline DATE NOT NULL, state VARCHAR(15) NOT NULL, FOREIGN KEY (client_id) REFERENCES clients (client_id), FOREIGN KEY (translator_id) REFERENCES translators (translator_id))',
    'CREATE TABLE reviews (review_id INT PRIMARY KEY, job_id INT NOT NULL, reviewer_id INT NOT NULL, grade INT NOT NULL, error_count INT NOT NULL, FOREIGN KEY (job_id) REFERENCES jobs (job_id), FOREIGN KEY (reviewer_id) REFERENCES translators (translator_id))',
    insert('clients', [
      [1, 'Pharmalux', 'medical', 'Switzerland'],
      [2, 'Baker and Stone', 'legal', 'Ireland'],
      [3, 'Volta Motors', 'automotive', 'Germany'],
      [4, 'Medisana', 'medical', 'Spain'],
      [5, 'Kopf Verlag', 'publishing', 'Germany'],
      [6, 'Lexis Partners', 'legal', 'Belgium'],
      [7, 'Tidal Games', 'gaming', 'Sweden'],
    ]),
    insert(
      'translators',
      [
        ['Ines Prado', 'Spanish', 0.09, 11, 1],
        ['Jurgen Matt', 'German', 0.125, 22, 0],
        ['Aoife Brennan', 'English', 0.11, 7, 1],
        ['Chiara Neri', 'Italian', 0.085, 4, 1],
        ['Luc Perrin', 'French', 0.105, 15, 0],
        ['Hanna Sjoberg', 'Swedish', 0.13, 9, 1],
        ['Bernd Klee', 'German', 0.098, 3, 1],
        ['Rosa Vidal', 'Spanish', 0.12, 18, 0],
      ].map((row, index) => [index + 1, ...row]),
    ),
    fill('jobs', 36, (index) => [
      pick(ORDERING, index),
      index % 9 === 8 ? null : pick([1, 2, 3, 2, 5, 1, 2, 6, 4, 2, 3], index),
      pick(['English', 'German', 'English', 'French', 'English'], index),
      pick(['German', 'English', 'Spanish', 'German', 'French', 'Italian', 'Swedish'], index * 3 + 1),
      350 + ((index * 1_471) % 12_300) + (pick(ORDERING, index) === 3 ? 9_000 : 0),
      dayBefore(index * 9 - 30),
      index % 9 === 8 ? 'waiting' : pick(['delivered', 'delivered', 'in progress', 'cancelled'], index),
    ]),
    fill('reviews', 22, (index) => [
      1 + ((index * 5) % 33),
      pick([2, 5, 8, 2, 3], index),
      1 + ((index * 7) % 5),
      (index * 13) % 29,
    ]),
  ],
  questions: [
    ['How many translators work freelance?', 'SELECT COUNT(*) FROM translators WHERE is_freelance = 1'],
    [
      'List the names of clients in the legal sector.',
      "SELECT client_name FROM clients WHERE sector = 'legal'",
    ],
    ['How many words does the longest job have?', 'SELECT MAX(word_count) FROM jobs'],
    [
      'Show the name and native language of translators with more than 10 years of experience.',
      'SELECT name, native_language FROM translators WHERE years_experience > 10',
    ],
    [
      'How many jobs are there for each target language?',
      'SELECT target_language, COUNT(*) FROM jobs GROUP BY target_language',
    ],
    [
      'Who is the cheapest translator per word?',
      'SELECT name FROM translators ORDER BY rate_per_word LIMIT 1',
    ],
    [
      'How many words in total have been delivered to Pharmalux?',
      "SELECT SUM(j.word_count) FROM jobs j JOIN clients c ON c.client_id = j.client_id WHERE c.client_name = 'Pharmalux' AND j.state = 'delivered'",
    ],
    [
      'Give the distinct names of translators who worked for Volta Motors.',
      "SELECT DISTINCT t.name FROM translators t JOIN jobs j ON j.translator_id = t.translator_id JOIN clients c ON c.client_id = j.client_id WHERE c.client_name = 'Volta Motors'",
    ],
    [
      'Show the names of the clients who had cancelled jobs, and how many such jobs each of them had.',
      "SELECT c.client_name, COUNT(*) FROM clients c JOIN jobs j ON j.client_id = c.client_id WHERE j.state = 'cancelled' GROUP BY c.client_id",
    ],
    [
      'Which sectors have more than one client, and how many clients do they have?',
      'SELECT sector, COUNT(*) FROM clients GROUP BY sector HAVING COUNT(*) > 1',
    ],
    [
      'Find the names of translators whose rate is below the average rate.',
      'SELECT name FROM translators WHERE rate_per_word < (SELECT AVG(rate_per_word) FROM translators)',
    ],
    [
      'What is the average grade that the work of each translator got in reviews? Show the name and the average.',
      'SELECT t.name, AVG(r.grade) FROM translators t JOIN jobs j ON j.translator_id = t.translator_id JOIN reviews r ON r.job_id = j.job_id GROUP BY t.translator_id',
    ],
    [
      'Which client has commissioned the most words?',
      'SELECT c.client_name FROM clients c JOIN jobs j ON j.client_id = c.client_id GROUP BY c.client_id ORDER BY SUM(j.word_count) DESC LIMIT 1',
      'SELECT c.* FROM clients c JOIN jobs j ON j.client_id = c.client_id GROUP BY c.client_id ORDER BY SUM(j.word_count) DESC LIMIT 1',
    ],
  ],
};
