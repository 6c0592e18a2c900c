import { ownMember } from '@rowhouse/schema-model';
import { wordSet } from './word-set.js';

/** Verbs that only express a request, or that connect nouns without selecting a relationship. */
export const ASKING_VERBS: ReadonlySet<string> = wordSet(`
  list show find give return sorted ordered order sort named called name count display report state include
  including associated corresponding related contain contains containing belong belongs belonging located
  live lives living described known descending ascending using used made starting starts ending begins
  beginning exist available work works working have offered held occur occurs occurred happen happens
  happened exists existed appear appears classified categorized listed recorded found fall falls correspond
  corresponds grouped decreasing increasing involved showing displaying get gets
`);

const VERBS = new Set(
  `own owns owned owning belong belongs belonging belonged use uses used using take takes took taken taking work works worked working live lives lived living play plays played playing
  make makes made making contain contains contained containing include includes included including offer offers offered offering provide provides provided providing enroll enrolls enrolled enrolling
  register registers registered registering attend attends attended attending assign assigned associate associated relate related locate located hold holds held holding host hosts hosted hosting
  write writes wrote written writing publish publishes published publishing produce produces produced producing buy buys bought buying order ordered orders purchase purchased place placed give given gives gave
  direct directed directs sing sings sang sung teach teaches taught teaching manage manages managed managing lead leads led leading run runs ran running serve serves served serving sell sells sold selling
  participate participates participated participating compete competes competed competing perform performs performed performing appear appears appeared appearing join joins joined joining
  operate operates operated operating hire hires hired hiring employ employs employed employing study studies studied studying visit visits visited visiting stay stays stayed staying
  come comes came coming go goes went gone going get gets got gotten receive receives received receiving win wins won winning lose loses lost losing
  correspond corresponds corresponding match matches matched matching involve involves involved involving affect affects affected affecting
  create creates created creating post posts posted posting comment comments commented commenting follow follows followed following review reviews reviewed reviewing rate rates rated
  book books booked booking rent rents rented renting pay pays paid paying invest invests invested investing represent represents represented representing
  supply supplies supplied supplying deliver delivers delivered delivering ship ships shipped build builds built building design designs designed designing
  treat treats treated treating prescribe prescribes prescribed prescribing train trains trained training live reside resides resided residing born
  submit submits submitted submitting request requests requested nominate nominated nominates award awarded elect elected vote voted votes score scored scores
  fly flies flew flown flying depart departs departed departing arrive arrives arrived arriving land lands start starts started begin begins began end ends ended
  store stores stored release released releases record recorded records exhibit exhibited display displayed found established opened issued issue signed sign written bear
  support supports supported need needs needed require requires required fix fixed belong share shares shared link linked connect connected cover covered covers
  mention mentioned describe described name named know known consist consists part complete completed report reports reported reporting friend like likes liked call called exist occur occurs occurred occurring happen happens happened happening enter enters entered advise advises leave leaves left earn earns climb climbs climbed interact file files filed choose chooses chose chosen choosing spend spends spent spending borrow borrows borrowed speak speaks spoke drive drives drove prefer prefers`.split(
    /\s+/,
  ),
);

/** The base forms of verbs that are rarely nouns. Forms with -ed and -ing are recognized without a list. */
const BASE_FORMS =
  'accept achieve acquire add admit adopt agree allow announce apply approve arrange ask become breed bring care carry catch celebrate collect commit compose conduct contribute cook decide defeat define demand deserve develop die discover donate draw earn eat edit enjoy exceed expect explain feed feel fill finish fit forget gain govern grow happen hear help identify inherit injure inspect install introduce invent invite keep kill learn lend listen maintain manufacture marry meet melt merge mix move observe obtain occupy oversee owe paint perform pick possess practise prepare prevent protect prove put qualify raise reach read receive recommend recruit refer reject remain remove rely repair replace rescue respond retire ride save say see seek send settle sit sleep smoke solve specialize sponsor stand steal succeed suffer supervise surround survive swim tell threaten throw try turn understand upload wait walk want wash watch wear weigh worship'.split(
    ' ',
  );
const IRREGULAR_FORMS =
  'became brought caught drawn drew drove driven ate eaten fed felt fought forgot forgotten grew heard hit kept lent lost meant met put rode ridden rose said sat saw seen sent slept sold sought spent spoken stood stole stolen swam swum thought threw thrown told understood woke wore worn'.split(
    ' ',
  );
for (const base of BASE_FORMS)
  for (const form of [
    base,
    /(?:s|sh|ch|x|z|o)$/.test(base)
      ? `${base}es`
      : /[^aeiou]y$/.test(base)
        ? `${base.slice(0, -1)}ies`
        : `${base}s`,
  ])
    VERBS.add(form);
for (const form of IRREGULAR_FORMS) VERBS.add(form);

/** Reports whether the word is a verb form that may connect two nouns. */
export function isVerb(lower: string): boolean {
  return (
    VERBS.has(lower) ||
    ((lower.endsWith('ed') || lower.endsWith('ing')) &&
      /^[a-z]{4,}(ed|ing)$/.test(lower) &&
      !/^(during|including|following|string|thing|something|anything|hundred|bed|red|need|building|king|ring|spring|morning|evening|rating|ranking|meeting|housing|clothing|spelling|beginning|ending|parking|wedding|feed|seed|speed|weed)$/.test(
        lower,
      ))
  );
}

/** Maps verbs in the past tense to words in the names of columns with the date or year of the event. */
const COLUMN_WORDS_OF_EVENT: Readonly<Record<string, readonly string[]>> = {
  born: ['birth', 'born', 'birthday', 'dob'],
  died: ['death', 'died'],
  founded: ['founded', 'foundation', 'founding', 'established', 'start'],
  established: ['established', 'founded', 'foundation'],
  opened: ['open', 'opened', 'opening'],
  built: ['built', 'build', 'construction', 'completed'],
  constructed: ['construction', 'built'],
  released: ['release', 'released'],
  published: ['publication', 'published', 'publish'],
  joined: ['join', 'joined', 'membership', 'registration', 'created', 'start'],
  registered: ['registration', 'register', 'registered', 'created'],
  hired: ['hire', 'hired', 'start', 'join'],
  launched: ['launch', 'launched'],
  made: ['made', 'production', 'created', 'year'],
  produced: ['production', 'produced', 'year'],
  started: ['start', 'started', 'begin', 'from', 'hire', 'hired'],
  began: ['start', 'begin', 'from'],
  ended: ['end', 'ended', 'to'],
  ordered: ['order', 'ordered', 'placed'],
  placed: ['placed', 'order', 'ordered'],
  created: ['created', 'creation'],
  bought: ['purchase', 'bought', 'order'],
  purchased: ['purchase', 'purchased'],
  delivered: ['delivery', 'delivered'],
  paid: ['payment', 'paid'],
  graduated: ['graduation', 'graduated'],
  enrolled: ['enrolment', 'enrollment', 'enrolled'],
  held: ['held', 'date', 'year'],
  won: ['year', 'won'],
  shipped: ['shipment', 'shipped', 'shipping'],
  completed: ['completion', 'completed'],
  arrived: ['arrival', 'arrived'],
  left: ['left', 'leave', 'leaving', 'departure', 'end', 'to'],
  stopped: ['end', 'stop', 'stopped', 'to'],
  renovated: ['renovation', 'renovated'],
  departed: ['departure', 'departed'],
  elected: ['elected', 'election'],
  updated: ['updated', 'update', 'modified'],
  posted: ['posted', 'created'],
  written: ['written', 'created'],
  wrote: ['written', 'created'],
};

/**
 * Returns words in the names of columns that store when the event of a verb in the past tense happened.
 * Returns null for other verbs.
 */
export function listDateWords(lower: string): readonly string[] | null {
  return ownMember(COLUMN_WORDS_OF_EVENT, lower) ?? null;
}

const IRREGULAR_PAST: Readonly<Record<string, string>> = {
  begin: 'began',
  win: 'won',
  make: 'made',
  hold: 'held',
  buy: 'bought',
  pay: 'paid',
  build: 'built',
  write: 'wrote',
  leave: 'left',
  die: 'died',
};

/**
 * Returns the result of `listDateWords` for the past tense of a verb in its base form, such as `start` in
 * `when did it start`.
 */
export function listDateWordsOfBase(lower: string): readonly string[] | null {
  const regular = [lower, `${lower}ed`, `${lower}d`, lower.replace(/y$/, 'ied')];
  return (
    [...regular, ...(Object.hasOwn(IRREGULAR_PAST, lower) ? [IRREGULAR_PAST[lower] ?? lower] : [])]
      .map(listDateWords)
      .find((words) => words !== null) ?? null
  );
}
