// @ts-check
import { fill, insert, momentBefore, pick } from '../invented/rows.mjs';

/** @type {import('../invented/rows.mjs').InventedSet} */
export const ESCAPE_ROOMS = {
  name: 'escape rooms',
  statements: [
    'CREATE TABLE locations (id INT PRIMARY KEY, city VARCHAR(30) NOT NULL, street VARCHAR(40) NOT NULL)',
    'CREATE TABLE rooms (id INT PRIMARY KEY, location_id INT NOT NULL, theme VARCHAR(40) NOT NULL, difficulty INT NOT NULL, time_limit INT NOT NULL, min_age INT NOT NULL, price_per_head DECIMAL(5,2) NOT NULL, FOREIGN KEY (location_id) REFERENCES locations (id))',
    'CREATE TABLE game_masters (id INT PRIMARY KEY, nickname VARCHAR(30) NOT NULL, hourly_pay DECIMAL(5,2) NOT NULL, location_id INT NOT NULL, FOREIGN KEY (location_id) REFERENCES locations (id))',
    'CREATE TABLE teams (id INT PRIMARY KEY, team_name VARCHAR(40) NOT NULL, members INT NOT NULL, company VARCHAR(40) NULL)',
    'CREATE TABLE playthroughs (id INT PRIMARY KEY, room_id INT NOT NULL, team_id INT NOT NULL, game_master_id INT NOT NULL, started_at DATETIME NOT NULL, minutes_taken INT NULL, hints_used INT NOT NULL, FOREIGN KEY (room_id) REFERENCES rooms (id), FOREIGN KEY (team_id) REFERENCES teams (id), FOREIGN KEY (game_master_id) REFERENCES game_masters (id))',
    insert('locations', [
      [1, 'Graz', 'Annenstrasse'],
      [2, 'Linz', 'Landstrasse'],
      [3, 'Graz', 'Murgasse'],
      [4, 'Salzburg', 'Linzer Gasse'],
    ]),
    insert(
      'rooms',
      [
        [1, 'Pirate Cove', 2, 60, 8, 22],
        [1, 'Haunted Library', 4, 75, 14, 27.5],
        [2, 'Bank Heist', 3, 60, 12, 25],
        [2, 'Space Station', 5, 90, 16, 32],
        [3, 'Egyptian Tomb', 3, 70, 10, 24.5],
        [3, 'Mad Scientist', 1, 45, 6, 18],
        [1, 'Prison Break', 5, 60, 16, 29],
        [4, 'Sherlock', 4, 80, 12, 28],
      ].map((row, index) => [index + 1, ...row]),
    ),
    insert('game_masters', [
      [1, 'Raven', 14.5, 1],
      [2, 'Fox', 15.2, 2],
      [3, 'Moth', 13.8, 1],
      [4, 'Jackdaw', 16, 3],
      [5, 'Otter', 13.1, 4],
    ]),
    insert(
      'teams',
      [
        ['Lock Pickers', 5, null],
        ['Red Herrings', 4, 'Voestbank'],
        ['Team Panic', 3, null],
        ['Code Crackers', 6, 'Softwerk'],
        ['Late Again', 2, null],
        ['Four Keys', 4, null],
        ['Sales Sharks', 7, 'Voestbank'],
        ['Night Owls', 5, null],
      ].map((row, index) => [index + 1, ...row]),
    ),
    fill('playthroughs', 40, (index) => [
      pick([1, 3, 2, 1, 7, 5, 1, 4, 3], index),
      index === 17 ? 8 : pick([1, 2, 1, 3, 4, 1, 6, 2, 7, 3, 1], index),
      pick([1, 2, 3, 1, 4, 2, 1], index),
      momentBefore(3 + index * 5, index),
      [4, 17, 30, 31].includes(index) ? null : 31 + ((index * 17) % 43),
      (index * 3) % 8,
    ]),
  ],
  questions: [
    [
      'How many rooms are suited for children of 10 (minimum age at most 10)?',
      'SELECT COUNT(*) FROM rooms WHERE min_age <= 10',
    ],
    [
      'Show the themes of all rooms from the cheapest to the most expensive.',
      'SELECT theme FROM rooms ORDER BY price_per_head',
    ],
    ['What are the nicknames of the game masters?', 'SELECT nickname FROM game_masters'],
    [
      'Which teams are not from a company?',
      'SELECT team_name FROM teams WHERE company IS NULL',
      'SELECT * FROM teams WHERE company IS NULL',
    ],
    [
      'How many rooms are there at each difficulty level?',
      'SELECT difficulty, COUNT(*) FROM rooms GROUP BY difficulty',
    ],
    [
      'What themes can be played in Graz?',
      "SELECT r.theme FROM rooms r JOIN locations l ON l.id = r.location_id WHERE l.city = 'Graz'",
    ],
    [
      'What is the average number of hints used in each room? Show the theme and the average.',
      'SELECT r.theme, AVG(p.hints_used) FROM rooms r JOIN playthroughs p ON p.room_id = r.id GROUP BY r.id',
    ],
    [
      'How many times did the Red Herrings play?',
      "SELECT COUNT(*) FROM playthroughs p JOIN teams t ON t.id = p.team_id WHERE t.team_name = 'Red Herrings'",
    ],
    [
      'Find the themes of the rooms nobody has played yet.',
      'SELECT theme FROM rooms WHERE id NOT IN (SELECT room_id FROM playthroughs)',
    ],
    [
      'Which team has played the most games? Give the name and the number of members.',
      'SELECT t.team_name, t.members FROM teams t JOIN playthroughs p ON p.team_id = t.id GROUP BY t.id ORDER BY COUNT(*) DESC LIMIT 1',
    ],
    [
      'List the themes of rooms that cost more than the average per head.',
      'SELECT theme FROM rooms WHERE price_per_head > (SELECT AVG(price_per_head) FROM rooms)',
    ],
    [
      'What are the names of the teams that played in both Pirate Cove and Bank Heist?',
      "SELECT t.team_name FROM teams t JOIN playthroughs p ON p.team_id = t.id JOIN rooms r ON r.id = p.room_id WHERE r.theme = 'Pirate Cove' INTERSECT SELECT t.team_name FROM teams t JOIN playthroughs p ON p.team_id = t.id JOIN rooms r ON r.id = p.room_id WHERE r.theme = 'Bank Heist'",
    ],
    [
      'What are the distinct nicknames of game masters who ran a game that has no minutes taken, i.e. was never finished?',
      'SELECT DISTINCT g.nickname FROM game_masters g JOIN playthroughs p ON p.game_master_id = g.id WHERE p.minutes_taken IS NULL',
    ],
  ],
};
