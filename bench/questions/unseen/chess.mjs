// @ts-check
import { dayBefore, fill, insert, pick } from '../invented/rows.mjs';

/**
 * A schema with two foreign keys to the same table.
 * @type {import('../invented/rows.mjs').InventedSet}
 */
export const CHESS = {
  name: 'chess league',
  statements: [
    'CREATE TABLE club (club_id INT PRIMARY KEY, club_name VARCHAR(40) NOT NULL, city VARCHAR(30) NOT NULL, founded INT NOT NULL)',
    'CREATE TABLE player (player_id INT PRIMARY KEY, player_name VARCHAR(60) NOT NULL, country VARCHAR(30) NOT NULL, title VARCHAR(4) NULL, rating INT NOT NULL, birth_year INT NOT NULL, club_id INT NULL, FOREIGN KEY (club_id) REFERENCES club (club_id))',
    'CREATE TABLE tournament (tournament_id INT PRIMARY KEY, tournament_name VARCHAR(60) NOT NULL, host_city VARCHAR(30) NOT NULL, year INT NOT NULL, prize_fund INT NOT NULL)',
    "CREATE TABLE game (game_id INT PRIMARY KEY, tournament_id INT NOT NULL, white_id INT NOT NULL, black_id INT NOT NULL, opening VARCHAR(30) NOT NULL, moves INT NOT NULL, result ENUM('white', 'black', 'draw') NOT NULL, played_on DATE NOT NULL, FOREIGN KEY (tournament_id) REFERENCES tournament (tournament_id), FOREIGN KEY (white_id) REFERENCES player (player_id), FOREIGN KEY (black_id) REFERENCES player (player_id))",
    insert('club', [
      [1, 'Rook and Pawn', 'Riga', 1924],
      [2, 'Kings Corner', 'Tallinn', 1951],
      [3, 'Zugzwang', 'Vilnius', 1987],
      [4, 'Blue Bishops', 'Riga', 2003],
      [5, 'Endgame', 'Tartu', 2015],
    ]),
    insert(
      'player',
      [
        ['Janis Ozols', 'Latvia', 'GM', 2587, 1984, 1],
        ['Mari Tamm', 'Estonia', 'IM', 2431, 1996, 2],
        ['Darius Petrauskas', 'Lithuania', 'GM', 2602, 1979, 3],
        ['Liga Berzina', 'Latvia', 'FM', 2298, 2001, 1],
        ['Toomas Kask', 'Estonia', null, 2104, 1968, 2],
        ['Rasa Jankute', 'Lithuania', 'IM', 2455, 1990, 3],
        ['Oskar Lind', 'Sweden', 'FM', 2310, 1999, null],
        ['Peteris Kalns', 'Latvia', null, 1987, 2008, 4],
        ['Anna Saar', 'Estonia', 'FM', 2275, 2004, 2],
        ['Viktor Hahn', 'Germany', 'GM', 2540, 1975, 1],
        ['Egle Simkus', 'Lithuania', null, 2033, 2006, 3],
      ].map((row, index) => [index + 1, ...row]),
    ),
    insert('tournament', [
      [1, 'Baltic Open', 'Riga', 2024, 20_000],
      [2, 'Amber Cup', 'Palanga', 2024, 8_500],
      [3, 'Baltic Open', 'Tallinn', 2025, 24_000],
      [4, 'Winter Rapid', 'Tartu', 2025, 3_000],
      [5, 'Masters', 'Vilnius', 2026, 31_000],
    ]),
    fill('game', 40, (index) => [
      pick([1, 2, 1, 3, 5, 1, 3], index),
      pick([1, 3, 2, 1, 6, 4, 1, 10], index),
      pick([2, 5, 7, 9, 3, 8, 10], index) === pick([1, 3, 2, 1, 6, 4, 1, 10], index)
        ? 9
        : pick([2, 5, 7, 9, 3, 8, 10], index),
      pick(['Sicilian', 'Ruy Lopez', 'Sicilian', 'Caro-Kann', 'French', 'Sicilian', 'English'], index),
      index === 21 ? 131 : 18 + ((index * 37) % 89),
      index % 8 === 7 ? 'black' : pick(['white', 'draw', 'black', 'white', 'draw'], index),
      dayBefore(9 + index * 21),
    ]),
  ],
  questions: [
    ['How many players come from Latvia?', "SELECT COUNT(*) FROM player WHERE country = 'Latvia'"],
    ['List the names of the clubs founded before 1960.', 'SELECT club_name FROM club WHERE founded < 1960'],
    [
      'What are the names and ratings of the grandmasters (title GM)?',
      "SELECT player_name, rating FROM player WHERE title = 'GM'",
    ],
    [
      'What is the average rating of players in each country?',
      'SELECT country, AVG(rating) FROM player GROUP BY country',
    ],
    [
      'What is the opening that was played most often?',
      'SELECT opening FROM game GROUP BY opening ORDER BY COUNT(*) DESC LIMIT 1',
    ],
    [
      'Show the player names together with the names of their clubs.',
      'SELECT p.player_name, c.club_name FROM player p JOIN club c ON c.club_id = p.club_id',
      'SELECT p.player_name, c.club_name FROM player p LEFT JOIN club c ON c.club_id = p.club_id',
    ],
    [
      'Which tournaments had a prize fund between 5000 and 25000? Give their name and year.',
      'SELECT tournament_name, year FROM tournament WHERE prize_fund BETWEEN 5000 AND 25000',
    ],
    [
      'Return the names of players without a title, in alphabetical order.',
      'SELECT player_name FROM player WHERE title IS NULL ORDER BY player_name',
    ],
    [
      'Find the names of the players who have had the white pieces in a game that ended in a draw.',
      "SELECT DISTINCT p.player_name FROM player p JOIN game g ON g.white_id = p.player_id WHERE g.result = 'draw'",
    ],
    [
      'How many games did each player play with black? List name and number.',
      'SELECT p.player_name, COUNT(*) FROM player p JOIN game g ON g.black_id = p.player_id GROUP BY p.player_id',
      'SELECT p.player_name, COUNT(g.game_id) FROM player p LEFT JOIN game g ON g.black_id = p.player_id GROUP BY p.player_id',
    ],
    [
      'Which clubs have no players?',
      'SELECT club_name FROM club WHERE club_id NOT IN (SELECT club_id FROM player WHERE club_id IS NOT NULL)',
      'SELECT * FROM club WHERE club_id NOT IN (SELECT club_id FROM player WHERE club_id IS NOT NULL)',
    ],
    [
      'Which players are rated higher than all players from Estonia?',
      "SELECT player_name FROM player WHERE rating > (SELECT MAX(rating) FROM player WHERE country = 'Estonia')",
      "SELECT * FROM player WHERE rating > (SELECT MAX(rating) FROM player WHERE country = 'Estonia')",
    ],
    [
      'What are the names of the players that played both as white and as black?',
      'SELECT p.player_name FROM player p JOIN game g ON g.white_id = p.player_id INTERSECT SELECT p.player_name FROM player p JOIN game g ON g.black_id = p.player_id',
    ],
  ],
};
