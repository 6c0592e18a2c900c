// @ts-check
import { dayBefore, fill, insert, momentBefore, pick } from '../invented/rows.mjs';

/** @type {import('../invented/rows.mjs').InventedSet} */
export const PARKING = {
  name: 'parking',
  statements: [
    'CREATE TABLE garage (garage_id INT PRIMARY KEY, garage_name VARCHAR(40) NOT NULL, neighbourhood VARCHAR(30) NOT NULL, num_spaces INT NOT NULL, hourly_fee DECIMAL(4,2) NOT NULL, open_24h CHAR(1) NOT NULL)',
    'CREATE TABLE car (plate VARCHAR(10) PRIMARY KEY, make VARCHAR(20) NOT NULL, colour VARCHAR(15) NOT NULL, fuel VARCHAR(12) NOT NULL, keeper_name VARCHAR(60) NOT NULL)',
    'CREATE TABLE season_permit (permit_no INT PRIMARY KEY, plate VARCHAR(10) NOT NULL, garage_id INT NOT NULL, valid_from DATE NOT NULL, valid_until DATE NOT NULL, price_paid DECIMAL(7,2) NOT NULL, FOREIGN KEY (plate) REFERENCES car (plate), FOREIGN KEY (garage_id) REFERENCES garage (garage_id))',
    'CREATE TABLE stay (stay_id INT PRIMARY KEY, plate VARCHAR(10) NOT NULL, garage_id INT NOT NULL, entered_at DATETIME NOT NULL, hours_stayed INT NOT NULL, amount_due DECIMAL(6,2) NOT NULL, FOREIGN KEY (plate) REFERENCES car (plate), FOREIGN KEY (garage_id) REFERENCES garage (garage_id))',
    'CREATE TABLE violation (violation_id INT PRIMARY KEY, plate VARCHAR(10) NOT NULL, garage_id INT NOT NULL, offence VARCHAR(30) NOT NULL, penalty INT NOT NULL, settled CHAR(1) NOT NULL, FOREIGN KEY (plate) REFERENCES car (plate), FOREIGN KEY (garage_id) REFERENCES garage (garage_id))',
    insert('garage', [
      [1, 'Opera Deck', 'Old Town', 320, 3.5, 'Y'],
      [2, 'Market Cellar', 'Old Town', 145, 4.2, 'N'],
      [3, 'Riverside', 'Quays', 510, 2.1, 'Y'],
      [4, 'University Hall', 'Campus', 260, 1.8, 'N'],
      [5, 'Stadium North', 'Greenfield', 1_200, 1.5, 'Y'],
      [6, 'Little Lane', 'Quays', 48, 2.9, 'N'],
    ]),
    insert('car', [
      ['KX 101', 'Skoda', 'grey', 'diesel', 'Agata Nowak'],
      ['KX 204', 'Tesla', 'white', 'electric', 'Bogdan Wilk'],
      ['LB 311', 'Renault', 'red', 'petrol', 'Celina Mroz'],
      ['LB 377', 'Skoda', 'blue', 'petrol', 'Dawid Sowa'],
      ['MW 420', 'Kia', 'white', 'electric', 'Edyta Zajac'],
      ['MW 459', 'Opel', 'black', 'diesel', 'Filip Lis'],
      ['PR 508', 'Renault', 'grey', 'electric', 'Gosia Kruk'],
      ['PR 590', 'Skoda', 'white', 'petrol', 'Henryk Baran'],
      ['ZZ 999', 'Kia', 'green', 'petrol', 'Iga Sroka'],
    ]),
    insert(
      'season_permit',
      [
        ['KX 101', 1, 300, 560],
        ['KX 204', 3, 250, 410],
        ['LB 377', 1, 210, 575],
        ['MW 420', 4, 180, 240],
        ['PR 508', 3, 120, 395],
        ['KX 204', 1, 90, 590],
        ['MW 459', 5, 60, 180],
      ].map(([plate, garage, days, price], index) => [
        index + 1,
        plate ?? '',
        garage ?? 0,
        dayBefore(Number(days)),
        dayBefore(Number(days) - 365),
        price ?? 0,
      ]),
    ),
    fill('stay', 40, (index) => [
      pick(['LB 311', 'PR 590', 'MW 459', 'LB 311', 'LB 377', 'KX 101', 'LB 311', 'PR 590'], index),
      pick([1, 3, 2, 1, 4, 1, 3], index),
      momentBefore(1 + index * 4, index),
      1 + ((index * 7) % 23),
      2.5 + ((index * 53) % 89) / 2,
    ]),
    fill('violation', 21, (index) => [
      pick(['LB 311', 'MW 459', 'LB 311', 'PR 590', 'KX 101', 'LB 311', 'MW 420', 'PR 590'], index),
      pick([1, 2, 1, 3, 1, 4], index),
      pick(['no ticket', 'two bays', 'no ticket', 'expired', 'blocked exit', 'charging bay misuse'], index),
      20 + ((index * 17) % 97),
      pick(['Y', 'N', 'Y', 'Y', 'N'], index),
    ]),
  ],
  questions: [
    ['How many spaces do all garages have together?', 'SELECT SUM(num_spaces) FROM garage'],
    ['What are the plates of the electric cars?', "SELECT plate FROM car WHERE fuel = 'electric'"],
    [
      'List the names of the garages that are not open around the clock (open 24h is N).',
      "SELECT garage_name FROM garage WHERE open_24h = 'N'",
    ],
    ['How many cars are there of each make?', 'SELECT make, COUNT(*) FROM car GROUP BY make'],
    [
      'Show garage names and hourly fees in order of fee.',
      'SELECT garage_name, hourly_fee FROM garage ORDER BY hourly_fee',
    ],
    [
      'Which offence is the most common one?',
      'SELECT offence FROM violation GROUP BY offence ORDER BY COUNT(*) DESC LIMIT 1',
    ],
    [
      'What is the total of unsettled penalties (settled N) of the car with plate MW 459?',
      "SELECT SUM(penalty) FROM violation WHERE settled = 'N' AND plate = 'MW 459'",
    ],
    [
      'Whose cars stayed in Market Cellar for more than 10 hours? Show the names of the keepers.',
      "SELECT DISTINCT c.keeper_name FROM car c JOIN stay s ON s.plate = c.plate JOIN garage g ON g.garage_id = s.garage_id WHERE g.garage_name = 'Market Cellar' AND s.hours_stayed > 10",
    ],
    [
      'What is the average length of a stay in each garage? Give the garage name.',
      'SELECT g.garage_name, AVG(s.hours_stayed) FROM garage g JOIN stay s ON s.garage_id = g.garage_id GROUP BY g.garage_id',
    ],
    [
      'Which neighbourhoods have more than 300 spaces in all?',
      'SELECT neighbourhood FROM garage GROUP BY neighbourhood HAVING SUM(num_spaces) > 300',
    ],
    [
      'Find the keepers of cars without a season permit.',
      'SELECT keeper_name FROM car WHERE plate NOT IN (SELECT plate FROM season_permit)',
    ],
    [
      'Which car makes have both petrol and electric models?',
      "SELECT make FROM car WHERE fuel = 'petrol' INTERSECT SELECT make FROM car WHERE fuel = 'electric'",
    ],
    [
      'What is the name of the keeper whose car has committed the most violations?',
      'SELECT c.keeper_name FROM car c JOIN violation v ON v.plate = c.plate GROUP BY c.plate ORDER BY COUNT(*) DESC LIMIT 1',
    ],
  ],
};
