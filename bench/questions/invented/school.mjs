// @ts-check
import { dayBefore, fill, FIRST_NAMES, insert, LAST_NAMES, pick } from './rows.mjs';

/** @type {import('./rows.mjs').InventedSet} */
export const SCHOOL = {
  name: 'school',
  statements: [
    'CREATE TABLE teachers (id INT PRIMARY KEY, first_name VARCHAR(40) NOT NULL, last_name VARCHAR(40) NOT NULL, subject VARCHAR(40) NOT NULL, salary INT NOT NULL, hire_date DATE NOT NULL)',
    'CREATE TABLE classes (id INT PRIMARY KEY, name VARCHAR(20) NOT NULL, room VARCHAR(20) NOT NULL, teacher_id INT NULL, FOREIGN KEY (teacher_id) REFERENCES teachers (id))',
    'CREATE TABLE students (id INT PRIMARY KEY, first_name VARCHAR(40) NOT NULL, last_name VARCHAR(40) NOT NULL, birth_date DATE NOT NULL, gender CHAR(1) NOT NULL, class_id INT NOT NULL, FOREIGN KEY (class_id) REFERENCES classes (id))',
    'CREATE TABLE courses (id INT PRIMARY KEY, title VARCHAR(60) NOT NULL, credits INT NOT NULL, department VARCHAR(40) NOT NULL, teacher_id INT NOT NULL, FOREIGN KEY (teacher_id) REFERENCES teachers (id))',
    'CREATE TABLE enrollments (student_id INT NOT NULL, course_id INT NOT NULL, school_year INT NOT NULL, mark DECIMAL(4,1) NULL, PRIMARY KEY (student_id, course_id), FOREIGN KEY (student_id) REFERENCES students (id), FOREIGN KEY (course_id) REFERENCES courses (id))',
    'CREATE TABLE absences (id INT PRIMARY KEY, student_id INT NOT NULL, absent_on DATE NOT NULL, excused TINYINT(1) NOT NULL, FOREIGN KEY (student_id) REFERENCES students (id))',
    insert(
      'teachers',
      [
        ['Hanna', 'Berg', 'Mathematics', 5200, '2008-08-01'],
        ['Ivo', 'Dahl', 'Physics', 4800, '2014-02-01'],
        ['Julia', 'Ek', 'History', 4350, '2019-08-01'],
        ['Karl', 'Fors', 'Mathematics', 4100, '2021-08-01'],
        ['Lisa', 'Gran', 'Music', 3950, '2022-01-15'],
        ['Mats', 'Holm', 'Biology', 5050, '2005-08-01'],
      ].map((row, index) => [index + 1, ...row]),
    ),
    insert('classes', [
      [1, '7A', 'R101', 1],
      [2, '7B', 'R102', 2],
      [3, '8A', 'R201', 3],
      [4, '8B', 'R202', null],
    ]),
    fill('students', 30, (index) => [
      pick(FIRST_NAMES, index),
      pick(LAST_NAMES, index * 5 + 2),
      `${2011 + (index % 4)}-${String(1 + ((index * 5) % 12)).padStart(2, '0')}-${String(1 + ((index * 11) % 28)).padStart(2, '0')}`,
      index % 2 === 0 ? 'F' : 'M',
      pick([1, 2, 3, 1, 3, 1, 3], index),
    ]),
    insert('courses', [
      [1, 'Algebra', 5, 'Science', 1],
      [2, 'Mechanics', 4, 'Science', 2],
      [3, 'Modern History', 3, 'Humanities', 3],
      [4, 'Geometry', 5, 'Science', 4],
      [5, 'Choir', 2, 'Arts', 5],
      [6, 'Genetics', 4, 'Science', 6],
      [7, 'Statistics', 6, 'Science', 1],
    ]),
    insert(
      'enrollments',
      Array.from({ length: 30 }, (_, index) => index).flatMap((index) =>
        [1, 2, 3, 4, 5, 6]
          .filter((course) => (index * course + course) % 3 !== 0 && index % 10 !== 7)
          .map((course) => [
            index + 1,
            course,
            course % 2 === 0 ? 2025 : 2026,
            (index + course) % 9 === 0 ? null : 40 + ((index * 13 + course * 29) % 60),
          ]),
      ),
    ),
    fill('absences', 26, (index) => [
      1 + ([0, 2, 0, 4, 5, 0, 2, 8, 9, 4, 11][index % 11] ?? 0),
      dayBefore(1 + index * 6),
      index % 3 === 0 ? 0 : 1,
    ]),
  ],
  questions: [
    [
      'How many students are there in class 7A?',
      "SELECT COUNT(*) FROM students s JOIN classes c ON c.id = s.class_id WHERE c.name = '7A'",
    ],
    [
      'number of students in each class',
      'SELECT c.name, COUNT(*) FROM classes c JOIN students s ON s.class_id = c.id GROUP BY c.id',
      'SELECT c.name, COUNT(s.id) FROM classes c LEFT JOIN students s ON s.class_id = c.id GROUP BY c.id',
    ],
    [
      'Who earns the highest salary?',
      'SELECT first_name, last_name FROM teachers ORDER BY salary DESC LIMIT 1',
    ],
    [
      'teachers hired after 2015',
      "SELECT first_name, last_name FROM teachers WHERE hire_date >= '2016-01-01'",
    ],
    [
      'Which teachers teach mathematics?',
      "SELECT first_name, last_name FROM teachers WHERE subject = 'Mathematics'",
    ],
    ['titles of courses with more than 4 credits', 'SELECT title FROM courses WHERE credits > 4'],
    [
      'What is the average mark in Algebra?',
      "SELECT AVG(e.mark) FROM enrollments e JOIN courses c ON c.id = e.course_id WHERE c.title = 'Algebra'",
    ],
    [
      'average mark per course',
      'SELECT c.title, AVG(e.mark) FROM enrollments e JOIN courses c ON c.id = e.course_id GROUP BY c.id',
    ],
    [
      'students who are not enrolled in any course',
      'SELECT first_name, last_name FROM students WHERE id NOT IN (SELECT student_id FROM enrollments)',
    ],
    ['How many unexcused absences are there?', 'SELECT COUNT(*) FROM absences WHERE excused = 0'],
    [
      'Which student has the most absences?',
      'SELECT s.first_name, s.last_name FROM students s JOIN absences a ON a.student_id = s.id GROUP BY s.id ORDER BY COUNT(*) DESC LIMIT 1',
    ],
    [
      'courses taught by Hanna Berg',
      "SELECT c.title FROM courses c JOIN teachers t ON t.id = c.teacher_id WHERE t.first_name = 'Hanna' AND t.last_name = 'Berg'",
    ],
    [
      'students in both Algebra and Mechanics',
      "SELECT s.first_name, s.last_name FROM students s WHERE s.id IN (SELECT e.student_id FROM enrollments e JOIN courses c ON c.id = e.course_id WHERE c.title = 'Algebra') AND s.id IN (SELECT e.student_id FROM enrollments e JOIN courses c ON c.id = e.course_id WHERE c.title = 'Mechanics')",
    ],
    [
      'total credits offered by each department',
      'SELECT department, SUM(credits) FROM courses GROUP BY department',
    ],
    ['how many boys and girls are there?', 'SELECT gender, COUNT(*) FROM students GROUP BY gender'],
    [
      'students born in 2012',
      "SELECT first_name, last_name FROM students WHERE birth_date >= '2012-01-01' AND birth_date < '2013-01-01'",
    ],
    ['which classes have no teacher?', 'SELECT name FROM classes WHERE teacher_id IS NULL'],
    [
      'courses without enrollments',
      'SELECT title FROM courses WHERE id NOT IN (SELECT course_id FROM enrollments)',
    ],
    [
      'teachers who earn less than the average salary',
      'SELECT first_name, last_name FROM teachers WHERE salary < (SELECT AVG(salary) FROM teachers)',
    ],
    [
      'absences last week',
      "SELECT * FROM absences WHERE absent_on >= '2026-11-09' AND absent_on < '2026-11-16'",
      "SELECT id FROM absences WHERE absent_on >= '2026-11-09' AND absent_on < '2026-11-16'",
    ],
    [
      'list the students of class 8A by last name',
      "SELECT s.first_name, s.last_name FROM students s JOIN classes c ON c.id = s.class_id WHERE c.name = '8A' ORDER BY s.last_name",
    ],
  ],
};
