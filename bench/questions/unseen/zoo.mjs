// @ts-check
import { dayBefore, fill, insert, pick } from '../invented/rows.mjs';

/** The animal of each feeding. */
const FED = [1, 6, 4, 9, 14, 1, 7, 12, 14, 2, 5];

/**
 * A schema in which the mother of an animal is a row of the same table.
 * @type {import('../invented/rows.mjs').InventedSet}
 */
export const ZOO = {
  name: 'zoo',
  statements: [
    'CREATE TABLE enclosures (enclosure_id INT PRIMARY KEY, enclosure_name VARCHAR(40) NOT NULL, habitat VARCHAR(20) NOT NULL, area_sqm INT NOT NULL, max_visitors INT NOT NULL)',
    'CREATE TABLE species (species_id INT PRIMARY KEY, common_name VARCHAR(40) NOT NULL, scientific_name VARCHAR(60) NOT NULL, diet VARCHAR(15) NOT NULL, conservation_status VARCHAR(20) NOT NULL)',
    'CREATE TABLE animals (animal_id INT PRIMARY KEY, animal_name VARCHAR(30) NOT NULL, species_id INT NOT NULL, enclosure_id INT NOT NULL, sex CHAR(1) NOT NULL, born_on DATE NOT NULL, weight_kg DECIMAL(7,1) NOT NULL, mother_id INT NULL, FOREIGN KEY (species_id) REFERENCES species (species_id), FOREIGN KEY (enclosure_id) REFERENCES enclosures (enclosure_id), FOREIGN KEY (mother_id) REFERENCES animals (animal_id))',
    'CREATE TABLE keepers (keeper_id INT PRIMARY KEY, keeper_name VARCHAR(60) NOT NULL, hired_year INT NOT NULL, speciality VARCHAR(20) NOT NULL)',
    'CREATE TABLE keeper_enclosures (keeper_id INT NOT NULL, enclosure_id INT NOT NULL, PRIMARY KEY (keeper_id, enclosure_id), FOREIGN KEY (keeper_id) REFERENCES keepers (keeper_id), FOREIGN KEY (enclosure_id) REFERENCES enclosures (enclosure_id))',
    'CREATE TABLE feedings (feeding_id INT PRIMARY KEY, animal_id INT NOT NULL, keeper_id INT NOT NULL, fed_on DATE NOT NULL, food VARCHAR(20) NOT NULL, amount_kg DECIMAL(6,2) NOT NULL, FOREIGN KEY (animal_id) REFERENCES animals (animal_id), FOREIGN KEY (keeper_id) REFERENCES keepers (keeper_id))',
    insert('enclosures', [
      [1, 'Savanna Plain', 'grassland', 9_500, 400],
      [2, 'Bear Ridge', 'forest', 2_700, 150],
      [3, 'Penguin Cove', 'polar', 850, 120],
      [4, 'Ape House', 'forest', 1_300, 90],
      [5, 'Reptile Hall', 'desert', 420, 60],
      [6, 'Elephant Park', 'grassland', 12_000, 500],
    ]),
    insert('species', [
      [1, 'Giraffe', 'Giraffa camelopardalis', 'herbivore', 'vulnerable'],
      [2, 'Brown Bear', 'Ursus arctos', 'omnivore', 'least concern'],
      [3, 'King Penguin', 'Aptenodytes patagonicus', 'carnivore', 'least concern'],
      [4, 'Orangutan', 'Pongo pygmaeus', 'omnivore', 'critical'],
      [5, 'Gila Monster', 'Heloderma suspectum', 'carnivore', 'near threatened'],
      [6, 'Plains Zebra', 'Equus quagga', 'herbivore', 'near threatened'],
      [7, 'African Elephant', 'Loxodonta africana', 'herbivore', 'endangered'],
      [8, 'Snow Leopard', 'Panthera uncia', 'carnivore', 'vulnerable'],
    ]),
    insert(
      'animals',
      [
        ['Zola', 1, 1, 'F', '2009-05-02', 780, null],
        ['Kito', 1, 1, 'M', '2017-08-19', 930.5, 1],
        ['Amani', 1, 1, 'F', '2021-03-30', 610, 1],
        ['Bruno', 2, 2, 'M', '2005-01-14', 312, null],
        ['Masha', 2, 2, 'F', '2011-12-24', 205.5, null],
        ['Pingu', 3, 3, 'M', '2018-02-11', 13.2, null],
        ['Waddle', 3, 3, 'F', '2019-11-05', 11.9, null],
        ['Skipper', 3, 3, 'M', '2023-10-09', 12.4, 7],
        ['Rosa', 4, 4, 'F', '1998-06-17', 54, null],
        ['Budi', 4, 4, 'M', '2014-09-01', 81.3, 9],
        ['Spike', 5, 5, 'M', '2016-04-22', 1.7, null],
        ['Stripes', 6, 1, 'F', '2013-07-07', 289, null],
        ['Dash', 6, 1, 'M', '2020-05-15', 301.5, 12],
        ['Tembo', 7, 6, 'M', '1991-10-28', 5_650, null],
      ].map((row, index) => [index + 1, ...row]),
    ),
    insert('keepers', [
      [1, 'Gail Horner', 2006, 'hoofstock'],
      [2, 'Ravi Menon', 2015, 'primates'],
      [3, 'Lotte Bakker', 2019, 'birds'],
      [4, 'Deon Smit', 2002, 'carnivores'],
      [5, 'Hilda Roth', 2022, 'reptiles'],
      [6, 'Cyrus Vail', 2024, 'birds'],
    ]),
    insert('keeper_enclosures', [
      [1, 1],
      [1, 6],
      [2, 4],
      [3, 3],
      [4, 2],
      [4, 5],
      [2, 1],
      [3, 5],
      [1, 2],
      [5, 5],
    ]),
    fill('feedings', 42, (index) => [
      pick(FED, index),
      pick([1, 3, 4, 2, 1, 1, 3, 5], index),
      dayBefore(1 + index),
      pick(
        [6, 7].includes(pick(FED, index))
          ? ['fish', 'pellets']
          : pick(FED, index) < 3
            ? ['leaves', 'hay', 'pellets']
            : ['fruit', 'meat', 'hay'],
        index,
      ),
      0.5 + ((index * 67) % 139) / 2,
    ]),
  ],
  questions: [
    [
      'What are the names of the enclosures with a forest habitat?',
      "SELECT enclosure_name FROM enclosures WHERE habitat = 'forest'",
    ],
    ['How many animals does the zoo keep?', 'SELECT COUNT(*) FROM animals'],
    [
      'List the common and scientific name of every carnivore species.',
      "SELECT common_name, scientific_name FROM species WHERE diet = 'carnivore'",
    ],
    [
      'How many male and how many female animals are there?',
      'SELECT sex, COUNT(*) FROM animals GROUP BY sex',
    ],
    ['What is the name of the oldest animal?', 'SELECT animal_name FROM animals ORDER BY born_on LIMIT 1'],
    [
      'Show the names of animals in Penguin Cove sorted by weight, heaviest first.',
      "SELECT a.animal_name FROM animals a JOIN enclosures e ON e.enclosure_id = a.enclosure_id WHERE e.enclosure_name = 'Penguin Cove' ORDER BY a.weight_kg DESC",
    ],
    [
      'What is the average weight of the animals of each species? Use the common name.',
      'SELECT s.common_name, AVG(a.weight_kg) FROM species s JOIN animals a ON a.species_id = s.species_id GROUP BY s.species_id',
    ],
    [
      'Which species are vulnerable but not herbivores?',
      "SELECT common_name FROM species WHERE conservation_status = 'vulnerable' AND diet <> 'herbivore'",
      "SELECT * FROM species WHERE conservation_status = 'vulnerable' AND diet <> 'herbivore'",
    ],
    [
      'Find the species that the zoo has no animal of.',
      'SELECT common_name FROM species WHERE species_id NOT IN (SELECT species_id FROM animals)',
      'SELECT * FROM species WHERE species_id NOT IN (SELECT species_id FROM animals)',
    ],
    [
      'Which keepers look after at least two enclosures? Give name and number of enclosures.',
      'SELECT k.keeper_name, COUNT(*) FROM keepers k JOIN keeper_enclosures x ON x.keeper_id = k.keeper_id GROUP BY k.keeper_id HAVING COUNT(*) >= 2',
    ],
    [
      'What is the name of the mother of Budi?',
      "SELECT m.animal_name FROM animals a JOIN animals m ON m.animal_id = a.mother_id WHERE a.animal_name = 'Budi'",
    ],
    [
      'Which animal has eaten the most food in total, and how many kilos?',
      'SELECT a.animal_name, SUM(f.amount_kg) FROM animals a JOIN feedings f ON f.animal_id = a.animal_id GROUP BY a.animal_id ORDER BY SUM(f.amount_kg) DESC LIMIT 1',
    ],
    [
      'Return the names and weights of the animals that Deon Smit has fed with fruit.',
      "SELECT DISTINCT a.animal_name, a.weight_kg FROM animals a JOIN feedings f ON f.animal_id = a.animal_id JOIN keepers k ON k.keeper_id = f.keeper_id WHERE k.keeper_name = 'Deon Smit' AND f.food = 'fruit'",
    ],
    [
      'What food has been given both to giraffes and to king penguins?',
      "SELECT f.food FROM feedings f JOIN animals a ON a.animal_id = f.animal_id JOIN species s ON s.species_id = a.species_id WHERE s.common_name = 'Giraffe' INTERSECT SELECT f.food FROM feedings f JOIN animals a ON a.animal_id = f.animal_id JOIN species s ON s.species_id = a.species_id WHERE s.common_name = 'King Penguin'",
    ],
  ],
};
