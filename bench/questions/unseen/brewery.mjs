// @ts-check
import { dayBefore, fill, insert, pick } from '../invented/rows.mjs';

/**
 * A schema with singular names in camel case.
 * @type {import('../invented/rows.mjs').InventedSet}
 */
export const BREWERY = {
  name: 'brewery',
  statements: [
    'CREATE TABLE Brewer (BrewerID INT PRIMARY KEY, BrewerName VARCHAR(60) NOT NULL, HireDate DATE NOT NULL, HomeTown VARCHAR(40) NOT NULL)',
    'CREATE TABLE Beer (BeerID INT PRIMARY KEY, BeerName VARCHAR(60) NOT NULL, Style VARCHAR(30) NOT NULL, AlcoholPercent DECIMAL(4,2) NOT NULL, Bitterness INT NOT NULL, RetailPrice DECIMAL(6,2) NOT NULL)',
    'CREATE TABLE Ingredient (IngredientID INT PRIMARY KEY, IngredientName VARCHAR(40) NOT NULL, Kind VARCHAR(20) NOT NULL, UnitCost DECIMAL(6,2) NOT NULL, SupplierName VARCHAR(40) NOT NULL)',
    'CREATE TABLE RecipeItem (BeerID INT NOT NULL, IngredientID INT NOT NULL, AmountKg DECIMAL(6,2) NOT NULL, PRIMARY KEY (BeerID, IngredientID), FOREIGN KEY (BeerID) REFERENCES Beer (BeerID), FOREIGN KEY (IngredientID) REFERENCES Ingredient (IngredientID))',
    'CREATE TABLE Batch (BatchID INT PRIMARY KEY, BeerID INT NOT NULL, BrewerID INT NOT NULL, BrewDate DATE NOT NULL, VolumeLitres INT NOT NULL, Passed CHAR(1) NOT NULL, FOREIGN KEY (BeerID) REFERENCES Beer (BeerID), FOREIGN KEY (BrewerID) REFERENCES Brewer (BrewerID))',
    'CREATE TABLE Tasting (TastingID INT PRIMARY KEY, BatchID INT NOT NULL, TasterName VARCHAR(60) NOT NULL, Score INT NOT NULL, FOREIGN KEY (BatchID) REFERENCES Batch (BatchID))',
    insert('Brewer', [
      [1, 'Otto Kranz', '2009-04-01', 'Bamberg'],
      [2, 'Lena Voss', '2014-10-15', 'Kulmbach'],
      [3, 'Milan Dvorak', '2018-02-01', 'Pilsen'],
      [4, 'Greta Holm', '2022-07-11', 'Bamberg'],
      [5, 'Jonas Pohl', '2024-01-08', 'Erlangen'],
    ]),
    insert('Beer', [
      [1, 'Night Train', 'Stout', 7.2, 38, 4.9],
      [2, 'Golden Gate', 'Pilsner', 4.8, 32, 3.2],
      [3, 'Harvest Moon', 'Wheat', 5.3, 14, 3.5],
      [4, 'Hop Circus', 'IPA', 6.6, 68, 5.1],
      [5, 'Amber Alley', 'Ale', 5, 28, 3.8],
      [6, 'Black Abbot', 'Stout', 9.1, 52, 6.4],
      [7, 'Sea Breeze', 'Pilsner', 4.4, 25, 3.1],
      [8, 'Little Sister', 'IPA', 3.9, 41, 4.2],
      [9, 'Lazy Monk', 'Wheat', 5.6, 12, 3.9],
    ]),
    insert('Ingredient', [
      [1, 'Pale Malt', 'malt', 1.1, 'Weyer'],
      [2, 'Roast Barley', 'malt', 1.9, 'Weyer'],
      [3, 'Saaz', 'hop', 22.5, 'Hopfenring'],
      [4, 'Citra', 'hop', 38, 'Yakima Co'],
      [5, 'Wheat Malt', 'malt', 1.3, 'Ireks'],
      [6, 'Lager Yeast', 'yeast', 64, 'Ferma'],
      [7, 'Ale Yeast', 'yeast', 58, 'Ferma'],
      [8, 'Mosaic', 'hop', 35.5, 'Yakima Co'],
      [9, 'Coriander', 'spice', 9, 'Ireks'],
      [10, 'Orange Peel', 'spice', 7.5, 'Spice Route'],
    ]),
    insert('RecipeItem', [
      [1, 1, 190],
      [1, 2, 42],
      [1, 7, 1.1],
      [2, 1, 205],
      [2, 3, 2.6],
      [2, 6, 1.4],
      [3, 1, 88],
      [3, 5, 110],
      [3, 7, 1.2],
      [4, 1, 230],
      [4, 4, 6.1],
      [4, 8, 3.7],
      [4, 7, 1.5],
      [5, 1, 185],
      [5, 3, 1.8],
      [6, 1, 270],
      [6, 2, 71],
      [7, 1, 172],
      [7, 3, 2.1],
      [8, 4, 4.2],
      [8, 1, 120],
    ]),
    fill('Batch', 30, (index) => [
      pick([2, 1, 4, 2, 3, 2, 5, 4, 1, 7, 2], index),
      pick([1, 2, 1, 3, 1, 2, 4], index),
      dayBefore(5 + index * 19),
      900 + ((index * 370) % 2_650),
      pick(['Y', 'Y', 'N', 'Y', 'Y', 'Y', 'N'], index),
    ]),
    fill('Tasting', 44, (index) => [
      1 + ((index * 7) % 27),
      pick(['Rudi', 'Elke', 'Bea', 'Rudi', 'Kai'], index),
      41 + ((index * 29) % 57),
    ]),
  ],
  questions: [
    ['Show the name and style of every beer.', 'SELECT BeerName, Style FROM Beer'],
    ['How many different styles do we brew?', 'SELECT COUNT(DISTINCT Style) FROM Beer'],
    ['What is the price of Hop Circus?', "SELECT RetailPrice FROM Beer WHERE BeerName = 'Hop Circus'"],
    [
      'Which beers are stronger than 6 percent or more bitter than 40? List their names.',
      'SELECT BeerName FROM Beer WHERE AlcoholPercent > 6 OR Bitterness > 40',
    ],
    [
      'What is the average price of the beers of each style?',
      'SELECT Style, AVG(RetailPrice) FROM Beer GROUP BY Style',
    ],
    [
      'Find the names of the three least bitter beers.',
      'SELECT BeerName FROM Beer ORDER BY Bitterness LIMIT 3',
    ],
    [
      'What ingredients go into Harvest Moon, and how much of each?',
      "SELECT i.IngredientName, r.AmountKg FROM Ingredient i JOIN RecipeItem r ON r.IngredientID = i.IngredientID JOIN Beer b ON b.BeerID = r.BeerID WHERE b.BeerName = 'Harvest Moon'",
    ],
    [
      'How many batches has each brewer made? Show their names as well.',
      'SELECT w.BrewerName, COUNT(*) FROM Brewer w JOIN Batch a ON a.BrewerID = w.BrewerID GROUP BY w.BrewerID',
      'SELECT w.BrewerName, COUNT(a.BatchID) FROM Brewer w LEFT JOIN Batch a ON a.BrewerID = w.BrewerID GROUP BY w.BrewerID',
    ],
    [
      'Which ingredients are not used in any recipe?',
      'SELECT IngredientName FROM Ingredient WHERE IngredientID NOT IN (SELECT IngredientID FROM RecipeItem)',
      'SELECT * FROM Ingredient WHERE IngredientID NOT IN (SELECT IngredientID FROM RecipeItem)',
    ],
    [
      'What are the names of beers whose alcohol is above the average of all beers?',
      'SELECT BeerName FROM Beer WHERE AlcoholPercent > (SELECT AVG(AlcoholPercent) FROM Beer)',
    ],
    [
      'Which suppliers deliver both malt and spice?',
      "SELECT SupplierName FROM Ingredient WHERE Kind = 'malt' INTERSECT SELECT SupplierName FROM Ingredient WHERE Kind = 'spice'",
    ],
    [
      'Find the brewer who brewed the greatest total volume; give the name and the litres.',
      'SELECT w.BrewerName, SUM(a.VolumeLitres) FROM Brewer w JOIN Batch a ON a.BrewerID = w.BrewerID GROUP BY w.BrewerID ORDER BY SUM(a.VolumeLitres) DESC LIMIT 1',
    ],
    [
      'What are the home towns of brewers who had a batch that did not pass (N)?',
      "SELECT DISTINCT w.HomeTown FROM Brewer w JOIN Batch a ON a.BrewerID = w.BrewerID WHERE a.Passed = 'N'",
    ],
    [
      'What is the average tasting score of each beer? List beer name and average, best first.',
      'SELECT b.BeerName, AVG(t.Score) FROM Beer b JOIN Batch a ON a.BeerID = b.BeerID JOIN Tasting t ON t.BatchID = a.BatchID GROUP BY b.BeerID ORDER BY AVG(t.Score) DESC',
    ],
  ],
};
