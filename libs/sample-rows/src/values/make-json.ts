import type { ValueContext } from './value-context.js';
import { WORDS } from './words.js';

type JsonMaker = (ctx: ValueContext) => unknown;

const LISTS = /(^|_)(tags|labels|keywords|roles|items|options|values|list|categories|topics)$/;
const SETTINGS = /(^|_)(settings|preferences|config|configuration|flags|features)$/;
const ADDRESSES = /address$/;

const makeList: JsonMaker = ({ random }) =>
  Array.from({ length: random.between(1, 3) }, () => random.pick(WORDS.topics).toLowerCase());
const makeSettings: JsonMaker = ({ random }) => ({
  theme: random.pick(['light', 'dark']),
  notifications: random.chance(70),
  language: random.pick(WORDS.languages),
});
const makeAddress: JsonMaker = ({ random }) => ({
  street: `${random.between(1, 180)} ${random.pick(WORDS.streets)}`,
  city: random.pick(WORDS.cities),
  country: random.pick(WORDS.countryCodes),
});
const makeObject: JsonMaker = ({ random, ordinal }) => ({
  source: random.pick(['web', 'app', 'import']),
  number: ordinal,
  color: random.pick(WORDS.colors),
});

const MAKERS: readonly (readonly [RegExp, JsonMaker])[] = [
  [LISTS, makeList],
  [SETTINGS, makeSettings],
  [ADDRESSES, makeAddress],
  [/./, makeObject],
];

/** Returns a JSON document that is plausible for the name of the column. */
export function makeJson(ctx: ValueContext): string {
  return JSON.stringify((MAKERS.find(([words]) => words.test(ctx.name))?.[1] ?? makeObject)(ctx));
}
