// @ts-check
import { AUCTION_HOUSE } from './auction-house.mjs';
import { BEEKEEPING } from './beekeeping.mjs';
import { BLOOD_BANK } from './blood-bank.mjs';
import { BOTANICAL_GARDEN } from './botanical-garden.mjs';
import { BREWERY } from './brewery.mjs';
import { CEMETERY } from './cemetery.mjs';
import { CHESS } from './chess.mjs';
import { COURT } from './court.mjs';
import { DIG } from './dig.mjs';
import { DRY_CLEANER } from './dry-cleaner.mjs';
import { ESCAPE_ROOMS } from './escape-rooms.mjs';
import { FIRE_BRIGADE } from './fire-brigade.mjs';
import { FOOD_BANK } from './food-bank.mjs';
import { GLACIERS } from './glaciers.mjs';
import { LIFEBOATS } from './lifeboats.mjs';
import { OBSERVATORY } from './observatory.mjs';
import { PARKING } from './parking.mjs';
import { POWER_GRID } from './power-grid.mjs';
import { SHIPYARD } from './shipyard.mjs';
import { SKI_RESORT } from './ski-resort.mjs';
import { TRANSLATION } from './translation.mjs';
import { ZOO } from './zoo.mjs';

/**
 * The sealed sets of questions. The results of their single questions must not be read (`../README.md`).
 * @type {readonly import('../invented/rows.mjs').InventedSet[]}
 */
export const UNSEEN = [
  AUCTION_HOUSE,
  BEEKEEPING,
  BLOOD_BANK,
  BOTANICAL_GARDEN,
  BREWERY,
  CEMETERY,
  CHESS,
  COURT,
  DIG,
  DRY_CLEANER,
  ESCAPE_ROOMS,
  FIRE_BRIGADE,
  FOOD_BANK,
  GLACIERS,
  LIFEBOATS,
  OBSERVATORY,
  PARKING,
  POWER_GRID,
  SHIPYARD,
  SKI_RESORT,
  TRANSLATION,
  ZOO,
];
