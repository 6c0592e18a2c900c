// @ts-check
import { dayBefore, fill, insert, pick } from '../invented/rows.mjs';

/** @type {import('../invented/rows.mjs').InventedSet} */
export const BEEKEEPING = {
  name: 'beekeeping',
  statements: [
    'CREATE TABLE apiaries (apiary_id INT PRIMARY KEY, apiary_name VARCHAR(60) NOT NULL, county VARCHAR(40) NOT NULL, altitude_m INT NOT NULL, owner_name VARCHAR(60) NOT NULL)',
    'CREATE TABLE hives (hive_id INT PRIMARY KEY, apiary_id INT NOT NULL, hive_type VARCHAR(30) NOT NULL, installed_on DATE NOT NULL, frames INT NOT NULL, status VARCHAR(20) NOT NULL, FOREIGN KEY (apiary_id) REFERENCES apiaries (apiary_id))',
    'CREATE TABLE queens (queen_id INT PRIMARY KEY, hive_id INT NOT NULL, breed VARCHAR(30) NOT NULL, birth_year INT NOT NULL, marking_colour VARCHAR(20) NULL, FOREIGN KEY (hive_id) REFERENCES hives (hive_id))',
    'CREATE TABLE inspections (inspection_id INT PRIMARY KEY, hive_id INT NOT NULL, inspected_on DATE NOT NULL, inspector VARCHAR(60) NOT NULL, mite_count INT NOT NULL, brood_frames INT NOT NULL, FOREIGN KEY (hive_id) REFERENCES hives (hive_id))',
    'CREATE TABLE harvests (harvest_id INT PRIMARY KEY, hive_id INT NOT NULL, harvested_on DATE NOT NULL, honey_kg DECIMAL(6,2) NOT NULL, floral_source VARCHAR(30) NOT NULL, FOREIGN KEY (hive_id) REFERENCES hives (hive_id))',
    insert('apiaries', [
      [1, 'Heather Ridge', 'Devon', 340, 'Ada Finch'],
      [2, 'Mill Meadow', 'Devon', 62, 'Ada Finch'],
      [3, 'Old Quarry', 'Cornwall', 118, 'Colm Reedy'],
      [4, 'Harbour Bank', 'Cornwall', 12, 'Iris Poole'],
      [5, 'Long Barrow', 'Somerset', 205, 'Hal Tranter'],
      [6, 'Fern Hollow', 'Dorset', 377, 'Iris Poole'],
      [7, 'Cold Spring', 'Somerset', 88, 'Joan Whitlock'],
    ]),
    fill('hives', 19, (index) => [
      pick([1, 2, 1, 3, 5, 1, 2, 1, 6, 3, 5, 1], index),
      pick(['Langstroth', 'Warre', 'Langstroth', 'Top Bar', 'National', 'Langstroth', 'Warre'], index),
      dayBefore(60 + index * 83),
      8 + ((index * 7) % 13),
      pick(['active', 'active', 'wintered', 'active', 'dead'], index),
    ]),
    fill('queens', 17, (index) => [
      index + 1,
      pick(['Carniolan', 'Buckfast', 'Italian', 'Carniolan', 'Caucasian'], index),
      2021 + ((index * 3) % 5),
      index % 4 === 3 ? null : pick(['blue', 'white', 'yellow'], index),
    ]),
    fill('inspections', 34, (index) => [
      1 + ((index * 5) % 16),
      dayBefore(3 + index * 12),
      pick(['Tom Birch', 'Nell Oakes', 'Tom Birch', 'Sam Rowan'], index),
      (index * 11) % 37,
      1 + ((index * 3) % 8),
    ]),
    fill('harvests', 26, (index) => [
      pick([1, 3, 2, 6, 8, 1, 4, 5, 12, 3, 9], index),
      dayBefore(70 + index * 17),
      4.5 + ((index * 137) % 211) / 10,
      pick(['clover', 'heather', 'lime', 'clover', 'rapeseed'], index),
    ]),
  ],
  questions: [
    ['How many hives are there in total?', 'SELECT COUNT(*) FROM hives'],
    [
      'What are the names of the apiaries in Devon?',
      "SELECT apiary_name FROM apiaries WHERE county = 'Devon'",
    ],
    ['List all the different floral sources of the honey.', 'SELECT DISTINCT floral_source FROM harvests'],
    [
      'For each hive type, how many hives do we have?',
      'SELECT hive_type, COUNT(*) FROM hives GROUP BY hive_type',
    ],
    [
      'Show the name and altitude of every apiary, highest first.',
      'SELECT apiary_name, altitude_m FROM apiaries ORDER BY altitude_m DESC',
    ],
    [
      'What is the average amount of honey harvested for each floral source?',
      'SELECT floral_source, AVG(honey_kg) FROM harvests GROUP BY floral_source',
    ],
    [
      'Find the breeds of queens living in Warre hives.',
      "SELECT DISTINCT q.breed FROM queens q JOIN hives h ON h.hive_id = q.hive_id WHERE h.hive_type = 'Warre'",
    ],
    [
      'On which dates did Tom Birch count more than 20 mites?',
      "SELECT inspected_on FROM inspections WHERE inspector = 'Tom Birch' AND mite_count > 20",
    ],
    [
      'Which apiary has the largest number of hives? Give its name and its owner.',
      'SELECT a.apiary_name, a.owner_name FROM apiaries a JOIN hives h ON h.apiary_id = a.apiary_id GROUP BY a.apiary_id ORDER BY COUNT(*) DESC LIMIT 1',
    ],
    [
      'What are the ids and types of the hives that were never inspected?',
      'SELECT hive_id, hive_type FROM hives WHERE hive_id NOT IN (SELECT hive_id FROM inspections)',
    ],
    [
      'Which counties have both an apiary above 300 m and one below 100 m?',
      'SELECT county FROM apiaries WHERE altitude_m > 300 INTERSECT SELECT county FROM apiaries WHERE altitude_m < 100',
    ],
    [
      'How many kilograms of honey did the hives of each apiary give in total? Show the apiary name too.',
      'SELECT a.apiary_name, SUM(v.honey_kg) FROM apiaries a JOIN hives h ON h.apiary_id = a.apiary_id JOIN harvests v ON v.hive_id = h.hive_id GROUP BY a.apiary_id',
      'SELECT a.apiary_name, SUM(v.honey_kg) FROM apiaries a LEFT JOIN hives h ON h.apiary_id = a.apiary_id LEFT JOIN harvests v ON v.hive_id = h.hive_id GROUP BY a.apiary_id',
    ],
    [
      'Who owns the apiaries whose hives are headed by Buckfast queens?',
      "SELECT DISTINCT a.owner_name FROM apiaries a JOIN hives h ON h.apiary_id = a.apiary_id JOIN queens q ON q.hive_id = h.hive_id WHERE q.breed = 'Buckfast'",
    ],
  ],
};
