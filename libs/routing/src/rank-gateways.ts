/**
 * Sorts gateways by their score for a database (rendezvous hashing). The result does not depend on the order
 * of the input. When a gateway is added or removed, the relative order of the others stays the same.
 */
export function rankGateways<Gateway extends { readonly name: string }>(
  databaseId: string,
  gateways: readonly Gateway[],
): Gateway[] {
  return gateways
    .map((gateway) => ({ gateway, score: hashText(`${databaseId} ${gateway.name}`) }))
    .sort((item, other) => other.score - item.score || (item.gateway.name < other.gateway.name ? -1 : 1))
    .map(({ gateway }) => gateway);
}

const FNV_OFFSET = 0x811c9dc5;
const FNV_PRIME = 0x01000193;

/**
 * Returns a 32-bit hash of a text: FNV-1a over UTF-16 code units with a final mix. The mix is needed because
 * the hashed texts often differ only in their last characters.
 */
export function hashText(text: string): number {
  let hash = FNV_OFFSET;
  for (let index = 0; index < text.length; index += 1)
    hash = Math.imul(hash ^ text.charCodeAt(index), FNV_PRIME);
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
  return (hash ^ (hash >>> 16)) >>> 0;
}
