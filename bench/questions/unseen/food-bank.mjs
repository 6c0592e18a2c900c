// @ts-check
import { dayBefore, fill, insert, pick } from '../invented/rows.mjs';

/**
 * A schema with nine tables.
 * @type {import('../invented/rows.mjs').InventedSet}
 */
export const FOOD_BANK = {
  name: 'food bank',
  statements: [
    'CREATE TABLE donor_types (donor_type_code VARCHAR(10) PRIMARY KEY, donor_type_description VARCHAR(40) NOT NULL)',
    'CREATE TABLE food_donors (donor_id INT PRIMARY KEY, donor_name VARCHAR(60) NOT NULL, donor_type_code VARCHAR(10) NOT NULL, postcode VARCHAR(10) NOT NULL, FOREIGN KEY (donor_type_code) REFERENCES donor_types (donor_type_code))',
    'CREATE TABLE pantries (pantry_id INT PRIMARY KEY, pantry_name VARCHAR(40) NOT NULL, borough VARCHAR(30) NOT NULL, shelf_metres INT NOT NULL)',
    'CREATE TABLE food_items (item_id INT PRIMARY KEY, item_name VARCHAR(40) NOT NULL, category VARCHAR(20) NOT NULL, shelf_life_days INT NOT NULL, weight_grams INT NOT NULL)',
    'CREATE TABLE donations (donation_id INT PRIMARY KEY, donor_id INT NOT NULL, pantry_id INT NOT NULL, date_received DATE NOT NULL, FOREIGN KEY (donor_id) REFERENCES food_donors (donor_id), FOREIGN KEY (pantry_id) REFERENCES pantries (pantry_id))',
    'CREATE TABLE donation_items (donation_id INT NOT NULL, item_id INT NOT NULL, quantity INT NOT NULL, PRIMARY KEY (donation_id, item_id), FOREIGN KEY (donation_id) REFERENCES donations (donation_id), FOREIGN KEY (item_id) REFERENCES food_items (item_id))',
    'CREATE TABLE households (household_id INT PRIMARY KEY, contact_name VARCHAR(60) NOT NULL, household_size INT NOT NULL, dietary_need VARCHAR(20) NULL, pantry_id INT NOT NULL, FOREIGN KEY (pantry_id) REFERENCES pantries (pantry_id))',
    'CREATE TABLE volunteers (volunteer_id INT PRIMARY KEY, volunteer_name VARCHAR(60) NOT NULL, date_of_birth DATE NOT NULL, has_driving_licence CHAR(1) NOT NULL)',
    'CREATE TABLE volunteer_shifts (shift_id INT PRIMARY KEY, volunteer_id INT NOT NULL, pantry_id INT NOT NULL, shift_date DATE NOT NULL, hours DECIMAL(3,1) NOT NULL, FOREIGN KEY (volunteer_id) REFERENCES volunteers (volunteer_id), FOREIGN KEY (pantry_id) REFERENCES pantries (pantry_id))',
    insert('donor_types', [
      ['SUP', 'supermarket'],
      ['BAK', 'bakery'],
      ['PRIV', 'private person'],
      ['FARM', 'farm'],
    ]),
    insert('food_donors', [
      [1, 'Fresh Corner', 'SUP', 'E8 2AA'],
      [2, 'Dough Brothers', 'BAK', 'E9 5QT'],
      [3, 'Wilma Stark', 'PRIV', 'N4 1PL'],
      [4, 'Hillside Farm', 'FARM', 'CM1 7HH'],
      [5, 'Budget Mart', 'SUP', 'N1 9GU'],
      [6, 'Golden Crust', 'BAK', 'N4 3EX'],
      [7, 'Saverite', 'SUP', 'E2 6BT'],
    ]),
    insert('pantries', [
      [1, 'Hackney Hub', 'Hackney', 85],
      [2, 'Finsbury Larder', 'Islington', 42],
      [3, 'Bow Kitchen', 'Tower Hamlets', 61],
      [4, 'Dalston Cupboard', 'Hackney', 28],
      [5, 'Stepney Store', 'Tower Hamlets', 33],
    ]),
    insert(
      'food_items',
      [
        ['Rice', 'dry', 730, 1_000],
        ['Baked Beans', 'tinned', 900, 415],
        ['Bread', 'bakery', 4, 800],
        ['Carrots', 'fresh', 12, 500],
        ['Tuna', 'tinned', 1_100, 145],
        ['Pasta', 'dry', 640, 505],
        ['Milk', 'chilled', 8, 1_030],
        ['Apples', 'fresh', 21, 750],
        ['Oats', 'dry', 365, 1_500],
      ].map((row, index) => [index + 1, ...row]),
    ),
    fill('donations', 24, (index) => [
      pick([1, 2, 1, 4, 5, 1, 3, 2, 5], index),
      pick([1, 2, 1, 3, 4, 1, 2], index),
      dayBefore(2 + index * 9),
    ]),
    insert(
      'donation_items',
      Array.from({ length: 52 }, (_, index) => [
        1 + ((index * 5) % 24),
        pick(
          [2, 8, 11, 17, 20].includes(1 + ((index * 5) % 24)) ? [3, 9, 6] : [1, 3, 2, 6, 4, 3, 5, 1, 8, 2, 3],
          index,
        ),
        3 + ((index * 31) % 118),
      ]).filter(
        (row, index, all) => all.findIndex((other) => other[0] === row[0] && other[1] === row[1]) === index,
      ),
    ),
    fill('households', 18, (index) => [
      `${pick(['Amira', 'Boris', 'Carla', 'Dev', 'Esther', 'Femi', 'Gina', 'Hal', 'Ines'], index)} ${pick(['Okoro', 'Page', 'Rana', 'Stein', 'Tully'], index)}`,
      index === 11 ? 9 : 1 + ((index * 5) % 7),
      pick([null, 'vegetarian', 'halal', null, 'gluten free', 'halal'], index),
      pick([1, 2, 1, 3, 1, 4, 2], index),
    ]),
    insert(
      'volunteers',
      [
        ['Nora Blythe', '1958-03-14', 'Y'],
        ['Owen Tate', '1999-11-02', 'N'],
        ['Priya Shah', '1987-06-21', 'Y'],
        ['Quincy Rolfe', '2004-01-30', 'N'],
        ['Rhea Moon', '1974-09-09', 'Y'],
        ['Silas Peck', '1966-12-17', 'N'],
      ].map((row, index) => [index + 1, ...row]),
    ),
    fill('volunteer_shifts', 30, (index) => [
      pick([1, 2, 1, 3, 5, 1, 2, 3], index),
      pick([1, 2, 1, 3, 4, 1], index),
      dayBefore(1 + index * 6),
      2 + ((index * 3) % 9) / 2,
    ]),
  ],
  questions: [
    ['How many households are registered?', 'SELECT COUNT(*) FROM households'],
    ['Return the names of all tinned items.', "SELECT item_name FROM food_items WHERE category = 'tinned'"],
    ['What is the average household size?', 'SELECT AVG(household_size) FROM households'],
    [
      'List the names of volunteers that hold a driving licence (Y), ordered by their date of birth.',
      "SELECT volunteer_name FROM volunteers WHERE has_driving_licence = 'Y' ORDER BY date_of_birth",
    ],
    [
      'How many halal households does each pantry serve? Give pantry names.',
      "SELECT p.pantry_name, COUNT(*) FROM pantries p JOIN households h ON h.pantry_id = p.pantry_id WHERE h.dietary_need = 'halal' GROUP BY p.pantry_id",
      "SELECT p.pantry_name, COUNT(h.household_id) FROM pantries p LEFT JOIN households h ON h.pantry_id = p.pantry_id AND h.dietary_need = 'halal' GROUP BY p.pantry_id",
    ],
    [
      'What are the names of the donors whose type is described as supermarket?',
      "SELECT d.donor_name FROM food_donors d JOIN donor_types t ON t.donor_type_code = d.donor_type_code WHERE t.donor_type_description = 'supermarket'",
    ],
    [
      'Find the item with the shortest shelf life and tell how many days it keeps.',
      'SELECT item_name, shelf_life_days FROM food_items ORDER BY shelf_life_days LIMIT 1',
    ],
    [
      'What is the number of hours worked by each volunteer? List the name with the total.',
      'SELECT v.volunteer_name, SUM(s.hours) FROM volunteers v JOIN volunteer_shifts s ON s.volunteer_id = v.volunteer_id GROUP BY v.volunteer_id',
      'SELECT v.volunteer_name, SUM(s.hours) FROM volunteers v LEFT JOIN volunteer_shifts s ON s.volunteer_id = v.volunteer_id GROUP BY v.volunteer_id',
    ],
    [
      'Which pantry received the most donations?',
      'SELECT p.pantry_name FROM pantries p JOIN donations d ON d.pantry_id = p.pantry_id GROUP BY p.pantry_id ORDER BY COUNT(*) DESC LIMIT 1',
      'SELECT p.* FROM pantries p JOIN donations d ON d.pantry_id = p.pantry_id GROUP BY p.pantry_id ORDER BY COUNT(*) DESC LIMIT 1',
    ],
    [
      'Show the names of donors who have made no donation.',
      'SELECT donor_name FROM food_donors WHERE donor_id NOT IN (SELECT donor_id FROM donations)',
    ],
    [
      'What items has Dough Brothers donated, without repetition?',
      "SELECT DISTINCT i.item_name FROM food_items i JOIN donation_items x ON x.item_id = i.item_id JOIN donations d ON d.donation_id = x.donation_id JOIN food_donors f ON f.donor_id = d.donor_id WHERE f.donor_name = 'Dough Brothers'",
    ],
    [
      'Show the boroughs that have more than one pantry.',
      'SELECT borough FROM pantries GROUP BY borough HAVING COUNT(*) > 1',
    ],
    [
      'Find the item names that were donated in both Hackney and Islington.',
      "SELECT i.item_name FROM food_items i JOIN donation_items x ON x.item_id = i.item_id JOIN donations d ON d.donation_id = x.donation_id JOIN pantries p ON p.pantry_id = d.pantry_id WHERE p.borough = 'Hackney' INTERSECT SELECT i.item_name FROM food_items i JOIN donation_items x ON x.item_id = i.item_id JOIN donations d ON d.donation_id = x.donation_id JOIN pantries p ON p.pantry_id = d.pantry_id WHERE p.borough = 'Islington'",
    ],
    [
      'Who are the volunteers that never worked at Hackney Hub?',
      "SELECT volunteer_name FROM volunteers WHERE volunteer_id NOT IN (SELECT s.volunteer_id FROM volunteer_shifts s JOIN pantries p ON p.pantry_id = s.pantry_id WHERE p.pantry_name = 'Hackney Hub')",
      "SELECT * FROM volunteers WHERE volunteer_id NOT IN (SELECT s.volunteer_id FROM volunteer_shifts s JOIN pantries p ON p.pantry_id = s.pantry_id WHERE p.pantry_name = 'Hackney Hub')",
    ],
  ],
};
