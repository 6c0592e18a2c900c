// @ts-check
import { dayBefore, fill, insert, pick } from './rows.mjs';

/**
 * A schema with two foreign keys to the same table.
 * @type {import('./rows.mjs').InventedSet}
 */
export const HAULAGE = {
  name: 'haulage firm',
  statements: [
    'CREATE TABLE warehouse (id INT PRIMARY KEY, name VARCHAR(40) NOT NULL, city VARCHAR(40) NOT NULL, floor_area INT NOT NULL)',
    'CREATE TABLE driver (id INT PRIMARY KEY, name VARCHAR(80) NOT NULL, date_of_birth DATE NOT NULL, license_class VARCHAR(4) NOT NULL, home_warehouse_id INT NOT NULL, FOREIGN KEY (home_warehouse_id) REFERENCES warehouse (id))',
    'CREATE TABLE truck (id INT PRIMARY KEY, plate VARCHAR(12) NOT NULL, brand VARCHAR(40) NOT NULL, max_load_kg INT NOT NULL, year_built INT NOT NULL)',
    'CREATE TABLE client (id INT PRIMARY KEY, company_name VARCHAR(80) NOT NULL, contact_email VARCHAR(120) NULL, city VARCHAR(40) NOT NULL)',
    'CREATE TABLE shipment (id INT PRIMARY KEY, client_id INT NOT NULL, driver_id INT NULL, truck_id INT NULL, origin_warehouse_id INT NOT NULL, destination_warehouse_id INT NOT NULL, weight_kg INT NOT NULL, price DECIMAL(9,2) NOT NULL, shipped_on DATE NOT NULL, delivered_on DATE NULL, FOREIGN KEY (client_id) REFERENCES client (id), FOREIGN KEY (driver_id) REFERENCES driver (id), FOREIGN KEY (truck_id) REFERENCES truck (id), FOREIGN KEY (origin_warehouse_id) REFERENCES warehouse (id), FOREIGN KEY (destination_warehouse_id) REFERENCES warehouse (id))',
    insert('warehouse', [
      [1, 'North Hub', 'Hamburg', 12_000],
      [2, 'Rhine Depot', 'Cologne', 8_500],
      [3, 'South Gate', 'Munich', 15_200],
      [4, 'East Yard', 'Dresden', 4_300],
    ]),
    insert(
      'driver',
      [
        ['Adam Wolf', '1971-04-12', 'CE', 1],
        ['Britta Lang', '1985-11-30', 'C', 2],
        ['Cem Aydin', '1990-06-07', 'CE', 1],
        ['Doris Pohl', '1966-01-22', 'CE', 3],
        ['Emil Rau', '1998-08-15', 'C', 1],
        ['Frida Busch', '1979-12-03', 'CE', 2],
      ].map((row, index) => [index + 1, ...row]),
    ),
    insert(
      'truck',
      [
        ['HH-AB 12', 'MAN', 18_000, 2016],
        ['K-CD 34', 'Volvo', 24_000, 2019],
        ['M-EF 56', 'Scania', 22_500, 2021],
        ['DD-GH 78', 'MAN', 12_000, 2012],
        ['HH-IJ 90', 'Volvo', 26_000, 2023],
      ].map((row, index) => [index + 1, ...row]),
    ),
    insert(
      'client',
      [
        ['Apex Tools', 'office@apex.test', 'Berlin'],
        ['Blue Ocean', null, 'Kiel'],
        ['Citrus Trade', 'hi@citrus.test', 'Berlin'],
        ['Dynamo Steel', 'mail@dynamo.test', 'Essen'],
        ['Elm Furniture', 'info@elm.test', 'Kassel'],
      ].map((row, index) => [index + 1, ...row]),
    ),
    fill('shipment', 40, (index) => [
      1 + ([0, 1, 0, 2, 3, 0, 2][index % 7] ?? 0),
      index % 13 === 6 ? null : 1 + ([0, 1, 0, 2, 3, 0, 1, 4][index % 8] ?? 0),
      index % 13 === 6 ? null : 1 + ([1, 0, 1, 2, 1, 0][index % 6] ?? 0),
      pick([1, 2, 1, 3], index),
      pick([2, 3, 3, 1, 4], index),
      240 + ((index * 613) % 9_700),
      180 + ((index * 97) % 2_300),
      dayBefore(1 + index * 9),
      index < 4 ? null : dayBefore(index * 9 - 1 - (index % 3)),
    ]),
  ],
  questions: [
    ['How many drivers do we employ?', 'SELECT COUNT(*) FROM driver'],
    ['plates of all Volvo trucks', "SELECT plate FROM truck WHERE brand = 'Volvo'"],
    [
      'Which truck can carry the most?',
      'SELECT plate FROM truck ORDER BY max_load_kg DESC LIMIT 1',
      'SELECT * FROM truck ORDER BY max_load_kg DESC LIMIT 1',
    ],
    [
      'trucks built before 2018',
      'SELECT plate FROM truck WHERE year_built < 2018',
      'SELECT * FROM truck WHERE year_built < 2018',
    ],
    ['total weight of all shipments', 'SELECT SUM(weight_kg) FROM shipment'],
    [
      'shipments that have not been delivered',
      'SELECT * FROM shipment WHERE delivered_on IS NULL',
      'SELECT id FROM shipment WHERE delivered_on IS NULL',
    ],
    ['how many shipments are heavier than 5000 kg?', 'SELECT COUNT(*) FROM shipment WHERE weight_kg > 5000'],
    [
      'Which client sent the most shipments?',
      'SELECT c.company_name FROM client c JOIN shipment s ON s.client_id = c.id GROUP BY c.id ORDER BY COUNT(*) DESC LIMIT 1',
    ],
    [
      'clients without shipments',
      'SELECT company_name FROM client WHERE id NOT IN (SELECT client_id FROM shipment)',
    ],
    [
      'number of shipments per driver',
      'SELECT d.name, COUNT(*) FROM driver d JOIN shipment s ON s.driver_id = d.id GROUP BY d.id',
      'SELECT d.name, COUNT(s.id) FROM driver d LEFT JOIN shipment s ON s.driver_id = d.id GROUP BY d.id',
    ],
    ['names of drivers with license class CE', "SELECT name FROM driver WHERE license_class = 'CE'"],
    ['who is the oldest driver?', 'SELECT name FROM driver ORDER BY date_of_birth LIMIT 1'],
    [
      'How many shipments were shipped in 2026?',
      "SELECT COUNT(*) FROM shipment WHERE shipped_on >= '2026-01-01' AND shipped_on < '2027-01-01'",
    ],
    [
      'average price of shipments for each client',
      'SELECT c.company_name, AVG(s.price) FROM client c JOIN shipment s ON s.client_id = c.id GROUP BY c.id',
    ],
    ['clients in Berlin', "SELECT company_name FROM client WHERE city = 'Berlin'"],
    [
      'shipments whose destination is the South Gate warehouse',
      "SELECT s.* FROM shipment s JOIN warehouse w ON w.id = s.destination_warehouse_id WHERE w.name = 'South Gate'",
      "SELECT s.id FROM shipment s JOIN warehouse w ON w.id = s.destination_warehouse_id WHERE w.name = 'South Gate'",
    ],
    ['warehouses larger than 10000', 'SELECT name FROM warehouse WHERE floor_area > 10000'],
    [
      'the most expensive shipment of Apex Tools',
      "SELECT s.* FROM shipment s JOIN client c ON c.id = s.client_id WHERE c.company_name = 'Apex Tools' ORDER BY s.price DESC LIMIT 1",
      "SELECT s.id FROM shipment s JOIN client c ON c.id = s.client_id WHERE c.company_name = 'Apex Tools' ORDER BY s.price DESC LIMIT 1",
    ],
    [
      'drivers born after 1980 sorted by name',
      "SELECT name FROM driver WHERE date_of_birth >= '1981-01-01' ORDER BY name",
    ],
    ['number of trucks of each brand', 'SELECT brand, COUNT(*) FROM truck GROUP BY brand'],
  ],
};
