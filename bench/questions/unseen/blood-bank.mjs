// @ts-check
import { dayBefore, fill, FIRST_NAMES, insert, LAST_NAMES, pick } from '../invented/rows.mjs';

/**
 * A schema with abbreviated names.
 * @type {import('../invented/rows.mjs').InventedSet}
 */
export const BLOOD_BANK = {
  name: 'blood bank',
  statements: [
    'CREATE TABLE donor (dnr_id INT PRIMARY KEY, f_name VARCHAR(30) NOT NULL, l_name VARCHAR(30) NOT NULL, sex CHAR(1) NOT NULL, bld_grp VARCHAR(4) NOT NULL, birth_yr INT NOT NULL, town VARCHAR(30) NOT NULL)',
    'CREATE TABLE don_centre (ctr_id INT PRIMARY KEY, ctr_nm VARCHAR(40) NOT NULL, town VARCHAR(30) NOT NULL, num_beds INT NOT NULL)',
    'CREATE TABLE donation (don_no INT PRIMARY KEY, dnr_id INT NOT NULL, ctr_id INT NOT NULL, don_dt DATE NOT NULL, vol_ml INT NOT NULL, hb_level DECIMAL(4,1) NOT NULL, FOREIGN KEY (dnr_id) REFERENCES donor (dnr_id), FOREIGN KEY (ctr_id) REFERENCES don_centre (ctr_id))',
    'CREATE TABLE hosp (hosp_id INT PRIMARY KEY, hosp_nm VARCHAR(40) NOT NULL, town VARCHAR(30) NOT NULL)',
    'CREATE TABLE hosp_req (req_no INT PRIMARY KEY, hosp_id INT NOT NULL, bld_grp VARCHAR(4) NOT NULL, units_req INT NOT NULL, req_dt DATE NOT NULL, urgency VARCHAR(10) NOT NULL, FOREIGN KEY (hosp_id) REFERENCES hosp (hosp_id))',
    fill('donor', 20, (index) => [
      pick(FIRST_NAMES, index),
      pick(LAST_NAMES, index * 3 + 1),
      pick(['F', 'M', 'F', 'F', 'M'], index * 3),
      pick(['O+', 'A+', 'O+', 'B+', 'O-', 'A-', 'AB+'], index),
      1951 + ((index * 13) % 53),
      pick(['Ghent', 'Aalst', 'Ghent', 'Bruges', 'Kortrijk', 'Ostend'], index),
    ]),
    insert('don_centre', [
      [1, 'Ghent Central', 'Ghent', 14],
      [2, 'Belfry Hall', 'Bruges', 8],
      [3, 'Mobile Unit A', 'Aalst', 3],
      [4, 'Leie Clinic', 'Kortrijk', 6],
      [5, 'Dampoort', 'Ghent', 5],
    ]),
    fill('donation', 36, (index) => [
      1 + ([0, 2, 4, 0, 5, 7, 0, 8, 2, 10, 11, 13, 1, 16][index % 14] ?? 0),
      pick([1, 2, 1, 3, 1, 4, 2], index),
      dayBefore(3 + index * 11),
      350 + ((index * 23) % 151),
      12 + ((index * 17) % 53) / 10,
    ]),
    insert('hosp', [
      [1, 'Saint Luke', 'Bruges'],
      [2, 'Maria Hospital', 'Ghent'],
      [3, 'Heart Clinic', 'Aalst'],
      [4, 'Sea View', 'Ostend'],
    ]),
    fill('hosp_req', 22, (index) => [
      pick([2, 1, 2, 3, 2, 1], index),
      pick(['O+', 'O-', 'A+', 'O+', 'B+', 'AB+'], index),
      1 + ((index * 7) % 23),
      dayBefore(1 + index * 8),
      pick(['routine', 'urgent', 'routine', 'critical'], index),
    ]),
  ],
  questions: [
    ['How many donors have blood group O+?', "SELECT COUNT(*) FROM donor WHERE bld_grp = 'O+'"],
    ['What are the names of the hospitals?', 'SELECT hosp_nm FROM hosp'],
    ['List the first and last names of female donors.', "SELECT f_name, l_name FROM donor WHERE sex = 'F'"],
    ['How many donors are there in each town?', 'SELECT town, COUNT(*) FROM donor GROUP BY town'],
    [
      'What is the total number of units requested per blood group?',
      'SELECT bld_grp, SUM(units_req) FROM hosp_req GROUP BY bld_grp',
    ],
    [
      'Find the name of the donation centre with the most beds.',
      'SELECT ctr_nm FROM don_centre ORDER BY num_beds DESC LIMIT 1',
    ],
    [
      'On what days did Carmen Silva give blood?',
      "SELECT d.don_dt FROM donation d JOIN donor p ON p.dnr_id = d.dnr_id WHERE p.f_name = 'Carmen' AND p.l_name = 'Silva'",
    ],
    [
      'What is the average haemoglobin level of donations by male donors?',
      "SELECT AVG(d.hb_level) FROM donation d JOIN donor p ON p.dnr_id = d.dnr_id WHERE p.sex = 'M'",
    ],
    [
      'Which centres have collected more than 8 donations? Show the name and the number.',
      'SELECT c.ctr_nm, COUNT(*) FROM don_centre c JOIN donation d ON d.ctr_id = c.ctr_id GROUP BY c.ctr_id HAVING COUNT(*) > 8',
    ],
    [
      'What are the towns that have a donation centre as well as a hospital?',
      'SELECT town FROM don_centre INTERSECT SELECT town FROM hosp',
    ],
    [
      'Who are the donors that have not donated yet? Give first name, last name and blood group.',
      'SELECT f_name, l_name, bld_grp FROM donor WHERE dnr_id NOT IN (SELECT dnr_id FROM donation)',
    ],
    [
      'What is the first and last name of the donor who has given blood most often?',
      'SELECT p.f_name, p.l_name FROM donor p JOIN donation d ON d.dnr_id = p.dnr_id GROUP BY p.dnr_id ORDER BY COUNT(*) DESC LIMIT 1',
    ],
    [
      'Which hospitals never sent a critical request?',
      "SELECT hosp_nm FROM hosp WHERE hosp_id NOT IN (SELECT hosp_id FROM hosp_req WHERE urgency = 'critical')",
      "SELECT * FROM hosp WHERE hosp_id NOT IN (SELECT hosp_id FROM hosp_req WHERE urgency = 'critical')",
    ],
  ],
};
