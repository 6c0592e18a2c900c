// @ts-check
import { dayBefore, fill, insert, pick } from '../invented/rows.mjs';

const DOCKED = [1, 4, 1, 3, 2, 4, 1, 6];

/**
 * A schema with abbreviated names, in which supervisors are employees.
 * @type {import('../invented/rows.mjs').InventedSet}
 */
export const SHIPYARD = {
  name: 'shipyard',
  statements: [
    'CREATE TABLE dept (dept_id INT PRIMARY KEY, dept_nm VARCHAR(30) NOT NULL, bldg VARCHAR(20) NOT NULL, annual_budget INT NOT NULL)',
    'CREATE TABLE emp (emp_id INT PRIMARY KEY, emp_nm VARCHAR(60) NOT NULL, job_title VARCHAR(30) NOT NULL, sal INT NOT NULL, hire_dt DATE NOT NULL, dept_id INT NOT NULL, supv_id INT NULL, FOREIGN KEY (dept_id) REFERENCES dept (dept_id), FOREIGN KEY (supv_id) REFERENCES emp (emp_id))',
    'CREATE TABLE owner_co (owner_id INT PRIMARY KEY, owner_nm VARCHAR(60) NOT NULL, ctry VARCHAR(30) NOT NULL)',
    'CREATE TABLE vessel (vsl_id INT PRIMARY KEY, vsl_nm VARCHAR(40) NOT NULL, vsl_type VARCHAR(20) NOT NULL, len_m INT NOT NULL, tonnage INT NOT NULL, owner_id INT NOT NULL, FOREIGN KEY (owner_id) REFERENCES owner_co (owner_id))',
    'CREATE TABLE work_ord (wo_no INT PRIMARY KEY, vsl_id INT NOT NULL, dept_id INT NOT NULL, descr VARCHAR(60) NOT NULL, start_dt DATE NOT NULL, end_dt DATE NULL, est_cost INT NOT NULL, FOREIGN KEY (vsl_id) REFERENCES vessel (vsl_id), FOREIGN KEY (dept_id) REFERENCES dept (dept_id))',
    'CREATE TABLE timesheet (ts_id INT PRIMARY KEY, emp_id INT NOT NULL, wo_no INT NOT NULL, work_dt DATE NOT NULL, hrs DECIMAL(4,1) NOT NULL, FOREIGN KEY (emp_id) REFERENCES emp (emp_id), FOREIGN KEY (wo_no) REFERENCES work_ord (wo_no))',
    insert('dept', [
      [10, 'Hull', 'Dock 1', 820_000],
      [20, 'Engines', 'Shed B', 1_150_000],
      [30, 'Paint', 'Dock 2', 310_000],
      [40, 'Electrical', 'Shed B', 540_000],
      [50, 'Design', 'Tower', 270_000],
    ]),
    insert('emp', [
      [1, 'Arne Holt', 'foreman', 58_000, '2001-05-14', 10, null],
      [2, 'Bente Krog', 'welder', 41_500, '2012-09-03', 10, 1],
      [3, 'Carl Yde', 'welder', 39_800, '2018-01-22', 10, 1],
      [4, 'Dagny Friis', 'foreman', 60_200, '1998-11-09', 20, null],
      [5, 'Espen Moe', 'mechanic', 44_700, '2009-04-27', 20, 4],
      [6, 'Frode Lie', 'mechanic', 43_900, '2016-07-18', 20, 4],
      [7, 'Gro Tveit', 'painter', 36_400, '2020-02-10', 30, 1],
      [8, 'Hakon Berg', 'electrician', 47_300, '2014-06-30', 40, 4],
      [9, 'Ingrid Vik', 'mechanic', 40_100, '2022-03-07', 20, 5],
      [10, 'Jens Aas', 'painter', 35_200, '2023-08-21', 30, 7],
      [11, 'Kaja Sund', 'electrician', 45_600, '2017-10-16', 40, 4],
    ]),
    insert('owner_co', [
      [1, 'Nordic Lines', 'Norway'],
      [2, 'Baltica Shipping', 'Estonia'],
      [3, 'Hansa Reederei', 'Germany'],
      [4, 'Fjord Fisheries', 'Norway'],
    ]),
    insert('vessel', [
      [1, 'Aurora', 'ferry', 138, 11_200, 1],
      [2, 'Skua', 'trawler', 42, 870, 1],
      [3, 'Tallinn Star', 'ferry', 165, 18_900, 2],
      [4, 'Elbe Trader', 'tanker', 212, 45_300, 3],
      [5, 'Puffin', 'trawler', 38, 640, 1],
      [6, 'Weser Pride', 'tanker', 199, 41_700, 3],
      [7, 'Sula', 'tug', 29, 390, 2],
    ]),
    fill('work_ord', 24, (index) => [
      pick(DOCKED, index),
      pick(pick(DOCKED, index) === 1 ? [10, 20, 20] : [10, 20, 30, 20, 10, 40, 20], index),
      pick(
        [
          'hull cleaning',
          'engine overhaul',
          'repainting',
          'propeller repair',
          'plate welding',
          'rewiring',
          'pump exchange',
        ],
        index,
      ),
      dayBefore(6 + index * 17),
      index < 4 ? null : dayBefore(index * 17 - 4 - (index % 5)),
      4_000 + ((index * 13_337) % 96_000) + (pick(DOCKED, index) % 2 === 0 ? 110_000 : 0),
    ]),
    fill('timesheet', 44, (index) => [
      pick([2, 5, 2, 6, 7, 3, 5, 8, 2, 9, 6], index),
      1 + ((index * 5) % 24),
      dayBefore(2 + index * 7),
      2 + ((index * 3) % 15) / 2,
    ]),
  ],
  questions: [
    ['How many employees are welders?', "SELECT COUNT(*) FROM emp WHERE job_title = 'welder'"],
    ['What is the average salary of all employees?', 'SELECT AVG(sal) FROM emp'],
    ['List the names of ferries.', "SELECT vsl_nm FROM vessel WHERE vsl_type = 'ferry'"],
    [
      'Which department has the biggest budget?',
      'SELECT dept_nm FROM dept ORDER BY annual_budget DESC LIMIT 1',
      'SELECT * FROM dept ORDER BY annual_budget DESC LIMIT 1',
    ],
    [
      'How many people work in each department? Show the department name.',
      'SELECT d.dept_nm, COUNT(*) FROM dept d JOIN emp e ON e.dept_id = d.dept_id GROUP BY d.dept_id',
      'SELECT d.dept_nm, COUNT(e.emp_id) FROM dept d LEFT JOIN emp e ON e.dept_id = d.dept_id GROUP BY d.dept_id',
    ],
    [
      'Give the name and tonnage of vessels owned by Hansa Reederei, the heavier first.',
      "SELECT v.vsl_nm, v.tonnage FROM vessel v JOIN owner_co o ON o.owner_id = v.owner_id WHERE o.owner_nm = 'Hansa Reederei' ORDER BY v.tonnage DESC",
    ],
    [
      'What are the longest and the shortest length for each type of vessel?',
      'SELECT vsl_type, MAX(len_m), MIN(len_m) FROM vessel GROUP BY vsl_type',
    ],
    [
      'Which work orders are not finished yet? Return the number and description.',
      'SELECT wo_no, descr FROM work_ord WHERE end_dt IS NULL',
    ],
    [
      'Find the names of the employees who earn more than the average of the electricians.',
      "SELECT emp_nm FROM emp WHERE sal > (SELECT AVG(sal) FROM emp WHERE job_title = 'electrician')",
    ],
    [
      'Who is the supervisor of Gro Tveit?',
      "SELECT s.emp_nm FROM emp e JOIN emp s ON s.emp_id = e.supv_id WHERE e.emp_nm = 'Gro Tveit'",
      "SELECT s.* FROM emp e JOIN emp s ON s.emp_id = e.supv_id WHERE e.emp_nm = 'Gro Tveit'",
    ],
    [
      'Which vessels never had a work order?',
      'SELECT vsl_nm FROM vessel WHERE vsl_id NOT IN (SELECT vsl_id FROM work_ord)',
      'SELECT * FROM vessel WHERE vsl_id NOT IN (SELECT vsl_id FROM work_ord)',
    ],
    [
      'How many hours did each employee of the Engines department log? Give the employee name and the total hours.',
      "SELECT e.emp_nm, SUM(t.hrs) FROM emp e JOIN dept d ON d.dept_id = e.dept_id JOIN timesheet t ON t.emp_id = e.emp_id WHERE d.dept_nm = 'Engines' GROUP BY e.emp_id",
      "SELECT e.emp_nm, SUM(t.hrs) FROM emp e JOIN dept d ON d.dept_id = e.dept_id LEFT JOIN timesheet t ON t.emp_id = e.emp_id WHERE d.dept_nm = 'Engines' GROUP BY e.emp_id",
    ],
    [
      'What is the name of the owner whose vessels caused the highest estimated cost in total?',
      'SELECT o.owner_nm FROM owner_co o JOIN vessel v ON v.owner_id = o.owner_id JOIN work_ord w ON w.vsl_id = v.vsl_id GROUP BY o.owner_id ORDER BY SUM(w.est_cost) DESC LIMIT 1',
    ],
    [
      'In which buildings is there a department that works on the Aurora?',
      "SELECT DISTINCT d.bldg FROM dept d JOIN work_ord w ON w.dept_id = d.dept_id JOIN vessel v ON v.vsl_id = w.vsl_id WHERE v.vsl_nm = 'Aurora'",
    ],
  ],
};
