// @ts-check
import { CAR_RENTAL } from './car-rental.mjs';
import { CLINIC } from './clinic.mjs';
import { GYM } from './gym.mjs';
import { HAULAGE } from './haulage.mjs';
import { HELP_DESK } from './help-desk.mjs';
import { HOTEL } from './hotel.mjs';
import { LIBRARY } from './library.mjs';
import { SCHOOL } from './school.mjs';

/** @type {readonly import('./rows.mjs').InventedSet[]} */
export const INVENTED = [CLINIC, LIBRARY, CAR_RENTAL, SCHOOL, HOTEL, GYM, HELP_DESK, HAULAGE];
