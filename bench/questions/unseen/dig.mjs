// @ts-check
import { dayBefore, fill, insert, pick } from '../invented/rows.mjs';

const OBJECTS = [
  ['pot', 'clay'],
  ['coin', 'bronze'],
  ['bead', 'glass'],
  ['pot', 'clay'],
  ['blade', 'iron'],
  ['pot', 'clay'],
  ['coin', 'bronze'],
  ['lamp', 'clay'],
  ['blade', 'iron'],
  ['pot', 'clay'],
  ['coin', 'bronze'],
  ['bead', 'glass'],
  ['lamp', 'clay'],
  ['blade', 'iron'],
  ['pot', 'clay'],
  ['brooch', 'bronze'],
  ['comb', 'bone'],
];

/**
 * A schema with plural names in capitals and underscores.
 * @type {import('../invented/rows.mjs').InventedSet}
 */
export const DIG = {
  name: 'archaeology',
  statements: [
    'CREATE TABLE Dig_Sites (Site_ID INT PRIMARY KEY, Site_Name VARCHAR(40) NOT NULL, Country VARCHAR(30) NOT NULL, Period VARCHAR(30) NOT NULL, Area_Hectares DECIMAL(6,2) NOT NULL)',
    'CREATE TABLE Trenches (Trench_ID INT PRIMARY KEY, Site_ID INT NOT NULL, Trench_Code VARCHAR(10) NOT NULL, Depth_cm INT NOT NULL, Opened_On DATE NOT NULL, FOREIGN KEY (Site_ID) REFERENCES Dig_Sites (Site_ID))',
    'CREATE TABLE Archaeologists (Archaeologist_ID INT PRIMARY KEY, Name VARCHAR(60) NOT NULL, Speciality VARCHAR(30) NOT NULL, University VARCHAR(40) NOT NULL)',
    'CREATE TABLE Site_Staff (Site_ID INT NOT NULL, Archaeologist_ID INT NOT NULL, Season INT NOT NULL, Is_Director TINYINT NOT NULL, PRIMARY KEY (Site_ID, Archaeologist_ID, Season), FOREIGN KEY (Site_ID) REFERENCES Dig_Sites (Site_ID), FOREIGN KEY (Archaeologist_ID) REFERENCES Archaeologists (Archaeologist_ID))',
    'CREATE TABLE Finds (Find_ID INT PRIMARY KEY, Trench_ID INT NOT NULL, Found_By INT NOT NULL, Object_Type VARCHAR(30) NOT NULL, Material VARCHAR(20) NOT NULL, Weight_g DECIMAL(8,1) NOT NULL, Find_Date DATE NOT NULL, FOREIGN KEY (Trench_ID) REFERENCES Trenches (Trench_ID), FOREIGN KEY (Found_By) REFERENCES Archaeologists (Archaeologist_ID))',
    insert('Dig_Sites', [
      [1, 'Tell Amun', 'Egypt', 'Bronze Age', 14.5],
      [2, 'Villa Rustica', 'Italy', 'Roman', 3.2],
      [3, 'Grey Cairn', 'Ireland', 'Neolithic', 1.1],
      [4, 'Porta Nova', 'Italy', 'Medieval', 0.8],
      [5, 'Kalydon Hill', 'Greece', 'Bronze Age', 6.7],
      [6, 'Fort Severus', 'Germany', 'Roman', 9.9],
    ]),
    insert(
      'Trenches',
      [
        [1, 1, 'TA-1', 310],
        [2, 1, 'TA-2', 145],
        [3, 1, 'TA-3', 220],
        [4, 2, 'VR-1', 180],
        [5, 2, 'VR-2', 95],
        [6, 3, 'GC-1', 120],
        [7, 5, 'KH-1', 265],
        [8, 5, 'KH-2', 205],
        [9, 6, 'FS-1', 160],
        [10, 1, 'TA-4', 60],
      ].map((row, index) => [...row, dayBefore(40 + index * 67)]),
    ),
    insert('Archaeologists', [
      [1, 'Helen Marsh', 'ceramics', 'Oxford'],
      [2, 'Karim Nassar', 'epigraphy', 'Cairo'],
      [3, 'Giulia Conti', 'numismatics', 'Bologna'],
      [4, 'Fergus Daly', 'osteology', 'Galway'],
      [5, 'Nikos Pappas', 'ceramics', 'Athens'],
      [6, 'Ulrike Brandt', 'metallurgy', 'Trier'],
      [7, 'Tom Arkwright', 'osteology', 'Oxford'],
    ]),
    insert('Site_Staff', [
      [1, 2, 2024, 1],
      [1, 1, 2024, 0],
      [1, 2, 2025, 1],
      [1, 7, 2025, 0],
      [2, 3, 2024, 1],
      [2, 1, 2025, 0],
      [3, 4, 2025, 1],
      [5, 5, 2024, 1],
      [5, 1, 2023, 0],
      [6, 6, 2025, 1],
      [1, 5, 2025, 0],
    ]),
    fill('Finds', 36, (index) => [
      pick([1, 4, 7, 1, 2, 9, 6, 3, 4, 1, 8], index),
      pick([2, 1, 5, 2, 3, 1, 4, 2], index),
      ...pick(OBJECTS, index),
      2.5 + ((index * 173) % 947),
      dayBefore(8 + index * 23),
    ]),
  ],
  questions: [
    ['What countries do we have sites in?', 'SELECT DISTINCT Country FROM Dig_Sites'],
    ['How many trenches have been opened?', 'SELECT COUNT(*) FROM Trenches'],
    [
      'What is the speciality of Giulia Conti?',
      "SELECT Speciality FROM Archaeologists WHERE Name = 'Giulia Conti'",
    ],
    [
      'List the names of the Roman sites bigger than 5 hectares.',
      "SELECT Site_Name FROM Dig_Sites WHERE Period = 'Roman' AND Area_Hectares > 5",
    ],
    [
      'How many finds are there of each material? Order by the number, most first.',
      'SELECT Material, COUNT(*) FROM Finds GROUP BY Material ORDER BY COUNT(*) DESC',
    ],
    [
      'What is the code and the depth of the deepest trench?',
      'SELECT Trench_Code, Depth_cm FROM Trenches ORDER BY Depth_cm DESC LIMIT 1',
    ],
    [
      'Give the codes of the trenches at Kalydon Hill.',
      "SELECT t.Trench_Code FROM Trenches t JOIN Dig_Sites s ON s.Site_ID = t.Site_ID WHERE s.Site_Name = 'Kalydon Hill'",
    ],
    [
      'What is the average weight of the coins?',
      "SELECT AVG(Weight_g) FROM Finds WHERE Object_Type = 'coin'",
    ],
    [
      'For each site that has trenches, show its name and the number of trenches.',
      'SELECT s.Site_Name, COUNT(*) FROM Dig_Sites s JOIN Trenches t ON t.Site_ID = s.Site_ID GROUP BY s.Site_ID',
    ],
    [
      'Which universities have at least two archaeologists?',
      'SELECT University FROM Archaeologists GROUP BY University HAVING COUNT(*) >= 2',
    ],
    [
      'Find the names of sites where no trench was opened.',
      'SELECT Site_Name FROM Dig_Sites WHERE Site_ID NOT IN (SELECT Site_ID FROM Trenches)',
    ],
    [
      'Which archaeologist made the most finds? Show the name and how many.',
      'SELECT a.Name, COUNT(*) FROM Archaeologists a JOIN Finds f ON f.Found_By = a.Archaeologist_ID GROUP BY a.Archaeologist_ID ORDER BY COUNT(*) DESC LIMIT 1',
    ],
    [
      'What types of objects were found in Egypt but not in Italy?',
      "SELECT f.Object_Type FROM Finds f JOIN Trenches t ON t.Trench_ID = f.Trench_ID JOIN Dig_Sites s ON s.Site_ID = t.Site_ID WHERE s.Country = 'Egypt' EXCEPT SELECT f.Object_Type FROM Finds f JOIN Trenches t ON t.Trench_ID = f.Trench_ID JOIN Dig_Sites s ON s.Site_ID = t.Site_ID WHERE s.Country = 'Italy'",
    ],
    [
      'Show the names of archaeologists that worked at Tell Amun in the 2025 season.',
      "SELECT a.Name FROM Archaeologists a JOIN Site_Staff w ON w.Archaeologist_ID = a.Archaeologist_ID JOIN Dig_Sites s ON s.Site_ID = w.Site_ID WHERE s.Site_Name = 'Tell Amun' AND w.Season = 2025",
    ],
  ],
};
