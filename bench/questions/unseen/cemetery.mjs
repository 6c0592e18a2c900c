// @ts-check
import { dayBefore, fill, insert, pick } from '../invented/rows.mjs';

/**
 * A schema with one reference that is not declared.
 * @type {import('../invented/rows.mjs').InventedSet}
 */
export const CEMETERY = {
  name: 'cemetery',
  statements: [
    'CREATE TABLE section (section_code CHAR(2) PRIMARY KEY, section_name VARCHAR(40) NOT NULL, denomination VARCHAR(30) NOT NULL, opened_year INT NOT NULL)',
    'CREATE TABLE plot (plot_no INT PRIMARY KEY, section_code CHAR(2) NOT NULL, kind VARCHAR(20) NOT NULL, lease_end INT NOT NULL, yearly_fee DECIMAL(7,2) NOT NULL, FOREIGN KEY (section_code) REFERENCES section (section_code))',
    'CREATE TABLE leaseholder (holder_id INT PRIMARY KEY, holder_name VARCHAR(60) NOT NULL, phone VARCHAR(20) NULL, town VARCHAR(30) NOT NULL)',
    'CREATE TABLE plot_lease (plot_no INT NOT NULL, holder_id INT NOT NULL, since_year INT NOT NULL, PRIMARY KEY (plot_no, holder_id), FOREIGN KEY (plot_no) REFERENCES plot (plot_no), FOREIGN KEY (holder_id) REFERENCES leaseholder (holder_id))',
    'CREATE TABLE burial (burial_id INT PRIMARY KEY, plot_no INT NOT NULL, deceased_name VARCHAR(60) NOT NULL, age_at_death INT NOT NULL, burial_date DATE NOT NULL, rite VARCHAR(20) NOT NULL)',
    insert('section', [
      ['A', 'Old Yews', 'Catholic', 1848],
      ['B', 'Chapel Side', 'Protestant', 1871],
      ['C', 'Rose Lawn', 'none', 1960],
      ['D', 'East Terrace', 'Jewish', 1902],
      ['E', 'New Ground', 'none', 2019],
    ]),
    insert('plot', [
      [101, 'A', 'family', 2031, 140],
      [102, 'A', 'single', 2027, 75],
      [103, 'A', 'family', 2040, 150],
      [104, 'A', 'vault', 2090, 410],
      [201, 'B', 'single', 2029, 70],
      [202, 'B', 'family', 2035, 135],
      [203, 'B', 'single', 2028, 72],
      [301, 'C', 'urn', 2030, 40],
      [302, 'C', 'urn', 2033, 42],
      [401, 'D', 'single', 2099, 90],
      [402, 'D', 'family', 2098, 160],
    ]),
    insert('leaseholder', [
      [1, 'Albert Crane', '555-0101', 'Thornbury'],
      [2, 'Brigid Nolan', null, 'Thornbury'],
      [3, 'Clara Weiss', '555-0133', 'Easton'],
      [4, 'Dennis Hope', '555-0147', 'Millford'],
      [5, 'Edith Lowe', null, 'Easton'],
      [6, 'Frank Moss', '555-0160', 'Harwick'],
    ]),
    insert('plot_lease', [
      [101, 1, 1991],
      [102, 1, 1997],
      [103, 2, 2001],
      [201, 3, 1999],
      [202, 3, 2005],
      [301, 4, 2020],
      [402, 3, 1988],
      [104, 2, 1950],
      [203, 4, 2013],
      [401, 5, 2009],
    ]),
    fill('burial', 24, (index) => [
      pick([101, 103, 202, 101, 301, 402, 104, 201, 103, 101, 302], index),
      `${pick(['Agnes', 'Edwin', 'Martha', 'Cyril', 'Dorothy', 'Hector', 'Lilian'], index)} ${pick(['Crane', 'Nolan', 'Weiss', 'Hope', 'Arden'], index * 3)}`,
      index === 9 ? 101 : 31 + ((index * 29) % 66),
      dayBefore(30 + index * 211),
      pick(['burial', 'cremation', 'burial', 'burial', 'natural'], index),
    ]),
  ],
  questions: [
    ['List the names of all sections.', 'SELECT section_name FROM section'],
    ['How many family plots are there?', "SELECT COUNT(*) FROM plot WHERE kind = 'family'"],
    [
      'Which leaseholders live in Easton?',
      "SELECT holder_name FROM leaseholder WHERE town = 'Easton'",
      "SELECT * FROM leaseholder WHERE town = 'Easton'",
    ],
    [
      'What is the average age at death for each rite?',
      'SELECT rite, AVG(age_at_death) FROM burial GROUP BY rite',
    ],
    [
      'Give me the names of leaseholders we have no phone for.',
      'SELECT holder_name FROM leaseholder WHERE phone IS NULL',
    ],
    [
      'Show the plot numbers whose lease ends before 2030, with their fee, cheapest first.',
      'SELECT plot_no, yearly_fee FROM plot WHERE lease_end < 2030 ORDER BY yearly_fee',
    ],
    [
      'What was the oldest person buried here called, and how old did they get?',
      'SELECT deceased_name, age_at_death FROM burial ORDER BY age_at_death DESC LIMIT 1',
    ],
    [
      'What is the total of yearly fees by section? Show section names.',
      'SELECT s.section_name, SUM(p.yearly_fee) FROM section s JOIN plot p ON p.section_code = s.section_code GROUP BY s.section_code',
      'SELECT s.section_name, SUM(p.yearly_fee) FROM section s LEFT JOIN plot p ON p.section_code = s.section_code GROUP BY s.section_code',
    ],
    [
      'Which sections do not have any plots yet?',
      'SELECT section_name FROM section WHERE section_code NOT IN (SELECT section_code FROM plot)',
      'SELECT * FROM section WHERE section_code NOT IN (SELECT section_code FROM plot)',
    ],
    [
      'Find the leaseholder with the greatest number of plots.',
      'SELECT h.holder_name FROM leaseholder h JOIN plot_lease l ON l.holder_id = h.holder_id GROUP BY h.holder_id ORDER BY COUNT(*) DESC LIMIT 1',
      'SELECT h.* FROM leaseholder h JOIN plot_lease l ON l.holder_id = h.holder_id GROUP BY h.holder_id ORDER BY COUNT(*) DESC LIMIT 1',
    ],
    [
      'Which kinds of plots cost more per year on average than 100?',
      'SELECT kind FROM plot GROUP BY kind HAVING AVG(yearly_fee) > 100',
    ],
    [
      'What are the names of the deceased that lie in Catholic sections?',
      "SELECT b.deceased_name FROM burial b JOIN plot p ON p.plot_no = b.plot_no JOIN section s ON s.section_code = p.section_code WHERE s.denomination = 'Catholic'",
    ],
    [
      'Who holds plots in both Chapel Side and East Terrace?',
      "SELECT h.holder_name FROM leaseholder h JOIN plot_lease l ON l.holder_id = h.holder_id JOIN plot p ON p.plot_no = l.plot_no JOIN section s ON s.section_code = p.section_code WHERE s.section_name = 'Chapel Side' INTERSECT SELECT h.holder_name FROM leaseholder h JOIN plot_lease l ON l.holder_id = h.holder_id JOIN plot p ON p.plot_no = l.plot_no JOIN section s ON s.section_code = p.section_code WHERE s.section_name = 'East Terrace'",
    ],
  ],
};
