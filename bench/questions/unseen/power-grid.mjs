// @ts-check
import { fill, insert, momentBefore, pick } from '../invented/rows.mjs';

/**
 * A schema with two foreign keys to the same table.
 * @type {import('../invented/rows.mjs').InventedSet}
 */
export const POWER_GRID = {
  name: 'power grid',
  statements: [
    'CREATE TABLE substation (sub_id INT PRIMARY KEY, name VARCHAR(40) NOT NULL, district VARCHAR(30) NOT NULL, capacity_mva INT NOT NULL, commissioned YEAR NOT NULL)',
    'CREATE TABLE transformer (serial_no VARCHAR(12) PRIMARY KEY, sub_id INT NOT NULL, maker VARCHAR(30) NOT NULL, rated_mva INT NOT NULL, oil_temp DECIMAL(4,1) NOT NULL, FOREIGN KEY (sub_id) REFERENCES substation (sub_id))',
    'CREATE TABLE power_line (line_id INT PRIMARY KEY, line_code VARCHAR(12) NOT NULL, from_sub INT NOT NULL, to_sub INT NOT NULL, length_km DECIMAL(6,2) NOT NULL, voltage_kv INT NOT NULL, FOREIGN KEY (from_sub) REFERENCES substation (sub_id), FOREIGN KEY (to_sub) REFERENCES substation (sub_id))',
    'CREATE TABLE repair_crew (crew_id INT PRIMARY KEY, foreman VARCHAR(60) NOT NULL, headcount INT NOT NULL, base_district VARCHAR(30) NOT NULL)',
    'CREATE TABLE outage (outage_id INT PRIMARY KEY, line_id INT NOT NULL, crew_id INT NULL, began_at DATETIME NOT NULL, minutes_lost INT NOT NULL, reason VARCHAR(30) NOT NULL, customers_hit INT NOT NULL, FOREIGN KEY (line_id) REFERENCES power_line (line_id), FOREIGN KEY (crew_id) REFERENCES repair_crew (crew_id))',
    insert('substation', [
      [1, 'Alder', 'North', 120, 1974],
      [2, 'Birchfield', 'North', 80, 1989],
      [3, 'Canal Road', 'Central', 250, 1962],
      [4, 'Dockside', 'Harbour', 160, 2005],
      [5, 'Elmgate', 'South', 60, 2016],
      [6, 'Foundry', 'Central', 200, 1998],
    ]),
    insert('transformer', [
      ['T-1001', 1, 'Siemens', 60, 71.5],
      ['T-1002', 1, 'ABB', 50, 64.2],
      ['T-1003', 2, 'ABB', 40, 58.9],
      ['T-1004', 3, 'Siemens', 125, 80.1],
      ['T-1005', 3, 'Siemens', 126, 77.4],
      ['T-1006', 3, 'Hitachi', 90, 69],
      ['T-1007', 4, 'Hitachi', 80, 66.3],
      ['T-1008', 6, 'ABB', 100, 73.8],
      ['T-1009', 6, 'ABB', 95, 74.6],
      ['T-1010', 4, 'Crompton', 75, 85.2],
    ]),
    insert('power_line', [
      [1, 'L-12', 1, 2, 14.2, 33],
      [2, 'L-13', 1, 3, 22.8, 132],
      [3, 'L-34', 3, 4, 9.6, 132],
      [4, 'L-36', 3, 6, 3.1, 132],
      [5, 'L-45', 4, 5, 31.7, 33],
      [6, 'L-26', 2, 6, 18.4, 66],
      [7, 'L-56', 5, 6, 27.5, 66],
      [8, 'L-35', 3, 5, 40.3, 132],
      [9, 'L-23', 2, 3, 16.9, 66],
    ]),
    insert('repair_crew', [
      [1, 'Hugh Sykes', 6, 'North'],
      [2, 'Maud Ellery', 9, 'Central'],
      [3, 'Sid Garner', 4, 'South'],
      [4, 'Polly Dunn', 7, 'West'],
    ]),
    fill('outage', 34, (index) => [
      index === 6 || index === 21 ? 4 : pick([1, 5, 2, 5, 7, 3, 5, 6, 1], index),
      index % 11 === 7 ? null : pick([1, 2, 1, 3, 2, 1], index),
      momentBefore(2 + index * 14, index),
      12 + ((index * 83) % 571),
      pick(['storm', 'tree', 'equipment', 'storm', 'animal', 'storm', 'third party'], index),
      40 + ((index * 1_213) % 9_300),
    ]),
  ],
  questions: [
    ['What is the total capacity of all substations?', 'SELECT SUM(capacity_mva) FROM substation'],
    ['List all transformer makers.', 'SELECT DISTINCT maker FROM transformer'],
    ['How many outages were caused by a storm?', "SELECT COUNT(*) FROM outage WHERE reason = 'storm'"],
    [
      'Show the code and the length of the 132 kV lines.',
      'SELECT line_code, length_km FROM power_line WHERE voltage_kv = 132',
    ],
    [
      'How many substations are there in each district?',
      'SELECT district, COUNT(*) FROM substation GROUP BY district',
    ],
    [
      'What is the average oil temperature of transformers made by ABB?',
      "SELECT AVG(oil_temp) FROM transformer WHERE maker = 'ABB'",
    ],
    [
      'Which are the serial numbers of the transformers in the Canal Road substation?',
      "SELECT t.serial_no FROM transformer t JOIN substation s ON s.sub_id = t.sub_id WHERE s.name = 'Canal Road'",
    ],
    [
      'Give the average number of customers hit by an outage for every reason, sorted from worst to least.',
      'SELECT reason, AVG(customers_hit) FROM outage GROUP BY reason ORDER BY AVG(customers_hit) DESC',
    ],
    [
      'Which substations have no transformer?',
      'SELECT name FROM substation WHERE sub_id NOT IN (SELECT sub_id FROM transformer)',
      'SELECT * FROM substation WHERE sub_id NOT IN (SELECT sub_id FROM transformer)',
    ],
    [
      'What are the codes of lines that run from Alder to Canal Road?',
      "SELECT l.line_code FROM power_line l JOIN substation a ON a.sub_id = l.from_sub JOIN substation b ON b.sub_id = l.to_sub WHERE a.name = 'Alder' AND b.name = 'Canal Road'",
    ],
    [
      'What is the code of the line with the most outages?',
      'SELECT l.line_code FROM power_line l JOIN outage o ON o.line_id = l.line_id GROUP BY l.line_id ORDER BY COUNT(*) DESC LIMIT 1',
    ],
    [
      'What are the names of the foremen whose crews worked on outages of line L-36?',
      "SELECT DISTINCT c.foreman FROM repair_crew c JOIN outage o ON o.crew_id = c.crew_id JOIN power_line l ON l.line_id = o.line_id WHERE l.line_code = 'L-36'",
    ],
    [
      'Find the codes of the lines which had outages from a storm and from an animal.',
      "SELECT l.line_code FROM power_line l JOIN outage o ON o.line_id = l.line_id WHERE o.reason = 'storm' INTERSECT SELECT l.line_code FROM power_line l JOIN outage o ON o.line_id = l.line_id WHERE o.reason = 'animal'",
    ],
  ],
};
