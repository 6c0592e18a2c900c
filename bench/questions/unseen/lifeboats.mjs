// @ts-check
import { dayBefore, fill, insert, pick } from '../invented/rows.mjs';

/** @type {import('../invented/rows.mjs').InventedSet} */
export const LIFEBOATS = {
  name: 'lifeboats',
  statements: [
    'CREATE TABLE lifeboat_station (station_id INT PRIMARY KEY, station_name VARCHAR(40) NOT NULL, region VARCHAR(40) NOT NULL, founded_year INT NOT NULL)',
    'CREATE TABLE boat (boat_id INT PRIMARY KEY, boat_name VARCHAR(40) NOT NULL, class VARCHAR(20) NOT NULL, top_speed_knots INT NOT NULL, length_m DECIMAL(5,2) NOT NULL, station_id INT NULL, FOREIGN KEY (station_id) REFERENCES lifeboat_station (station_id))',
    'CREATE TABLE crew_member (member_id INT PRIMARY KEY, full_name VARCHAR(60) NOT NULL, rank_title VARCHAR(20) NOT NULL, joined_year INT NOT NULL, age INT NOT NULL, station_id INT NOT NULL, FOREIGN KEY (station_id) REFERENCES lifeboat_station (station_id))',
    'CREATE TABLE callout (callout_id INT PRIMARY KEY, boat_id INT NOT NULL, callout_date DATE NOT NULL, cause VARCHAR(30) NOT NULL, persons_rescued INT NOT NULL, wind_force INT NOT NULL, FOREIGN KEY (boat_id) REFERENCES boat (boat_id))',
    'CREATE TABLE callout_crew (callout_id INT NOT NULL, member_id INT NOT NULL, seat VARCHAR(20) NOT NULL, PRIMARY KEY (callout_id, member_id), FOREIGN KEY (callout_id) REFERENCES callout (callout_id), FOREIGN KEY (member_id) REFERENCES crew_member (member_id))',
    insert('lifeboat_station', [
      [1, 'Gull Point', 'North', 1865],
      [2, 'St Brannock', 'South West', 1902],
      [3, 'Kittiwake Bay', 'North', 1931],
      [4, 'Long Sands', 'East', 1878],
      [5, 'Port Arden', 'South West', 1967],
    ]),
    insert('boat', [
      [1, 'Spirit of Arden', 'Severn', 25, 17.3, 5],
      [2, 'Mary Ellen', 'Shannon', 27, 13.6, 1],
      [3, 'Resolute', 'Atlantic', 35, 8.5, 2],
      [4, 'Lady Jane', 'Severn', 24, 17.1, 4],
      [5, 'Petrel', 'Atlantic', 36, 8.3, 1],
      [6, 'Samuel Black', 'Shannon', 26, 13.5, 3],
      [7, 'Old Faithful', 'Tyne', 18, 14.4, null],
    ]),
    insert(
      'crew_member',
      [
        ['Ewan Muir', 'coxswain', 2001, 52, 1],
        ['Isla Reid', 'mechanic', 2012, 37, 1],
        ['Tam Boyd', 'crew', 2019, 25, 1],
        ['Kate Penrose', 'coxswain', 2006, 48, 2],
        ['Jory Hicks', 'crew', 2021, 23, 2],
        ['Beth Crowe', 'mechanic', 2015, 41, 3],
        ['Alan Spiers', 'crew', 2010, 44, 3],
        ['Dora Lamb', 'coxswain', 1998, 57, 4],
        ['Nick Farrow', 'crew', 2023, 21, 4],
        ['Penny Trick', 'crew', 2017, 33, 5],
        ['Rob Sallow', 'mechanic', 2003, 49, 5],
        ['Una Gale', 'crew', 2024, 29, 1],
      ].map((row, index) => [index + 1, ...row]),
    ),
    fill('callout', 32, (index) => [
      pick([2, 3, 1, 2, 5, 4, 2, 3, 6, 1], index),
      dayBefore(2 + index * 15),
      pick(['engine failure', 'grounding', 'swimmer', 'engine failure', 'medical', 'capsize'], index),
      index === 13 ? 19 : (index * 5) % 8,
      1 + ((index * 7) % 10),
    ]),
    insert(
      'callout_crew',
      Array.from({ length: 54 }, (_, index) => [
        1 + ((index * 3) % 32),
        pick([1, 2, 4, 1, 6, 8, 3, 1, 2, 10, 4, 11, 5], index),
        pick(['helm', 'bow', 'radio'], index),
      ]).filter(
        (row, index, all) => all.findIndex((other) => other[0] === row[0] && other[1] === row[1]) === index,
      ),
    ),
  ],
  questions: [
    ['How many crew members are younger than 30?', 'SELECT COUNT(*) FROM crew_member WHERE age < 30'],
    ['What are the names and classes of the boats?', 'SELECT boat_name, class FROM boat'],
    [
      'Which station was founded in 1931?',
      'SELECT station_name FROM lifeboat_station WHERE founded_year = 1931',
      'SELECT * FROM lifeboat_station WHERE founded_year = 1931',
    ],
    [
      'List the causes of callouts along with how often each one occurred.',
      'SELECT cause, COUNT(*) FROM callout GROUP BY cause',
    ],
    [
      'Show the names of the coxswains in ascending order of age.',
      "SELECT full_name FROM crew_member WHERE rank_title = 'coxswain' ORDER BY age",
    ],
    [
      'What is the fastest boat and how fast is it?',
      'SELECT boat_name, top_speed_knots FROM boat ORDER BY top_speed_knots DESC LIMIT 1',
    ],
    [
      'What are the names of the boats stationed at Gull Point?',
      "SELECT b.boat_name FROM boat b JOIN lifeboat_station s ON s.station_id = b.station_id WHERE s.station_name = 'Gull Point'",
    ],
    [
      'How many people did each boat rescue? Give the boat name and the total.',
      'SELECT b.boat_name, SUM(c.persons_rescued) FROM boat b JOIN callout c ON c.boat_id = b.boat_id GROUP BY b.boat_id',
      'SELECT b.boat_name, SUM(c.persons_rescued) FROM boat b LEFT JOIN callout c ON c.boat_id = b.boat_id GROUP BY b.boat_id',
    ],
    [
      'Which boats have no home station?',
      'SELECT boat_name FROM boat WHERE station_id IS NULL',
      'SELECT * FROM boat WHERE station_id IS NULL',
    ],
    [
      'Find the stations with more than two crew members.',
      'SELECT s.station_name FROM lifeboat_station s JOIN crew_member m ON m.station_id = s.station_id GROUP BY s.station_id HAVING COUNT(*) > 2',
      'SELECT s.* FROM lifeboat_station s JOIN crew_member m ON m.station_id = s.station_id GROUP BY s.station_id HAVING COUNT(*) > 2',
    ],
    [
      'What are the names of the crew who have never been out on a callout?',
      'SELECT full_name FROM crew_member WHERE member_id NOT IN (SELECT member_id FROM callout_crew)',
    ],
    [
      'Return the names of crew members who were out on a callout caused by a capsize.',
      "SELECT DISTINCT m.full_name FROM crew_member m JOIN callout_crew x ON x.member_id = m.member_id JOIN callout c ON c.callout_id = x.callout_id WHERE c.cause = 'capsize'",
    ],
    [
      'What was the date of the callout that rescued the most people, and which boat went?',
      'SELECT c.callout_date, b.boat_name FROM callout c JOIN boat b ON b.boat_id = c.boat_id ORDER BY c.persons_rescued DESC LIMIT 1',
    ],
  ],
};
