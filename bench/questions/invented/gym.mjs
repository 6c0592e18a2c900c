// @ts-check
import { dayBefore, fill, FIRST_NAMES, insert, LAST_NAMES, momentBefore, pick } from './rows.mjs';

/**
 * A schema without declared foreign keys.
 * @type {import('./rows.mjs').InventedSet}
 */
export const GYM = {
  name: 'gym',
  statements: [
    'CREATE TABLE plans (id INT PRIMARY KEY, name VARCHAR(40) NOT NULL, monthly_fee DECIMAL(6,2) NOT NULL)',
    'CREATE TABLE members (id INT PRIMARY KEY, name VARCHAR(80) NOT NULL, email VARCHAR(120) NOT NULL, age INT NOT NULL, plan_id INT NOT NULL, joined_at DATE NOT NULL, is_active TINYINT(1) NOT NULL)',
    'CREATE TABLE trainers (id INT PRIMARY KEY, name VARCHAR(80) NOT NULL, speciality VARCHAR(40) NOT NULL, hourly_rate DECIMAL(6,2) NOT NULL)',
    'CREATE TABLE sessions (id INT PRIMARY KEY, trainer_id INT NOT NULL, title VARCHAR(60) NOT NULL, weekday VARCHAR(12) NOT NULL, max_participants INT NOT NULL)',
    'CREATE TABLE session_bookings (id INT PRIMARY KEY, session_id INT NOT NULL, member_id INT NOT NULL, booked_at DATETIME NOT NULL)',
    'CREATE TABLE payments (id INT PRIMARY KEY, member_id INT NOT NULL, amount DECIMAL(8,2) NOT NULL, paid_at DATE NOT NULL, method VARCHAR(20) NOT NULL)',
    insert('plans', [
      [1, 'Basic', 19.9],
      [2, 'Plus', 34.9],
      [3, 'Premium', 59],
      [4, 'Family', 89],
    ]),
    fill('members', 20, (index) => [
      `${pick(FIRST_NAMES, index)} ${pick(LAST_NAMES, index * 6 + 3)}`,
      `${pick(FIRST_NAMES, index).toLowerCase()}@gym.test`,
      18 + ((index * 13) % 47),
      pick([1, 2, 1, 3, 1, 2, 2], index),
      dayBefore(25 + index * 71),
      index % 4 === 3 ? 0 : 1,
    ]),
    insert(
      'trainers',
      [
        ['Bea Moss', 'yoga', 45],
        ['Carl Nye', 'boxing', 55],
        ['Dora Orr', 'pilates', 40],
        ['Eli Park', 'yoga', 50],
        ['Fay Quill', 'swimming', 60],
      ].map((row, index) => [index + 1, ...row]),
    ),
    insert(
      'sessions',
      [
        [1, 'Morning Flow', 'Monday', 12],
        [2, 'Heavy Bag', 'Tuesday', 8],
        [3, 'Core Basics', 'Monday', 15],
        [1, 'Power Yoga', 'Friday', 20],
        [2, 'Sparring', 'Saturday', 6],
        [4, 'Evening Stretch', 'Wednesday', 18],
        [1, 'Sun Salute', 'Sunday', 25],
      ].map((row, index) => [index + 1, ...row]),
    ),
    fill('session_bookings', 44, (index) => [
      1 + ([0, 1, 2, 0, 3, 5, 0, 1, 3][index % 9] ?? 0),
      1 + ((index * 7) % 17),
      momentBefore(1 + index * 4, index),
    ]),
    fill('payments', 40, (index) => [
      1 + ((index * 3) % 18),
      pick([19.9, 34.9, 19.9, 59], index) + index / 10,
      dayBefore(3 + index * 10),
      pick(['card', 'cash', 'card', 'transfer'], index),
    ]),
  ],
  questions: [
    ['How many active members do we have?', 'SELECT COUNT(*) FROM members WHERE is_active = 1'],
    ['members older than 50', 'SELECT name FROM members WHERE age > 50'],
    [
      'number of members per plan',
      'SELECT p.name, COUNT(*) FROM plans p JOIN members m ON m.plan_id = p.id GROUP BY p.id',
      'SELECT p.name, COUNT(m.id) FROM plans p LEFT JOIN members m ON m.plan_id = p.id GROUP BY p.id',
    ],
    [
      'What is the average age of members on the Premium plan?',
      "SELECT AVG(m.age) FROM members m JOIN plans p ON p.id = m.plan_id WHERE p.name = 'Premium'",
    ],
    ['which plans have no members?', 'SELECT name FROM plans WHERE id NOT IN (SELECT plan_id FROM members)'],
    [
      'Which trainer has the highest hourly rate?',
      'SELECT name FROM trainers ORDER BY hourly_rate DESC LIMIT 1',
    ],
    ['yoga trainers', "SELECT name FROM trainers WHERE speciality = 'yoga'"],
    ['sessions on Monday', "SELECT title FROM sessions WHERE weekday = 'Monday'"],
    [
      'total payments by method',
      'SELECT method, SUM(amount) FROM payments GROUP BY method',
      'SELECT method, COUNT(*) FROM payments GROUP BY method',
    ],
    [
      'how much money did we receive in October 2026?',
      "SELECT SUM(amount) FROM payments WHERE paid_at >= '2026-10-01' AND paid_at < '2026-11-01'",
    ],
    ['total amount of cash payments', "SELECT SUM(amount) FROM payments WHERE method = 'cash'"],
    [
      'Which session has the most bookings?',
      'SELECT s.title FROM sessions s JOIN session_bookings b ON b.session_id = s.id GROUP BY s.id ORDER BY COUNT(*) DESC LIMIT 1',
    ],
    [
      'sessions with room for more than 15 participants',
      'SELECT title FROM sessions WHERE max_participants > 15',
    ],
    [
      'members who booked Heavy Bag',
      "SELECT DISTINCT m.name FROM members m JOIN session_bookings b ON b.member_id = m.id JOIN sessions s ON s.id = b.session_id WHERE s.title = 'Heavy Bag'",
    ],
    [
      'trainers without sessions',
      'SELECT name FROM trainers WHERE id NOT IN (SELECT trainer_id FROM sessions)',
    ],
    [
      'members who joined this year',
      "SELECT name FROM members WHERE joined_at >= '2026-01-01' AND joined_at < '2027-01-01'",
    ],
    [
      'sessions led by Bea Moss',
      "SELECT s.title FROM sessions s JOIN trainers t ON t.id = s.trainer_id WHERE t.name = 'Bea Moss'",
    ],
    ['the 3 oldest members', 'SELECT name FROM members ORDER BY age DESC LIMIT 3'],
    ['email addresses of inactive members', 'SELECT email FROM members WHERE is_active = 0'],
    [
      'Who are the youngest and the oldest member?',
      'SELECT name FROM members WHERE age = (SELECT MIN(age) FROM members) OR age = (SELECT MAX(age) FROM members)',
    ],
  ],
};
