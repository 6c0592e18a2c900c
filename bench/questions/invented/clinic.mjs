// @ts-check
import { dayBefore, fill, FIRST_NAMES, insert, LAST_NAMES, momentBefore, pick } from './rows.mjs';

/** The patient of each visit. Some patients never visited. */
const VISITS = [
  0, 1, 2, 0, 3, 0, 4, 5, 1, 6, 0, 7, 8, 2, 9, 10, 0, 11, 12, 4, 13, 14, 15, 0, 16, 7, 17, 18, 1, 19, 20, 0,
  21, 22, 4, 23, 24, 2, 0, 7,
];

/** @type {import('./rows.mjs').InventedSet} */
export const CLINIC = {
  name: 'clinic',
  statements: [
    'CREATE TABLE doctors (id INT AUTO_INCREMENT PRIMARY KEY, name VARCHAR(80) NOT NULL, specialty VARCHAR(60) NOT NULL, hired_on DATE NOT NULL, consultation_fee DECIMAL(8,2) NOT NULL)',
    "CREATE TABLE patients (id INT AUTO_INCREMENT PRIMARY KEY, first_name VARCHAR(50) NOT NULL, last_name VARCHAR(50) NOT NULL, birth_date DATE NOT NULL, gender ENUM('female', 'male') NOT NULL, city VARCHAR(60) NOT NULL, phone VARCHAR(30) NULL)",
    "CREATE TABLE appointments (id INT AUTO_INCREMENT PRIMARY KEY, patient_id INT NOT NULL, doctor_id INT NOT NULL, scheduled_at DATETIME NOT NULL, status ENUM('scheduled', 'completed', 'cancelled', 'no_show') NOT NULL, duration_minutes INT NOT NULL, FOREIGN KEY (patient_id) REFERENCES patients (id), FOREIGN KEY (doctor_id) REFERENCES doctors (id))",
    'CREATE TABLE medications (id INT AUTO_INCREMENT PRIMARY KEY, name VARCHAR(80) NOT NULL, manufacturer VARCHAR(80) NOT NULL, price DECIMAL(8,2) NOT NULL)',
    'CREATE TABLE prescriptions (id INT AUTO_INCREMENT PRIMARY KEY, appointment_id INT NOT NULL, medication_id INT NOT NULL, dosage VARCHAR(40) NOT NULL, quantity INT NOT NULL, FOREIGN KEY (appointment_id) REFERENCES appointments (id), FOREIGN KEY (medication_id) REFERENCES medications (id))',
    'CREATE TABLE invoices (id INT AUTO_INCREMENT PRIMARY KEY, appointment_id INT NOT NULL, amount DECIMAL(8,2) NOT NULL, issued_on DATE NOT NULL, paid_on DATE NULL, FOREIGN KEY (appointment_id) REFERENCES appointments (id))',
    insert(
      'doctors',
      [
        ['Nora Falk', 'Cardiology', '2012-03-01', 120],
        ['Omar Haddad', 'Dermatology', '2016-09-15', 95.5],
        ['Paula Stein', 'Pediatrics', '2009-01-10', 80],
        ['Quentin Roy', 'Cardiology', '2019-06-01', 130],
        ['Rosa Lind', 'Neurology', '2021-02-20', 150],
        ['Stefan Kurz', 'Pediatrics', '2023-11-05', 75],
      ].map((row, index) => [index + 1, ...row]),
    ),
    fill('patients', 28, (index) => [
      pick(FIRST_NAMES, index),
      pick(LAST_NAMES, index * 3),
      `${1948 + ((index * 17) % 70)}-0${1 + (index % 9)}-${11 + (index % 17)}`,
      index % 3 === 1 ? 'male' : 'female',
      pick(['Lyon', 'Geneva', 'Basel', 'Lyon', 'Turin'], index),
      index % 6 === 2 ? null : `+41 55 10${index}`,
    ]),
    fill('appointments', VISITS.length, (index) => [
      (VISITS[index] ?? 0) + 1,
      pick([1, 2, 3, 1, 4, 1, 3], index),
      momentBefore(index * 11 - 20, index),
      index < 2 ? 'scheduled' : pick(['completed', 'completed', 'cancelled', 'completed', 'no_show'], index),
      15 + ((index * 7) % 46),
    ]),
    insert(
      'medications',
      [
        ['Ibuprofen', 'Nordpharm', 6.5],
        ['Amoxicillin', 'Helvex', 14.2],
        ['Atorvastatin', 'Helvex', 31],
        ['Cetirizine', 'Nordpharm', 8.9],
        ['Metformin', 'Axion', 12],
        ['Insulin', 'Axion', 64],
      ].map((row, index) => [index + 1, ...row]),
    ),
    fill('prescriptions', 30, (index) => [
      3 + ((index * 5) % 36),
      1 + ([0, 1, 0, 2, 3, 0, 4, 1][index % 8] ?? 0),
      pick(['10 mg', '20 mg', '500 mg'], index),
      1 + ((index * 3) % 5),
    ]),
    fill('invoices', 34, (index) => [
      index + 4,
      60 + ((index * 37) % 211),
      dayBefore(index * 11 + 5),
      index % 4 === 1 ? null : dayBefore(index * 11 - 2),
    ]),
  ],
  questions: [
    ['How many patients do we have?', 'SELECT COUNT(*) FROM patients'],
    ['list all doctors and their specialties', 'SELECT name, specialty FROM doctors'],
    [
      'female patients living in Lyon',
      "SELECT first_name, last_name FROM patients WHERE gender = 'female' AND city = 'Lyon'",
    ],
    [
      'Which doctor has the most appointments?',
      'SELECT d.name FROM doctors d JOIN appointments a ON a.doctor_id = d.id GROUP BY d.id ORDER BY COUNT(*) DESC LIMIT 1',
    ],
    [
      'patients born before 1960',
      "SELECT first_name, last_name FROM patients WHERE birth_date < '1960-01-01'",
    ],
    ['How many appointments were cancelled?', "SELECT COUNT(*) FROM appointments WHERE status = 'cancelled'"],
    [
      'What is the average consultation fee per specialty?',
      'SELECT specialty, AVG(consultation_fee) FROM doctors GROUP BY specialty',
    ],
    [
      'patients who never had an appointment',
      'SELECT first_name, last_name FROM patients WHERE id NOT IN (SELECT patient_id FROM appointments)',
    ],
    ['total amount of unpaid invoices', 'SELECT SUM(amount) FROM invoices WHERE paid_on IS NULL'],
    ['How many invoices have not been paid yet?', 'SELECT COUNT(*) FROM invoices WHERE paid_on IS NULL'],
    ['names of the medications made by Helvex', "SELECT name FROM medications WHERE manufacturer = 'Helvex'"],
    ['the three most expensive medications', 'SELECT name FROM medications ORDER BY price DESC LIMIT 3'],
    [
      'Which medication was prescribed most often?',
      'SELECT m.name FROM medications m JOIN prescriptions p ON p.medication_id = m.id GROUP BY m.id ORDER BY COUNT(*) DESC LIMIT 1',
    ],
    [
      'appointments longer than 45 minutes',
      'SELECT * FROM appointments WHERE duration_minutes > 45',
      'SELECT id FROM appointments WHERE duration_minutes > 45',
    ],
    [
      'How many appointments did Nora Falk have in 2026?',
      "SELECT COUNT(*) FROM appointments a JOIN doctors d ON d.id = a.doctor_id WHERE d.name = 'Nora Falk' AND YEAR(a.scheduled_at) = 2026",
    ],
    [
      'doctors with more than 5 appointments',
      'SELECT d.name FROM doctors d WHERE (SELECT COUNT(*) FROM appointments a WHERE a.doctor_id = d.id) > 5',
    ],
    ['patients without a phone number', 'SELECT first_name, last_name FROM patients WHERE phone IS NULL'],
    ['number of patients per city', 'SELECT city, COUNT(*) FROM patients GROUP BY city'],
    [
      'Who is the youngest patient?',
      'SELECT first_name, last_name FROM patients ORDER BY birth_date DESC LIMIT 1',
    ],
    [
      'medications that were never prescribed',
      'SELECT name FROM medications WHERE id NOT IN (SELECT medication_id FROM prescriptions)',
    ],
    [
      'Which patients were treated by Paula Stein?',
      "SELECT DISTINCT p.first_name, p.last_name FROM patients p JOIN appointments a ON a.patient_id = p.id JOIN doctors d ON d.id = a.doctor_id WHERE d.name = 'Paula Stein'",
    ],
  ],
};
