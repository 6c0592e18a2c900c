// @ts-check
import { dayBefore, fill, insert, pick } from '../invented/rows.mjs';

/**
 * A schema with columns in camel case that start with a lower-case letter.
 * @type {import('../invented/rows.mjs').InventedSet}
 */
export const BOTANICAL_GARDEN = {
  name: 'botanical garden',
  statements: [
    'CREATE TABLE plantFamily (familyId INT PRIMARY KEY, latinName VARCHAR(40) NOT NULL, commonName VARCHAR(40) NOT NULL)',
    'CREATE TABLE species (speciesId INT PRIMARY KEY, speciesName VARCHAR(60) NOT NULL, familyId INT NOT NULL, nativeRegion VARCHAR(40) NOT NULL, maxHeightCm INT NOT NULL, isEndangered TINYINT(1) NOT NULL, FOREIGN KEY (familyId) REFERENCES plantFamily (familyId))',
    'CREATE TABLE greenhouse (greenhouseId INT PRIMARY KEY, houseName VARCHAR(40) NOT NULL, climate VARCHAR(20) NOT NULL, temperature DECIMAL(4,1) NOT NULL, surfaceM2 INT NOT NULL)',
    'CREATE TABLE gardener (gardenerId INT PRIMARY KEY, firstName VARCHAR(30) NOT NULL, lastName VARCHAR(30) NOT NULL, salary INT NOT NULL, greenhouseId INT NULL, FOREIGN KEY (greenhouseId) REFERENCES greenhouse (greenhouseId))',
    'CREATE TABLE specimen (specimenId INT PRIMARY KEY, speciesId INT NOT NULL, greenhouseId INT NOT NULL, plantedOn DATE NOT NULL, heightCm INT NOT NULL, health VARCHAR(15) NOT NULL, FOREIGN KEY (speciesId) REFERENCES species (speciesId), FOREIGN KEY (greenhouseId) REFERENCES greenhouse (greenhouseId))',
    insert('plantFamily', [
      [1, 'Orchidaceae', 'orchids'],
      [2, 'Cactaceae', 'cacti'],
      [3, 'Arecaceae', 'palms'],
      [4, 'Nepenthaceae', 'pitcher plants'],
      [5, 'Bromeliaceae', 'bromeliads'],
    ]),
    insert(
      'species',
      [
        ['Ghost Orchid', 1, 'Cuba', 30, 1],
        ['Vanilla', 1, 'Mexico', 900, 0],
        ['Saguaro', 2, 'Sonora', 1_400, 0],
        ['Peyote', 2, 'Mexico', 7, 1],
        ['Coconut Palm', 3, 'Pacific Islands', 2_800, 0],
        ['Coco de Mer', 3, 'Seychelles', 3_400, 1],
        ['Rajah Pitcher', 4, 'Borneo', 120, 1],
        ['Urn Plant', 5, 'Brazil', 80, 0],
        ['Lady Slipper', 1, 'Borneo', 45, 1],
        ['Pineapple', 5, 'Brazil', 110, 0],
        ['Moon Cactus', 2, 'Brazil', 25, 0],
        ['Monkey Cup', 4, 'Sumatra', 60, 0],
      ].map((row, index) => [index + 1, ...row]),
    ),
    insert('greenhouse', [
      [1, 'Palm House', 'tropical', 26.5, 1_450],
      [2, 'Desert House', 'arid', 24, 620],
      [3, 'Orchid Gallery', 'tropical', 23.5, 310],
      [4, 'Cloud Forest', 'temperate', 17, 480],
      [5, 'Nursery', 'temperate', 19.5, 150],
    ]),
    insert('gardener', [
      [1, 'Ruth', 'Ames', 31_500, 1],
      [2, 'Ivan', 'Sokol', 29_800, 2],
      [3, 'Pia', 'Lunde', 34_200, 1],
      [4, 'Omar', 'Fadel', 27_900, 3],
      [5, 'Tess', 'Quinn', 36_000, 4],
      [6, 'Gil', 'Barros', 26_400, null],
    ]),
    fill('specimen', 34, (index) => [
      pick([5, 3, 1, 2, 6, 3, 9, 8, 3, 4, 10, 7, 1], index),
      pick([1, 2, 3, 3, 1, 2, 3, 4, 2, 1, 4], index),
      dayBefore(100 + index * 61),
      6 + ((index * 97) % 743),
      index === 5 || index === 20
        ? 'quarantine'
        : pick(
            [
              'good',
              'good',
              'poor',
              'good',
              'excellent',
              'good',
              'good',
              'poor',
              'excellent',
              'good',
              'excellent',
            ],
            index,
          ),
    ]),
  ],
  questions: [
    ['Count the endangered species.', 'SELECT COUNT(*) FROM species WHERE isEndangered = 1'],
    ['What are the first and last names of all gardeners?', 'SELECT firstName, lastName FROM gardener'],
    [
      'How warm is it in the Palm House?',
      "SELECT temperature FROM greenhouse WHERE houseName = 'Palm House'",
    ],
    [
      'List the names of species native to Brazil or Mexico.',
      "SELECT speciesName FROM species WHERE nativeRegion = 'Brazil' OR nativeRegion = 'Mexico'",
    ],
    [
      'Which species grows the tallest?',
      'SELECT speciesName FROM species ORDER BY maxHeightCm DESC LIMIT 1',
      'SELECT * FROM species ORDER BY maxHeightCm DESC LIMIT 1',
    ],
    [
      'How many species belong to each family? Show the Latin name of the family and the count.',
      'SELECT f.latinName, COUNT(*) FROM plantFamily f JOIN species s ON s.familyId = f.familyId GROUP BY f.familyId',
    ],
    [
      'What is the average salary of the gardeners working in tropical greenhouses?',
      "SELECT AVG(g.salary) FROM gardener g JOIN greenhouse h ON h.greenhouseId = g.greenhouseId WHERE h.climate = 'tropical'",
    ],
    [
      'Find the number of specimens by state of health, in descending order.',
      'SELECT health, COUNT(*) FROM specimen GROUP BY health ORDER BY COUNT(*) DESC',
    ],
    [
      'Which greenhouses have no gardener assigned?',
      'SELECT houseName FROM greenhouse WHERE greenhouseId NOT IN (SELECT greenhouseId FROM gardener WHERE greenhouseId IS NOT NULL)',
      'SELECT * FROM greenhouse WHERE greenhouseId NOT IN (SELECT greenhouseId FROM gardener WHERE greenhouseId IS NOT NULL)',
    ],
    [
      'What are the names of the species of which we have more than 3 specimens?',
      'SELECT s.speciesName FROM species s JOIN specimen x ON x.speciesId = s.speciesId GROUP BY s.speciesId HAVING COUNT(*) > 3',
    ],
    [
      'Give the names of species we own no specimen of.',
      'SELECT speciesName FROM species WHERE speciesId NOT IN (SELECT speciesId FROM specimen)',
    ],
    [
      'Which native regions are home to both orchids and pitcher plants?',
      "SELECT s.nativeRegion FROM species s JOIN plantFamily f ON f.familyId = s.familyId WHERE f.commonName = 'orchids' INTERSECT SELECT s.nativeRegion FROM species s JOIN plantFamily f ON f.familyId = s.familyId WHERE f.commonName = 'pitcher plants'",
    ],
    [
      'In which greenhouse is the tallest specimen of Saguaro standing?',
      "SELECT h.houseName FROM greenhouse h JOIN specimen x ON x.greenhouseId = h.greenhouseId JOIN species s ON s.speciesId = x.speciesId WHERE s.speciesName = 'Saguaro' ORDER BY x.heightCm DESC LIMIT 1",
      "SELECT h.* FROM greenhouse h JOIN specimen x ON x.greenhouseId = h.greenhouseId JOIN species s ON s.speciesId = x.speciesId WHERE s.speciesName = 'Saguaro' ORDER BY x.heightCm DESC LIMIT 1",
    ],
  ],
};
