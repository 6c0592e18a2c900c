const AFFIXES: readonly RegExp[] = [
  // fk_artist, id_artist; fkArtist, idArtist.
  /^(?:fk|id)_(?=.)/i, /^(?:fk|id|FK)(?=[A-Z][a-z])/,
  // artist_id, artist_fk; artistId, ArtistID, artistFk.
  /(?<=.)_(?:id|fk)$/i, /(?<=[a-z0-9])(?:Id|ID|Fk|FK)$/,
];

/**
 * Returns the name of a foreign key's column without what says that it is a key: `artist` for `artist_id`, `fk_artist`,
 * `idArtist`, `artist_fk` and `artistId`, and `Artist` for `ArtistId`. Other names come back as they are.
 */
export function cutKeyAffixes(column: string): string {
  const cut = AFFIXES.reduce((name, affix) => name.replace(affix, ''), column);
  return /^(?:fk|id)[A-Z]/.test(column) ? cut.charAt(0).toLowerCase() + cut.slice(1) : cut;
}
