// @ts-check
import { dayBefore, fill, insert, pick } from '../invented/rows.mjs';

/** @type {import('../invented/rows.mjs').InventedSet} */
export const COURT = {
  name: 'district court',
  statements: [
    'CREATE TABLE judges (judge_id INT PRIMARY KEY, judge_name VARCHAR(60) NOT NULL, appointed_year INT NOT NULL, chamber VARCHAR(20) NOT NULL, gender CHAR(1) NOT NULL)',
    'CREATE TABLE courtrooms (room_no VARCHAR(6) PRIMARY KEY, floor INT NOT NULL, seats INT NOT NULL)',
    'CREATE TABLE lawyers (lawyer_id INT PRIMARY KEY, lawyer_name VARCHAR(60) NOT NULL, law_firm VARCHAR(60) NOT NULL, bar_year INT NOT NULL)',
    'CREATE TABLE cases (case_id INT PRIMARY KEY, docket_no VARCHAR(12) NOT NULL, case_type VARCHAR(20) NOT NULL, filed_date DATE NOT NULL, judge_id INT NOT NULL, amount_claimed INT NULL, FOREIGN KEY (judge_id) REFERENCES judges (judge_id))',
    'CREATE TABLE case_lawyers (case_id INT NOT NULL, lawyer_id INT NOT NULL, side VARCHAR(12) NOT NULL, PRIMARY KEY (case_id, lawyer_id), FOREIGN KEY (case_id) REFERENCES cases (case_id), FOREIGN KEY (lawyer_id) REFERENCES lawyers (lawyer_id))',
    'CREATE TABLE hearings (hearing_id INT PRIMARY KEY, case_id INT NOT NULL, room_no VARCHAR(6) NOT NULL, hearing_date DATE NOT NULL, duration_min INT NOT NULL, FOREIGN KEY (case_id) REFERENCES cases (case_id), FOREIGN KEY (room_no) REFERENCES courtrooms (room_no))',
    'CREATE TABLE verdicts (case_id INT PRIMARY KEY, verdict_date DATE NOT NULL, outcome VARCHAR(20) NOT NULL, fine INT NOT NULL, FOREIGN KEY (case_id) REFERENCES cases (case_id))',
    insert('judges', [
      [1, 'Martha Quill', 2004, 'civil', 'F'],
      [2, 'Edgar Stone', 1999, 'criminal', 'M'],
      [3, 'Nadia Rahim', 2013, 'family', 'F'],
      [4, 'Leopold Fenn', 2017, 'civil', 'M'],
      [5, 'Grace Obi', 2021, 'criminal', 'F'],
      [6, 'Hugo Barr', 2023, 'labour', 'M'],
    ]),
    insert('courtrooms', [
      ['A101', 1, 40],
      ['A102', 1, 24],
      ['B201', 2, 60],
      ['B202', 2, 18],
      ['C301', 3, 120],
    ]),
    insert(
      'lawyers',
      [
        ['Simon Vale', 'Vale and Partners', 1998],
        ['Diana Cross', 'Cross Legal', 2008],
        ['Rupert Lane', 'Vale and Partners', 2015],
        ['Ivy Chan', 'Harbour Law', 2011],
        ['Marco Testa', 'Cross Legal', 2019],
        ['Olga Byrne', 'Byrne Chambers', 1992],
        ['Theo Marsh', 'Harbour Law', 2022],
      ].map((row, index) => [index + 1, ...row]),
    ),
    fill('cases', 26, (index) => [
      `D-${2000 + index * 17}`,
      pick(['contract', 'theft', 'custody', 'contract', 'fraud', 'tenancy', 'theft', 'divorce'], index),
      dayBefore(20 + index * 29),
      index === 12 ? 6 : pick([1, 2, 3, 1, 2, 4, 5, 3, 1], index),
      pick(['contract', 'theft', 'custody', 'contract', 'fraud', 'tenancy', 'theft', 'divorce'], index) ===
      'custody'
        ? null
        : 1_500 + ((index * 7_919) % 83_000),
    ]),
    insert(
      'case_lawyers',
      Array.from({ length: 44 }, (_, index) => [
        1 + ((index * 3) % 26),
        pick([1, 2, 4, 1, 6, 3, 1, 2, 5, 4, 1], index),
        index % 3 === 1 ? 'plaintiff' : 'defence',
      ]).filter(
        (row, index, all) => all.findIndex((other) => other[0] === row[0] && other[1] === row[1]) === index,
      ),
    ),
    fill('hearings', 38, (index) => [
      1 + ((index * 5 + (index % 3)) % 23),
      pick(['A101', 'B201', 'A101', 'A102', 'B201', 'A101', 'B202'], index),
      dayBefore(1 + index * 10),
      20 + ((index * 43) % 197),
    ]),
    insert(
      'verdicts',
      [
        [3, 'guilty', 0],
        [5, 'guilty', 4_200],
        [7, 'acquitted', 0],
        [10, 'guilty', 900],
        [12, 'settled', 0],
        [13, 'dismissed', 0],
        [15, 'guilty', 12_500],
        [18, 'settled', 0],
        [21, 'guilty', 2_750],
        [25, 'acquitted', 0],
      ].map(([id, outcome, fine], index) => [id ?? 0, dayBefore(11 + index * 37), outcome ?? '', fine ?? 0]),
    ),
  ],
  questions: [
    ['How many judges are women (gender F)?', "SELECT COUNT(*) FROM judges WHERE gender = 'F'"],
    ['What are the different types of cases?', 'SELECT DISTINCT case_type FROM cases'],
    [
      'List the names of the lawyers who work for Cross Legal.',
      "SELECT lawyer_name FROM lawyers WHERE law_firm = 'Cross Legal'",
    ],
    ['How many seats does the largest courtroom have?', 'SELECT MAX(seats) FROM courtrooms'],
    [
      'Show all judges and the year they were appointed, from the longest serving to the newest.',
      'SELECT judge_name, appointed_year FROM judges ORDER BY appointed_year',
    ],
    [
      'For each type of case, what is the average amount claimed?',
      'SELECT case_type, AVG(amount_claimed) FROM cases GROUP BY case_type',
    ],
    [
      'Find the docket numbers of the fraud cases of Edgar Stone.',
      "SELECT c.docket_no FROM cases c JOIN judges j ON j.judge_id = c.judge_id WHERE c.case_type = 'fraud' AND j.judge_name = 'Edgar Stone'",
    ],
    [
      'Which room is used for the most hearings? Give the room number and its floor.',
      'SELECT r.room_no, r.floor FROM courtrooms r JOIN hearings h ON h.room_no = r.room_no GROUP BY r.room_no ORDER BY COUNT(*) DESC LIMIT 1',
    ],
    [
      'What are the docket numbers of cases that have no verdict yet?',
      'SELECT docket_no FROM cases WHERE case_id NOT IN (SELECT case_id FROM verdicts)',
    ],
    [
      'What are the names of the judges with at least 5 cases?',
      'SELECT j.judge_name FROM judges j JOIN cases c ON c.judge_id = j.judge_id GROUP BY j.judge_id HAVING COUNT(*) >= 5',
    ],
    [
      'List the names of the lawyers in tenancy cases together with the docket numbers of the cases.',
      "SELECT l.lawyer_name, c.docket_no FROM lawyers l JOIN case_lawyers x ON x.lawyer_id = l.lawyer_id JOIN cases c ON c.case_id = x.case_id WHERE c.case_type = 'tenancy'",
    ],
    [
      'What are the names of the judges who handled both theft and fraud cases?',
      "SELECT j.judge_name FROM judges j JOIN cases c ON c.judge_id = j.judge_id WHERE c.case_type = 'theft' INTERSECT SELECT j.judge_name FROM judges j JOIN cases c ON c.judge_id = j.judge_id WHERE c.case_type = 'fraud'",
    ],
    [
      'Name the lawyers who defended in a case that ended with the accused being acquitted.',
      "SELECT DISTINCT l.lawyer_name FROM lawyers l JOIN case_lawyers x ON x.lawyer_id = l.lawyer_id JOIN verdicts v ON v.case_id = x.case_id WHERE x.side = 'defence' AND v.outcome = 'acquitted'",
    ],
  ],
};
