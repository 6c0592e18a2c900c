// @ts-check
import { dayBefore, fill, insert, pick } from '../invented/rows.mjs';

/**
 * A schema with plural names in camel case.
 * @type {import('../invented/rows.mjs').InventedSet}
 */
export const SKI_RESORT = {
  name: 'ski resort',
  statements: [
    'CREATE TABLE Lifts (LiftId INT PRIMARY KEY, LiftName VARCHAR(40) NOT NULL, LiftKind VARCHAR(20) NOT NULL, CapacityPerHour INT NOT NULL, TopElevation INT NOT NULL, OpenedIn INT NOT NULL)',
    "CREATE TABLE Pistes (PisteId INT PRIMARY KEY, PisteName VARCHAR(40) NOT NULL, Difficulty ENUM('green', 'blue', 'red', 'black') NOT NULL, LengthMetres INT NOT NULL, HasSnowmaking BOOLEAN NOT NULL, LiftId INT NOT NULL, FOREIGN KEY (LiftId) REFERENCES Lifts (LiftId))",
    'CREATE TABLE Instructors (InstructorId INT PRIMARY KEY, FirstName VARCHAR(30) NOT NULL, LastName VARCHAR(30) NOT NULL, Discipline VARCHAR(20) NOT NULL, HourlyWage DECIMAL(6,2) NOT NULL)',
    'CREATE TABLE Guests (GuestId INT PRIMARY KEY, GuestName VARCHAR(60) NOT NULL, Nationality VARCHAR(30) NOT NULL, Age INT NOT NULL)',
    'CREATE TABLE Lessons (LessonId INT PRIMARY KEY, InstructorId INT NOT NULL, PisteId INT NOT NULL, LessonDate DATE NOT NULL, Hours INT NOT NULL, FOREIGN KEY (InstructorId) REFERENCES Instructors (InstructorId), FOREIGN KEY (PisteId) REFERENCES Pistes (PisteId))',
    'CREATE TABLE LessonGuests (LessonId INT NOT NULL, GuestId INT NOT NULL, PaidAmount DECIMAL(7,2) NOT NULL, PRIMARY KEY (LessonId, GuestId), FOREIGN KEY (LessonId) REFERENCES Lessons (LessonId), FOREIGN KEY (GuestId) REFERENCES Guests (GuestId))',
    insert('Lifts', [
      [1, 'Sunnegg', 'gondola', 2_400, 2_310, 1998],
      [2, 'Kar', 'chair', 1_800, 2_560, 2007],
      [3, 'Babylift', 'tow', 600, 1_480, 1986],
      [4, 'Gipfelbahn', 'gondola', 2_800, 3_015, 2018],
      [5, 'Nordhang', 'chair', 1_500, 2_205, 1993],
    ]),
    insert(
      'Pistes',
      [
        ['Family Run', 'green', 1_200, 1, 3],
        ['Hornet', 'black', 2_100, 0, 4],
        ['Valley Cruise', 'blue', 5_400, 0, 1],
        ['Kar Direct', 'red', 2_900, 0, 2],
        ['Glacier', 'red', 3_800, 0, 4],
        ['Forest Way', 'blue', 3_300, 1, 1],
        ['Bambi', 'green', 450, 1, 3],
        ['North Face', 'black', 1_750, 0, 4],
        ['Panorama', 'blue', 4_100, 0, 4],
      ].map((row, index) => [index + 1, ...row]),
    ),
    insert(
      'Instructors',
      [
        ['Toni', 'Egger', 'ski', 38],
        ['Vreni', 'Hofer', 'snowboard', 35.5],
        ['Marc', 'Blanc', 'ski', 42],
        ['Silke', 'Auer', 'cross-country', 31],
        ['Jan', 'Visser', 'snowboard', 33],
        ['Elin', 'Dahl', 'ski', 45],
      ].map((row, index) => [index + 1, ...row]),
    ),
    insert(
      'Guests',
      [
        ['Paul Grant', 'British', 34],
        ['Lucy Grant', 'British', 9],
        ['Jose Marin', 'Spanish', 27],
        ['Anke Bos', 'Dutch', 52],
        ['Piet Bos', 'Dutch', 55],
        ['Lars Holm', 'Danish', 19],
        ['Emma Wood', 'British', 41],
        ['Kirsten Ravn', 'Danish', 38],
        ['Tess de Wit', 'Dutch', 16],
        ['Ola Nord', 'Norwegian', 61],
      ].map((row, index) => [index + 1, ...row]),
    ),
    fill('Lessons', 24, (index) => [
      pick([1, 2, 1, 3, 1, 5, 2], index),
      pick([1, 3, 1, 7, 4, 6, 1, 3], index),
      dayBefore(220 + index * 9),
      1 + ((index * 5) % 6),
    ]),
    insert(
      'LessonGuests',
      Array.from({ length: 46 }, (_, index) => [
        1 + ((index * 5) % 24),
        pick([1, 2, 3, 2, 4, 6, 2, 9, 3, 5, 7], index),
        40 + ((index * 37) % 167),
      ]).filter(
        (row, index, all) => all.findIndex((other) => other[0] === row[0] && other[1] === row[1]) === index,
      ),
    ),
  ],
  questions: [
    ['How many pistes are there?', 'SELECT COUNT(*) FROM Pistes'],
    ['What are the names of the black pistes?', "SELECT PisteName FROM Pistes WHERE Difficulty = 'black'"],
    [
      'Show the first name, last name and wage of all instructors.',
      'SELECT FirstName, LastName, HourlyWage FROM Instructors',
    ],
    [
      'What is the average age of the guests per nationality?',
      'SELECT Nationality, AVG(Age) FROM Guests GROUP BY Nationality',
    ],
    [
      'Which pistes can be reached by the Gipfelbahn lift?',
      "SELECT p.PisteName FROM Pistes p JOIN Lifts l ON l.LiftId = p.LiftId WHERE l.LiftName = 'Gipfelbahn'",
      "SELECT p.* FROM Pistes p JOIN Lifts l ON l.LiftId = p.LiftId WHERE l.LiftName = 'Gipfelbahn'",
    ],
    [
      'Name the gondola lifts and their capacity, starting with the newest.',
      "SELECT LiftName, CapacityPerHour FROM Lifts WHERE LiftKind = 'gondola' ORDER BY OpenedIn DESC",
    ],
    [
      'What is the longest piste with snowmaking?',
      'SELECT PisteName FROM Pistes WHERE HasSnowmaking = 1 ORDER BY LengthMetres DESC LIMIT 1',
      'SELECT * FROM Pistes WHERE HasSnowmaking = 1 ORDER BY LengthMetres DESC LIMIT 1',
    ],
    [
      'How many lessons has every instructor given? Give last names and counts.',
      'SELECT i.LastName, COUNT(*) FROM Instructors i JOIN Lessons s ON s.InstructorId = i.InstructorId GROUP BY i.InstructorId',
      'SELECT i.LastName, COUNT(s.LessonId) FROM Instructors i LEFT JOIN Lessons s ON s.InstructorId = i.InstructorId GROUP BY i.InstructorId',
    ],
    [
      'Which lifts serve no piste?',
      'SELECT LiftName FROM Lifts WHERE LiftId NOT IN (SELECT LiftId FROM Pistes)',
      'SELECT * FROM Lifts WHERE LiftId NOT IN (SELECT LiftId FROM Pistes)',
    ],
    [
      'What nationalities do both guests under 20 and guests over 50 have?',
      'SELECT Nationality FROM Guests WHERE Age < 20 INTERSECT SELECT Nationality FROM Guests WHERE Age > 50',
    ],
    [
      'Find the names of the guests who took a lesson with Vreni Hofer.',
      "SELECT DISTINCT g.GuestName FROM Guests g JOIN LessonGuests x ON x.GuestId = g.GuestId JOIN Lessons s ON s.LessonId = x.LessonId JOIN Instructors i ON i.InstructorId = s.InstructorId WHERE i.FirstName = 'Vreni' AND i.LastName = 'Hofer'",
    ],
    [
      'Which guest spent the most on lessons in total? Give the name and the sum paid.',
      'SELECT g.GuestName, SUM(x.PaidAmount) FROM Guests g JOIN LessonGuests x ON x.GuestId = g.GuestId GROUP BY g.GuestId ORDER BY SUM(x.PaidAmount) DESC LIMIT 1',
    ],
    [
      'How many instructors earn more than the average wage?',
      'SELECT COUNT(*) FROM Instructors WHERE HourlyWage > (SELECT AVG(HourlyWage) FROM Instructors)',
    ],
  ],
};
