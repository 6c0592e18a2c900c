// @ts-check
import { insert, pick } from '../invented/rows.mjs';

/** Pairs of a glacier and its surveyor. */
const SURVEYS = [
  [1, 4],
  [2, 4],
  [7, 4],
  [1, 1],
  [5, 2],
  [3, 3],
  [7, 4],
  [4, 1],
  [2, 4],
  [5, 2],
  [3, 1],
  [5, 1],
  [1, 5],
  [7, 4],
  [6, 2],
];

/**
 * A schema with three tables, of which the junction table has no key of its own.
 * @type {import('../invented/rows.mjs').InventedSet}
 */
export const GLACIERS = {
  name: 'glaciers',
  statements: [
    'CREATE TABLE glacier (glacier_id INT PRIMARY KEY, glacier_name VARCHAR(40) NOT NULL, mountain_range VARCHAR(30) NOT NULL, country VARCHAR(30) NOT NULL, area_km2 DECIMAL(7,2) NOT NULL, type VARCHAR(20) NOT NULL)',
    'CREATE TABLE researcher (researcher_id INT PRIMARY KEY, name VARCHAR(60) NOT NULL, home_institute VARCHAR(40) NOT NULL, first_season INT NOT NULL)',
    'CREATE TABLE mass_balance (glacier_id INT NOT NULL, researcher_id INT NOT NULL, survey_year INT NOT NULL, balance_mm INT NOT NULL, terminus_retreat_m DECIMAL(6,1) NOT NULL, FOREIGN KEY (glacier_id) REFERENCES glacier (glacier_id), FOREIGN KEY (researcher_id) REFERENCES researcher (researcher_id))',
    insert('glacier', [
      [1, 'Aletsch', 'Bernese Alps', 'Switzerland', 81.7, 'valley'],
      [2, 'Pasterze', 'High Tauern', 'Austria', 16.5, 'valley'],
      [3, 'Mer de Glace', 'Mont Blanc', 'France', 30.4, 'valley'],
      [4, 'Rhone', 'Uri Alps', 'Switzerland', 15.6, 'valley'],
      [5, 'Nigardsbreen', 'Jostedal', 'Norway', 46.6, 'outlet'],
      [6, 'Briksdal', 'Jostedal', 'Norway', 11.9, 'outlet'],
      [7, 'Hintereis', 'Otztal Alps', 'Austria', 6.2, 'valley'],
      [8, 'Marmolada', 'Dolomites', 'Italy', 1.4, 'cirque'],
      [9, 'Engabreen', 'Saltfjellet', 'Norway', 38.7, 'outlet'],
    ]),
    insert('researcher', [
      [1, 'Beat Zumstein', 'ETH Zurich', 1994],
      [2, 'Kari Solheim', 'Bergen Museum', 2008],
      [3, 'Elise Charlet', 'CNRS Grenoble', 2015],
      [4, 'Franz Obholzer', 'Uni Innsbruck', 1987],
      [5, 'Noor Haddad', 'ETH Zurich', 2020],
      [6, 'Paolo Rech', 'Uni Padova', 2011],
    ]),
    insert(
      'mass_balance',
      Array.from({ length: 36 }, (_, index) => [
        ...pick(SURVEYS, index),
        2010 + ((index * 7) % 16),
        -1_900 + ((index * 347) % 2_311),
        3.5 + ((index * 59) % 83),
      ]),
    ),
  ],
  questions: [
    ['How many glaciers are in Norway?', "SELECT COUNT(*) FROM glacier WHERE country = 'Norway'"],
    ['List the names and areas of all glaciers.', 'SELECT glacier_name, area_km2 FROM glacier'],
    ['Which institutes do the researchers come from?', 'SELECT DISTINCT home_institute FROM researcher'],
    [
      'What is the total glacier area of each country?',
      'SELECT country, SUM(area_km2) FROM glacier GROUP BY country',
    ],
    [
      'Give the names of the valley glaciers smaller than 20 square kilometres.',
      "SELECT glacier_name FROM glacier WHERE type = 'valley' AND area_km2 < 20",
    ],
    [
      'Who has been surveying the longest, that is, since the earliest first season?',
      'SELECT name FROM researcher ORDER BY first_season LIMIT 1',
    ],
    [
      'Show the survey years and balances measured on the Pasterze.',
      "SELECT m.survey_year, m.balance_mm FROM mass_balance m JOIN glacier g ON g.glacier_id = m.glacier_id WHERE g.glacier_name = 'Pasterze'",
    ],
    [
      'What is the largest retreat recorded for each glacier? Give glacier name and metres.',
      'SELECT g.glacier_name, MAX(m.terminus_retreat_m) FROM glacier g JOIN mass_balance m ON m.glacier_id = g.glacier_id GROUP BY g.glacier_id',
    ],
    [
      'Find the glaciers that have never been surveyed.',
      'SELECT glacier_name FROM glacier WHERE glacier_id NOT IN (SELECT glacier_id FROM mass_balance)',
      'SELECT * FROM glacier WHERE glacier_id NOT IN (SELECT glacier_id FROM mass_balance)',
    ],
    [
      'What are the countries with at least 2 glaciers?',
      'SELECT country FROM glacier GROUP BY country HAVING COUNT(*) >= 2',
    ],
    [
      'What are the names of glaciers larger than the average area?',
      'SELECT glacier_name FROM glacier WHERE area_km2 > (SELECT AVG(area_km2) FROM glacier)',
    ],
    [
      'Which researcher has surveyed the greatest number of different glaciers?',
      'SELECT r.name FROM researcher r JOIN mass_balance m ON m.researcher_id = r.researcher_id GROUP BY r.researcher_id ORDER BY COUNT(DISTINCT m.glacier_id) DESC LIMIT 1',
      'SELECT r.* FROM researcher r JOIN mass_balance m ON m.researcher_id = r.researcher_id GROUP BY r.researcher_id ORDER BY COUNT(DISTINCT m.glacier_id) DESC LIMIT 1',
    ],
  ],
};
