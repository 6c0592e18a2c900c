const IE_PLURALS: ReadonlySet<string> = new Set([
  'movies', 'cookies', 'calories', 'zombies', 'brownies', 'selfies', 'rookies', 'newbies', 'foodies', 'hoodies', 'smoothies', 'veggies', 'goalies', 'genies', 'birdies', 'sorties', 'prairies', 'eyries', 'ties', 'pies', 'dies', 'lies',
]);

/** Whether an English plural in `-ies` is that of a word in `-ie`: `movies`. All others are of words in `-y`. Any case. */
export function isIePlural(word: string): boolean {
  return IE_PLURALS.has(word.toLowerCase());
}
