// @ts-check
import { dayBefore, fill, insert, pick } from '../invented/rows.mjs';

const ASTRONOMERS = [1, 3, 1, 2, 4, 1, 3, 5, 2, 1, 4];

/**
 * A schema with prefixed names and abbreviated columns.
 * @type {import('../invented/rows.mjs').InventedSet}
 */
export const OBSERVATORY = {
  name: 'observatory',
  statements: [
    'CREATE TABLE tbl_telescope (tel_id INT PRIMARY KEY, tel_name VARCHAR(40) NOT NULL, aperture_cm INT NOT NULL, yr_built INT NOT NULL, mount_type VARCHAR(20) NOT NULL)',
    'CREATE TABLE tbl_astronomer (astr_id INT PRIMARY KEY, fname VARCHAR(30) NOT NULL, lname VARCHAR(30) NOT NULL, institute VARCHAR(60) NOT NULL, nationality VARCHAR(30) NOT NULL)',
    'CREATE TABLE tbl_target (tgt_id INT PRIMARY KEY, tgt_name VARCHAR(40) NOT NULL, obj_class VARCHAR(30) NOT NULL, magnitude DECIMAL(4,2) NOT NULL, constellation VARCHAR(30) NOT NULL)',
    'CREATE TABLE tbl_obs_run (run_id INT PRIMARY KEY, tel_id INT NOT NULL, astr_id INT NOT NULL, tgt_id INT NOT NULL, obs_dt DATE NOT NULL, exp_secs INT NOT NULL, seeing_rating VARCHAR(10) NOT NULL, FOREIGN KEY (tel_id) REFERENCES tbl_telescope (tel_id), FOREIGN KEY (astr_id) REFERENCES tbl_astronomer (astr_id), FOREIGN KEY (tgt_id) REFERENCES tbl_target (tgt_id))',
    insert('tbl_telescope', [
      [1, 'Meridian', 60, 1968, 'equatorial'],
      [2, 'Big Ear', 240, 1994, 'altazimuth'],
      [3, 'Comet Hunter', 45, 2003, 'equatorial'],
      [4, 'Kestrel', 120, 2011, 'altazimuth'],
      [5, 'Lumen', 180, 2019, 'altazimuth'],
      [6, 'Old Refractor', 38, 1911, 'equatorial'],
    ]),
    insert('tbl_astronomer', [
      [1, 'Sofia', 'Brandt', 'Uni Leiden', 'Dutch'],
      [2, 'Arjun', 'Mehta', 'IIA Bangalore', 'Indian'],
      [3, 'Claire', 'Dumont', 'Obs de Nice', 'French'],
      [4, 'Luis', 'Ortega', 'IAC Tenerife', 'Spanish'],
      [5, 'Willem', 'Kuiper', 'Uni Leiden', 'Dutch'],
      [6, 'Mei', 'Zhang', 'NAO Beijing', 'Chinese'],
      [7, 'Pierre', 'Girard', 'Obs de Nice', 'French'],
    ]),
    insert('tbl_target', [
      [1, 'Andromeda', 'galaxy', 3.44, 'Andromeda'],
      [2, 'Crab Nebula', 'nebula', 8.4, 'Taurus'],
      [3, 'Pleiades', 'cluster', 1.6, 'Taurus'],
      [4, 'Betelgeuse', 'star', 0.5, 'Orion'],
      [5, 'Orion Nebula', 'nebula', 4, 'Orion'],
      [6, 'Rigel', 'star', 0.13, 'Orion'],
      [7, 'Whirlpool', 'galaxy', 8.41, 'Canes Venatici'],
      [8, 'Vega', 'star', 0.03, 'Lyra'],
      [9, 'Ring Nebula', 'nebula', 8.8, 'Lyra'],
    ]),
    fill('tbl_obs_run', 38, (index) => [
      pick([2, 4, 2, 1, 5, 2, 4], index),
      index === 20 ? 6 : pick(ASTRONOMERS, index),
      pick([1, 5, 2, 1, 4, 7, 1, 3, 6], index),
      dayBefore(4 + index * 13),
      60 + ((index * 397) % 3_500),
      pick(
        pick(ASTRONOMERS, index) === 1
          ? ['poor', 'fair', 'good', 'poor']
          : ['good', 'fair', 'good', 'excellent', 'good'],
        index,
      ),
    ]),
  ],
  questions: [
    ['What are the names of all telescopes?', 'SELECT tel_name FROM tbl_telescope'],
    [
      'How many of the astronomers are French?',
      "SELECT COUNT(*) FROM tbl_astronomer WHERE nationality = 'French'",
    ],
    [
      'List the telescopes built after 2000.',
      'SELECT tel_name FROM tbl_telescope WHERE yr_built > 2000',
      'SELECT * FROM tbl_telescope WHERE yr_built > 2000',
    ],
    [
      'What are the largest, smallest and average aperture of the telescopes?',
      'SELECT MAX(aperture_cm), MIN(aperture_cm), AVG(aperture_cm) FROM tbl_telescope',
    ],
    [
      'Give the first and last name of astronomers from Uni Leiden, sorted by last name.',
      "SELECT fname, lname FROM tbl_astronomer WHERE institute = 'Uni Leiden' ORDER BY lname",
    ],
    [
      'How many targets are there in each constellation?',
      'SELECT constellation, COUNT(*) FROM tbl_target GROUP BY constellation',
    ],
    [
      'What is the name and class of the target with the smallest magnitude?',
      'SELECT tgt_name, obj_class FROM tbl_target ORDER BY magnitude LIMIT 1',
    ],
    [
      'Which objects have been observed with the Kestrel telescope?',
      "SELECT DISTINCT g.tgt_name FROM tbl_target g JOIN tbl_obs_run r ON r.tgt_id = g.tgt_id JOIN tbl_telescope t ON t.tel_id = r.tel_id WHERE t.tel_name = 'Kestrel'",
      "SELECT DISTINCT g.* FROM tbl_target g JOIN tbl_obs_run r ON r.tgt_id = g.tgt_id JOIN tbl_telescope t ON t.tel_id = r.tel_id WHERE t.tel_name = 'Kestrel'",
    ],
    [
      'Find the telescopes that were never used in any run.',
      'SELECT tel_name FROM tbl_telescope WHERE tel_id NOT IN (SELECT tel_id FROM tbl_obs_run)',
      'SELECT * FROM tbl_telescope WHERE tel_id NOT IN (SELECT tel_id FROM tbl_obs_run)',
    ],
    [
      'What is the average exposure time of the runs for each telescope name?',
      'SELECT t.tel_name, AVG(r.exp_secs) FROM tbl_telescope t JOIN tbl_obs_run r ON r.tel_id = t.tel_id GROUP BY t.tel_id',
    ],
    [
      'Which nationalities do at least two astronomers share?',
      'SELECT nationality FROM tbl_astronomer GROUP BY nationality HAVING COUNT(*) >= 2',
    ],
    [
      'Show the last names of astronomers who observed both Andromeda and the Crab Nebula.',
      "SELECT a.lname FROM tbl_astronomer a JOIN tbl_obs_run r ON r.astr_id = a.astr_id JOIN tbl_target g ON g.tgt_id = r.tgt_id WHERE g.tgt_name = 'Andromeda' INTERSECT SELECT a.lname FROM tbl_astronomer a JOIN tbl_obs_run r ON r.astr_id = a.astr_id JOIN tbl_target g ON g.tgt_id = r.tgt_id WHERE g.tgt_name = 'Crab Nebula'",
    ],
    [
      'What is the institute of the astronomer who carried out the most observing runs in good seeing?',
      "SELECT a.institute FROM tbl_astronomer a JOIN tbl_obs_run r ON r.astr_id = a.astr_id WHERE r.seeing_rating = 'good' GROUP BY a.astr_id ORDER BY COUNT(*) DESC LIMIT 1",
    ],
  ],
};
