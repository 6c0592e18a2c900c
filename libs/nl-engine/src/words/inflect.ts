import { wordMap } from './word-set.js';

/**
 * The maximum number of cached words for each function. Questions always contain new words, so the cache is
 * cleared when it is full.
 */
const WORDS_MAX = 5_000;
const IRREGULAR = wordMap(`
  ids id|people person|persons person|men man|women woman|children child|feet foot|teeth tooth|mice mouse|
  geese goose|data data|media media|criteria criterion|indices index|matrices matrix|analyses analysis|
  movies movie|series series|species species|status status|address address|class class|bus bus|gas gas|
  news news|lens lens|campus campus|bonus bonus|virus virus|always always|process process|access access|
  business business|is be|are be|was be|were be|been be|being be|has have|had have|having have|does do|
  did do|done do|doing do|wives wife|lives live|knives knife|leaves leave|shelves shelf|halves half|
  wolves wolf|caches cache|shoes shoe|courses course|houses house|horses horse|nurses nurse|causes cause|
  cases case|bases base|databases database|phases phase|purchases purchase|licenses license|
  expenses expense|responses response|exercises exercise|warehouses warehouse|releases release|uses use|
  diseases disease|sizes size|prizes prize|enzymes enzyme|aircrafts aircraft|staffs staff|its its|this this|
  his his|us us|yes yes|less less|plus plus|versus versus|bachelors bachelor|taxes tax|boxes box|
  indexes index|heroes hero|potatoes potato|photos photo|buses bus|lenses lens|gases gas|aliases alias|
  atlases atlas|canvases canvas|crises crisis|theses thesis|diagnoses diagnosis|hypotheses hypothesis|
  quizzes quiz
`);

/** Maps variants of spelling to one spelling. */
const SPELLINGS = wordMap(`
  colour color|centre center|enrolment enrollment|programme program|licence license|theatre theater|
  metre meter|litre liter|grey gray|catalogue catalog|labour labor|favourite favorite|honour honor|
  neighbour neighbor|neighbourhood neighborhood|cheque check|cancelled canceled|authorised authorized|
  organiser organizer|jewellery jewelry|defence defense|tyre tire|moustache mustache|ageing aging|
  behaviour behavior|harbour harbor|flavour flavor|fulfilment fulfillment|instalment installment
`);

/**
 * Returns the singular of an English noun, or a verb without the `s` at its end. The word must be in lower
 * case. British spellings become American. The function uses general rules and a list of exceptions.
 */
export const toSingular = memoizeWords((word: string): string => {
  const singular = toBaseForm(word).replace(/isation$/, 'ization');
  return SPELLINGS.get(singular) ?? singular;
});

function toBaseForm(word: string): string {
  const known = IRREGULAR.get(word);
  if (known !== undefined) return known;
  if (word.length < 4 || !word.endsWith('s') || /(ss|us|is|ous)$/.test(word)) return word;
  if (/ies$/.test(word)) return word.length > 4 ? `${word.slice(0, -3)}y` : word.slice(0, -1);
  if (/(sh|ch|x|ss|zz|[lmnprt]us)es$/.test(word)) return word.slice(0, -2);
  if (/oes$/.test(word)) return word.slice(0, -2);
  return word.slice(0, -1);
}

const VERBS = wordMap(`
  taught teach|took take|taken take|wrote write|written write|bought buy|sold sell|made make|held hold|
  won win|lost lose|gave give|given give|got get|ran run|sang sing|sung sing|built build|led lead|
  began begin|begun begin|paid pay|sent send|flew fly|flown fly|drove drive|driven drive|ate eat|eaten eat|
  grew grow|grown grow|knew know|known know|left leave|met meet|saw see|seen see|spent spend|stood stand|
  told tell|went go|gone go|born bear|became become|chose choose|chosen choose|hired hire|lived live|
  used use|based base|publish publication|published publication|publishing publication|publisher publication
`);

/**
 * Returns an approximate root that related verbs and nouns have in common. For `managed`, `manager` and
 * `management`, it is `manag`.
 */
export const toRoot = memoizeWords((word: string): string => {
  const base = VERBS.get(word) ?? toSingular(word);
  if (base.length < 5) return base;
  // This rule gives `prescribed` and `prescription` the same root.
  const written = /^(.+)scri(?:be|bed|bing|ber|ption)$/.exec(base)?.[1];
  if (written !== undefined) return `${written}scrib`;
  // This rule gives `nominated` and `nomination` the same root.
  const stem = base.replace(/at(?:e|ed|ing|ions?|ors?)$/, '');
  if (stem !== base && stem.length >= 3) return stem.replace(/(.)\1$/, '$1');
  const cut = base.replace(/(ations?|ments?|ings?|ances?|ers?|ors?|ions?|eds?|ees?|ed|al|s)$/, '');
  const root = cut.length >= 3 ? cut : base;
  return root.replace(/(.)\1$/, '$1').replace(/[ey]$/, '');
});

/**
 * Returns a function that caches the results of `make`. `make` must depend on nothing except its argument.
 */
export function memoizeWords<T>(make: (word: string) => T): (word: string) => T {
  const known = new Map<string, { readonly created: T }>();
  return (word) => {
    const found = known.get(word);
    if (found !== undefined) return found.created;
    if (known.size >= WORDS_MAX) known.clear();
    const created = make(word);
    known.set(word, { created });
    return created;
  };
}
