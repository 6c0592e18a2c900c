/**
 * The gateways by how high each scores for a database (highest random weight): the same list for whoever asks, in whatever
 * order the gateways are given, and without the others' places moving when one comes or goes.
 */
export function rankGateways<Gateway extends { readonly name: string }>(databaseId: string, gateways: readonly Gateway[]): Gateway[] {
  return gateways
    .map((gateway) => ({ gateway, score: hashText(`${databaseId} ${gateway.name}`) }))
    .sort((one, other) => other.score - one.score || (one.gateway.name < other.gateway.name ? -1 : 1))
    .map(({ gateway }) => gateway);
}

const FNV_OFFSET = 0x811c9dc5;
const FNV_PRIME = 0x01000193;

/** 32 bits: FNV-1a over UTF-16, mixed once more, since texts here differ in their last letters only. */
export function hashText(text: string): number {
  let hash = FNV_OFFSET;
  for (let at = 0; at < text.length; at += 1) hash = Math.imul(hash ^ text.charCodeAt(at), FNV_PRIME);
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
  return (hash ^ (hash >>> 16)) >>> 0;
}
