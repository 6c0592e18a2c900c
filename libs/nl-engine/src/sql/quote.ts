export function quote(name: string): string {
  return `\`${name.replaceAll('`', '``')}\``;
}
