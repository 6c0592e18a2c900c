import { ownMember } from '@rowhouse/schema-model';

/** The columns that an adjective such as `old` measures. */
export interface Measure {
  /**
   * The names of columns, with the most probable first. A `-` before a name means a reversed scale, such as a
   * birth date for `old`.
   */
  readonly columns: readonly string[];
  /**
   * `up` means that a higher value of the column means more of the adjective, such as a higher age for `old`.
   * `down` means that it means less.
   */
  readonly direction: 'up' | 'down';
}

const UP: Readonly<Record<string, readonly string[]>> = {
  old: [
    'age',
    '-birth date',
    '-date birth',
    '-birthday',
    '-birth year',
    '-year',
    '-founded',
    '-founded year',
    '-year founded',
    '-opened year',
    '-year opened',
    '-built year',
    '-year built',
    '-established year',
    '-year established',
    '-date formed',
    '-formed',
    '-date',
    '-built',
    '-opened',
    '-established',
    '-created at',
    '-created',
    '-time',
    '-release date',
    '-added',
  ],
  tall: ['height'],
  high: ['height', 'elevation', 'altitude', 'prominence'],
  long: ['length', 'duration', 'runtime', 'distance', 'time', 'millisecond', 'page', 'page count'],
  heavy: ['weight', 'mass'],
  expensive: ['price', 'cost', 'rate', 'fee', 'rent', 'fare'],
  costly: ['cost', 'price'],
  pricey: ['price', 'cost'],
  large: ['size', 'area', 'capacity', 'population', 'square foot', 'total', 'amount'],
  big: ['size', 'area', 'capacity', 'population', 'amount'],
  fast: ['speed', '-time', '-duration'],
  rich: ['net worth', 'wealth', 'income', 'money'],
  wealthy: ['net worth', 'wealth'],
  recent: ['date', 'year', 'time', 'created at'],
  new: ['date', 'year', 'founded', 'created at', 'time'],
  late: ['date', 'year', 'time', 'created at'],
  latest: ['date', 'year', 'time', 'created at'],
  deep: ['depth'],
  wide: ['width'],
  hot: ['temperature'],
  warm: ['temperature'],
  strong: ['strength', 'power', 'speed'],
  powerful: ['power', 'horsepower'],
  populous: ['population'],
  crowded: ['population', 'capacity'],
  populated: ['population'],
  experienced: ['experience', 'year experience'],
  profitable: ['profit'],
  distant: ['distance'],
  loud: ['volume'],
  valuable: ['value', 'price', 'market value'],
  spacious: ['area', 'capacity', 'size'],
  paid: ['salary'],
};
const DOWN: Readonly<Record<string, readonly string[]>> = {
  young: [
    'age',
    '-birth date',
    '-date birth',
    '-birthday',
    '-birth year',
    '-founded',
    '-founded year',
    '-year founded',
    '-established',
    '-date formed',
    '-formed',
  ],
  short: ['height', 'length', 'duration', 'distance', 'time', 'runtime', 'page', 'page count'],
  light: ['weight'],
  cheap: ['price', 'cost', 'rate', 'fee', 'rent', 'fare'],
  inexpensive: ['price', 'cost'],
  affordable: ['price', 'cost'],
  small: ['size', 'area', 'capacity', 'population', 'square foot', 'amount'],
  slow: ['speed', '-time', '-duration'],
  poor: ['net worth', 'income', 'money'],
  early: ['date', 'year', 'time', 'created at'],
  low: ['height', 'elevation', 'altitude'],
  shallow: ['depth'],
  narrow: ['width'],
  cold: ['temperature'],
  near: ['distance'],
  close: ['distance'],
  ancient: ['year', 'founded', 'built'],
  light_weight: ['weight'],
};

const FORMS: ReadonlyMap<string, { readonly base: string; readonly degree: 'plain' | 'more' | 'most' }> =
  listForms();

function listForms(): ReadonlyMap<string, { base: string; degree: 'plain' | 'more' | 'most' }> {
  const forms = new Map<string, { base: string; degree: 'plain' | 'more' | 'most' }>();
  for (const base of [...Object.keys(UP), ...Object.keys(DOWN)]) {
    const stem = /[^aeiou]y$/.test(base)
      ? `${base.slice(0, -1)}i`
      : /^(big|hot)$/.test(base)
        ? `${base}${base.slice(-1)}`
        : base.replace(/e$/, '');
    forms.set(base, { base, degree: 'plain' });
    forms.set(`${stem}er`, { base, degree: 'more' });
    forms.set(`${stem}est`, { base, degree: 'most' });
  }
  forms.set('elder', { base: 'old', degree: 'more' });
  forms.set('eldest', { base: 'old', degree: 'most' });
  forms.set('latest', { base: 'late', degree: 'most' });
  return forms;
}

/**
 * Returns the measure and the degree of an adjective, such as `most` for `oldest`. Returns null for other
 * words.
 */
export function readAdjective(
  lower: string,
): { readonly measure: Measure; readonly degree: 'plain' | 'more' | 'most' } | null {
  const form = FORMS.get(lower);
  if (form === undefined) return null;
  const up = UP[form.base];
  const down = DOWN[form.base];
  if (up !== undefined) return { measure: { columns: up, direction: 'up' }, degree: form.degree };
  return down === undefined ? null : { measure: { columns: down, direction: 'down' }, degree: form.degree };
}

const VERB_MEASURES: Readonly<Record<string, readonly string[]>> = {
  cost: ['price', 'cost', 'fee', 'rate', 'rent', 'fare'],
  make: ['salary', 'wage', 'income', 'earning', 'pay'],
  earn: ['salary', 'wage', 'income', 'earning', 'earn', 'pay'],
  weigh: ['weight'],
  last: ['duration', 'length', 'runtime'],
  seat: ['capacity', 'seating', 'seat'],
  accommodate: [
    'capacity',
    'occupancy',
    'maximum occupancy',
    'maximum participant',
    'maximum guest',
    'maximum person',
  ],
  hold: ['capacity'],
  carry: ['load', 'maximum load', 'payload', 'capacity'],
};
const RATED_COLUMNS: Readonly<Record<string, readonly string[]>> = {
  paid: ['salary', 'wage', 'pay', 'income', 'earning'],
  earning: ['salary', 'wage', 'income', 'earning', 'earn'],
  rated: ['rating', 'star', 'score', 'rate'],
  scoring: ['score', 'point'],
  scored: ['score', 'point'],
  priced: ['price', 'cost'],
  ranked: ['-rank', '-ranking'],
  ranking: ['-rank', '-ranking'],
};

/**
 * Returns the columns that the second word of `highest paid` or `best rated` measures. Returns null for other
 * words.
 */
export function readRated(lower: string): readonly string[] | null {
  return ownMember(RATED_COLUMNS, lower) ?? null;
}

const VERB_FORMS: ReadonlyMap<string, readonly string[]> = new Map(
  Object.entries(VERB_MEASURES).flatMap(([verb, columns]) =>
    [verb, `${verb}s`, `${verb}ing`, `${verb}ed`].map(
      (form) => [form.replace(/eing$/, 'ing').replace(/eed$/, 'ed'), columns] as const,
    ),
  ),
);

/** Returns the columns that a verb such as `cost` or `earns` measures. Returns null for other words. */
export function readVerbMeasure(lower: string): Measure | null {
  const columns = VERB_FORMS.get(lower);
  return columns === undefined ? null : { columns, direction: 'up' };
}

/** The columns that `room for` measures. They are the same as for `accommodate`. */
export const CAPACITY_MEASURE: Measure = { columns: VERB_MEASURES['accommodate'] ?? [], direction: 'up' };

/**
 * Reports whether a number after the word is a number of guests, as in `accommodate 20 people`, `seat 20
 * people` and `room for 20 people`.
 */
export function takesGuests(lower: string): boolean {
  return /^(?:seat|accommodat|room$|space$)/.test(lower);
}
