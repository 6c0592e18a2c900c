const AFFIXES: readonly RegExp[] = [
  // Matches fk_artist, id_artist, fkArtist and idArtist.
  /^(?:fk|id)_(?=.)/i,
  /^(?:fk|id|FK)(?=[A-Z][a-z])/,
  // Matches artist_id, artist_fk, artistId, ArtistID and artistFk.
  /(?<=.)_(?:id|fk)$/i,
  /(?<=[a-z0-9])(?:Id|ID|Fk|FK)$/,
];

/**
 * Returns the name of a foreign-key column without the affix that marks it as a key. The result is `artist`
 * for `artist_id`, `fk_artist`, `idArtist`, `artist_fk` and `artistId`, and `Artist` for `ArtistId`. Other
 * names are returned unchanged.
 */
export function cutKeyAffixes(column: string): string {
  const cut = AFFIXES.reduce((name, affix) => name.replace(affix, ''), column);
  return /^(?:fk|id)[A-Z]/.test(column) ? cut.charAt(0).toLowerCase() + cut.slice(1) : cut;
}
