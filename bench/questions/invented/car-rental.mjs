// @ts-check
import { dayBefore, fill, FIRST_NAMES, insert, LAST_NAMES, pick } from './rows.mjs';

const CARS = [
  ['Toyota', 'Corolla'],
  ['Ford', 'Focus'],
  ['Toyota', 'Yaris'],
  ['BMW', 'X3'],
  ['Volvo', 'V60'],
  ['Ford', 'Transit'],
  ['Fiat', 'Panda'],
  ['BMW', 'i4'],
  ['Toyota', 'RAV4'],
  ['Volvo', 'XC40'],
  ['Fiat', 'Tipo'],
  ['Ford', 'Kuga'],
];

/**
 * A schema with names in camel case.
 * @type {import('./rows.mjs').InventedSet}
 */
export const CAR_RENTAL = {
  name: 'car rental',
  statements: [
    'CREATE TABLE branches (id INT PRIMARY KEY, name VARCHAR(60) NOT NULL, city VARCHAR(60) NOT NULL)',
    "CREATE TABLE vehicles (id INT PRIMARY KEY, make VARCHAR(40) NOT NULL, model VARCHAR(40) NOT NULL, modelYear INT NOT NULL, category ENUM('compact', 'family', 'suv', 'van', 'luxury') NOT NULL, color VARCHAR(20) NOT NULL, dailyRate DECIMAL(8,2) NOT NULL, mileage INT NOT NULL, branchId INT NOT NULL, FOREIGN KEY (branchId) REFERENCES branches (id))",
    'CREATE TABLE customers (id INT PRIMARY KEY, fullName VARCHAR(80) NOT NULL, email VARCHAR(120) NOT NULL, country VARCHAR(40) NOT NULL, licenseNumber VARCHAR(30) NOT NULL)',
    'CREATE TABLE rentals (id INT PRIMARY KEY, vehicleId INT NOT NULL, customerId INT NOT NULL, startDate DATE NOT NULL, endDate DATE NULL, totalPrice DECIMAL(8,2) NULL, FOREIGN KEY (vehicleId) REFERENCES vehicles (id), FOREIGN KEY (customerId) REFERENCES customers (id))',
    'CREATE TABLE maintenance_records (id INT PRIMARY KEY, vehicleId INT NOT NULL, performedOn DATE NOT NULL, cost DECIMAL(8,2) NOT NULL, description VARCHAR(120) NOT NULL, FOREIGN KEY (vehicleId) REFERENCES vehicles (id))',
    insert('branches', [
      [1, 'Airport', 'Oslo'],
      [2, 'Central Station', 'Bergen'],
      [3, 'Docks', 'Oslo'],
      [4, 'West End', 'Tromso'],
    ]),
    fill('vehicles', CARS.length, (index) => [
      ...(CARS[index] ?? []),
      2015 + ((index * 5) % 11),
      pick(['compact', 'family', 'compact', 'suv', 'luxury', 'van'], index),
      pick(['red', 'black', 'white', 'blue', 'black'], index),
      35 + ((index * 29) % 97),
      5_000 + ((index * 17_389) % 120_000),
      pick([1, 2, 1, 3, 1], index),
    ]),
    fill('customers', 18, (index) => [
      `${pick(FIRST_NAMES, index)} ${pick(LAST_NAMES, index * 2)}`,
      `${pick(FIRST_NAMES, index).toLowerCase()}@drive.test`,
      pick(['Norway', 'Sweden', 'Germany', 'Norway', 'Spain'], index),
      `LN-${1000 + index * 37}`,
    ]),
    fill('rentals', 36, (index) => [
      1 + ([0, 1, 2, 0, 3, 4, 0, 5, 6, 1, 7, 8][index % 12] ?? 0),
      1 + ((index * 5 + (index % 3)) % 15),
      dayBefore(2 + index * 10),
      index < 3 ? null : dayBefore(index * 10 - 2 - (index % 4)),
      index < 3 ? null : 90 + ((index * 71) % 640),
    ]),
    fill('maintenance_records', 14, (index) => [
      1 + ((index * 3) % 10),
      dayBefore(4 + index * 31),
      80 + ((index * 137) % 900),
      pick(['oil change', 'new tyres', 'brakes', 'inspection'], index),
    ]),
  ],
  questions: [
    ['How many vehicles do we have?', 'SELECT COUNT(*) FROM vehicles'],
    ['makes and models of all vehicles', 'SELECT make, model FROM vehicles'],
    [
      'What is the average daily rate of vehicles per category?',
      'SELECT category, AVG(dailyRate) FROM vehicles GROUP BY category',
    ],
    ['models of black vehicles', "SELECT model FROM vehicles WHERE color = 'black'"],
    ['How many Toyota vehicles are there?', "SELECT COUNT(*) FROM vehicles WHERE make = 'Toyota'"],
    [
      'Which branch has the most vehicles?',
      'SELECT b.name FROM branches b JOIN vehicles v ON v.branchId = b.id GROUP BY b.id ORDER BY COUNT(*) DESC LIMIT 1',
    ],
    ['names of customers from Norway', "SELECT fullName FROM customers WHERE country = 'Norway'"],
    ['total revenue from rentals', 'SELECT SUM(totalPrice) FROM rentals'],
    [
      'total price of rentals per month in 2026',
      "SELECT DATE_FORMAT(startDate, '%Y-%m'), SUM(totalPrice) FROM rentals WHERE YEAR(startDate) = 2026 GROUP BY DATE_FORMAT(startDate, '%Y-%m')",
    ],
    [
      'customers who have never rented a vehicle',
      'SELECT fullName FROM customers WHERE id NOT IN (SELECT customerId FROM rentals)',
    ],
    [
      'Which customer has the most rentals?',
      'SELECT c.fullName FROM customers c JOIN rentals r ON r.customerId = c.id GROUP BY c.id ORDER BY COUNT(*) DESC LIMIT 1',
    ],
    [
      'total maintenance cost per vehicle',
      'SELECT v.id, SUM(m.cost) FROM vehicles v JOIN maintenance_records m ON m.vehicleId = v.id GROUP BY v.id',
      'SELECT v.model, SUM(m.cost) FROM vehicles v JOIN maintenance_records m ON m.vehicleId = v.id GROUP BY v.id',
      'SELECT v.make, v.model, SUM(m.cost) FROM vehicles v JOIN maintenance_records m ON m.vehicleId = v.id GROUP BY v.id',
    ],
    [
      'model of the vehicle with the highest mileage',
      'SELECT model FROM vehicles ORDER BY mileage DESC LIMIT 1',
    ],
    [
      'vehicles with a mileage above 80000',
      'SELECT * FROM vehicles WHERE mileage > 80000',
      'SELECT model FROM vehicles WHERE mileage > 80000',
      'SELECT make, model FROM vehicles WHERE mileage > 80000',
      'SELECT id FROM vehicles WHERE mileage > 80000',
    ],
    [
      'How many rentals started in October 2026?',
      "SELECT COUNT(*) FROM rentals WHERE startDate >= '2026-10-01' AND startDate < '2026-11-01'",
    ],
    ['license number of Emma Tanaka', "SELECT licenseNumber FROM customers WHERE fullName = 'Emma Tanaka'"],
    [
      'models with a daily rate between 50 and 80',
      'SELECT model FROM vehicles WHERE dailyRate BETWEEN 50 AND 80',
    ],
    [
      'How many vehicles are at branches in Oslo?',
      "SELECT COUNT(*) FROM vehicles v JOIN branches b ON b.id = v.branchId WHERE b.city = 'Oslo'",
    ],
    [
      'the five most expensive rentals',
      'SELECT * FROM rentals ORDER BY totalPrice DESC LIMIT 5',
      'SELECT id FROM rentals ORDER BY totalPrice DESC LIMIT 5',
    ],
    ['number of vehicles per color', 'SELECT color, COUNT(*) FROM vehicles GROUP BY color'],
    [
      'branches without any vehicles',
      'SELECT name FROM branches WHERE id NOT IN (SELECT branchId FROM vehicles)',
    ],
  ],
};
