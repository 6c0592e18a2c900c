const IE_PLURALS: ReadonlySet<string> = new Set([
  'movies',
  'cookies',
  'calories',
  'zombies',
  'brownies',
  'selfies',
  'rookies',
  'newbies',
  'foodies',
  'hoodies',
  'smoothies',
  'veggies',
  'goalies',
  'genies',
  'birdies',
  'sorties',
  'prairies',
  'eyries',
  'ties',
  'pies',
  'dies',
  'lies',
]);

/**
 * Returns whether an English plural in `-ies` belongs to a word in `-ie`, such as `movies`. All others belong
 * to words in `-y`. Ignores case.
 */
export function isIePlural(word: string): boolean {
  return IE_PLURALS.has(word.toLowerCase());
}
