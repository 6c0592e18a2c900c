// @ts-check
import { fill, insert, momentBefore, pick } from '../invented/rows.mjs';

/**
 * A schema with short names.
 * @type {import('../invented/rows.mjs').InventedSet}
 */
export const FIRE_BRIGADE = {
  name: 'fire brigade',
  statements: [
    'CREATE TABLE FireStn (StnCode VARCHAR(5) PRIMARY KEY, StnName VARCHAR(40) NOT NULL, Borough VARCHAR(30) NOT NULL, BaysCnt INT NOT NULL)',
    'CREATE TABLE Engine (EngNo INT PRIMARY KEY, CallSign VARCHAR(10) NOT NULL, EngType VARCHAR(20) NOT NULL, TankLtr INT NOT NULL, YrBuilt INT NOT NULL, StnCode VARCHAR(5) NOT NULL, FOREIGN KEY (StnCode) REFERENCES FireStn (StnCode))',
    'CREATE TABLE FireFighter (FFID INT PRIMARY KEY, LName VARCHAR(30) NOT NULL, FName VARCHAR(30) NOT NULL, Rnk VARCHAR(20) NOT NULL, Sex CHAR(1) NOT NULL, Age INT NOT NULL, StnCode VARCHAR(5) NOT NULL, FOREIGN KEY (StnCode) REFERENCES FireStn (StnCode))',
    'CREATE TABLE Incident (IncNo INT PRIMARY KEY, IncType VARCHAR(20) NOT NULL, Street VARCHAR(40) NOT NULL, AlarmTime DATETIME NOT NULL, Injured INT NOT NULL, DamageEur INT NOT NULL)',
    'CREATE TABLE Response (IncNo INT NOT NULL, EngNo INT NOT NULL, ArrivalMin INT NOT NULL, PRIMARY KEY (IncNo, EngNo), FOREIGN KEY (IncNo) REFERENCES Incident (IncNo), FOREIGN KEY (EngNo) REFERENCES Engine (EngNo))',
    insert('FireStn', [
      ['HQ', 'Headquarters', 'Centre', 8],
      ['NW', 'Northwest', 'Millside', 4],
      ['HB', 'Harbour', 'Docklands', 5],
      ['AP', 'Airport', 'Flatlands', 6],
      ['VOL', 'Volunteers', 'Millside', 2],
    ]),
    insert('Engine', [
      [1, 'Alpha 1', 'pumper', 2_400, 2015, 'HQ'],
      [2, 'Alpha 2', 'ladder', 600, 2011, 'HQ'],
      [3, 'Alpha 3', 'pumper', 3_000, 2021, 'HQ'],
      [4, 'Bravo 1', 'pumper', 2_000, 2008, 'NW'],
      [5, 'Charlie 1', 'fireboat', 0, 2004, 'HB'],
      [6, 'Charlie 2', 'pumper', 2_600, 2018, 'HB'],
      [7, 'Delta 1', 'foam tender', 9_000, 2019, 'AP'],
      [8, 'Delta 2', 'ladder', 500, 2023, 'AP'],
      [9, 'Delta 3', 'pumper', 2_200, 2017, 'AP'],
      [10, 'Alpha 4', 'command car', 0, 2020, 'HQ'],
    ]),
    insert(
      'FireFighter',
      [
        ['Baxter', 'Joe', 'captain', 'M', 51, 'HQ'],
        ['Lindqvist', 'Maja', 'lieutenant', 'F', 38, 'HQ'],
        ['Okello', 'Sam', 'private', 'M', 26, 'HQ'],
        ['Ferrari', 'Gina', 'captain', 'F', 46, 'HB'],
        ['Drake', 'Ned', 'private', 'M', 33, 'HB'],
        ['Sato', 'Ken', 'lieutenant', 'M', 41, 'AP'],
        ['Weiss', 'Ida', 'private', 'F', 24, 'AP'],
        ['Moran', 'Liam', 'captain', 'M', 55, 'NW'],
        ['Ruiz', 'Eva', 'private', 'F', 29, 'HQ'],
        ['Thorn', 'Max', 'private', 'M', 22, 'NW'],
      ].map((row, index) => [index + 101, ...row]),
    ),
    fill('Incident', 28, (index) => [
      pick(
        ['house fire', 'car crash', 'false alarm', 'house fire', 'flood', 'chemical', 'false alarm'],
        index,
      ),
      pick(
        [
          'Mill Lane',
          'Quay Street',
          'Station Road',
          'Mill Lane',
          'Park Avenue',
          'Runway Road',
          'Mill Lane',
          'High Street',
        ],
        index,
      ),
      momentBefore(2 + index * 13, index),
      pick(
        ['house fire', 'car crash', 'false alarm', 'house fire', 'flood', 'chemical', 'false alarm'],
        index,
      ) === 'false alarm'
        ? 0
        : (index * 3) % 7,
      pick(
        ['house fire', 'car crash', 'false alarm', 'house fire', 'flood', 'chemical', 'false alarm'],
        index,
      ) === 'false alarm'
        ? 0
        : 1_200 + ((index * 4_733) % 61_000),
    ]),
    insert(
      'Response',
      Array.from({ length: 48 }, (_, index) => [
        1 + ((index * 5) % 28),
        index === 17 ? 8 : pick([1, 3, 4, 1, 6, 2, 1, 7, 3], index),
        4 + ((index * 7) % 19),
      ]).filter(
        (row, index, all) => all.findIndex((other) => other[0] === row[0] && other[1] === row[1]) === index,
      ),
    ),
  ],
  questions: [
    ['How many engines are pumpers?', "SELECT COUNT(*) FROM Engine WHERE EngType = 'pumper'"],
    [
      'List the last and first names of the captains.',
      "SELECT LName, FName FROM FireFighter WHERE Rnk = 'captain'",
    ],
    ['In which borough is the Harbour station?', "SELECT Borough FROM FireStn WHERE StnName = 'Harbour'"],
    [
      'What is the average age of the male and of the female firefighters?',
      'SELECT Sex, AVG(Age) FROM FireFighter GROUP BY Sex',
    ],
    [
      'Show the call signs of engines built before 2012 or with a tank smaller than 1000 litres.',
      'SELECT CallSign FROM Engine WHERE YrBuilt < 2012 OR TankLtr < 1000',
    ],
    [
      'On which street did the most incidents happen?',
      'SELECT Street FROM Incident GROUP BY Street ORDER BY COUNT(*) DESC LIMIT 1',
    ],
    [
      'How many engines does each station have? Show station name and number, sorted by the number descending.',
      'SELECT s.StnName, COUNT(*) FROM FireStn s JOIN Engine e ON e.StnCode = s.StnCode GROUP BY s.StnCode ORDER BY COUNT(*) DESC',
      'SELECT s.StnName, COUNT(e.EngNo) FROM FireStn s LEFT JOIN Engine e ON e.StnCode = s.StnCode GROUP BY s.StnCode ORDER BY COUNT(e.EngNo) DESC',
    ],
    [
      'What is the number of the incident with the greatest damage and how many people were injured in it?',
      'SELECT IncNo, Injured FROM Incident ORDER BY DamageEur DESC LIMIT 1',
    ],
    [
      'Find the call signs of the engines that never responded to an incident.',
      'SELECT CallSign FROM Engine WHERE EngNo NOT IN (SELECT EngNo FROM Response)',
    ],
    [
      'Find the names of stations with more firefighters than 2.',
      'SELECT s.StnName FROM FireStn s JOIN FireFighter f ON f.StnCode = s.StnCode GROUP BY s.StnCode HAVING COUNT(*) > 2',
    ],
    [
      'What is the mean arrival time of Alpha 1 at house fires?',
      "SELECT AVG(r.ArrivalMin) FROM Response r JOIN Engine e ON e.EngNo = r.EngNo JOIN Incident i ON i.IncNo = r.IncNo WHERE e.CallSign = 'Alpha 1' AND i.IncType = 'house fire'",
    ],
    [
      'Which stations have neither engines nor firefighters?',
      'SELECT StnName FROM FireStn WHERE StnCode NOT IN (SELECT StnCode FROM Engine) AND StnCode NOT IN (SELECT StnCode FROM FireFighter)',
      'SELECT * FROM FireStn WHERE StnCode NOT IN (SELECT StnCode FROM Engine) AND StnCode NOT IN (SELECT StnCode FROM FireFighter)',
    ],
    [
      'What are the call signs of engines that were sent to both a flood and a car crash?',
      "SELECT e.CallSign FROM Engine e JOIN Response r ON r.EngNo = e.EngNo JOIN Incident i ON i.IncNo = r.IncNo WHERE i.IncType = 'flood' INTERSECT SELECT e.CallSign FROM Engine e JOIN Response r ON r.EngNo = e.EngNo JOIN Incident i ON i.IncNo = r.IncNo WHERE i.IncType = 'car crash'",
    ],
  ],
};
