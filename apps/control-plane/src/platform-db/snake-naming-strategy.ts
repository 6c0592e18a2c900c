import { DefaultNamingStrategy, type NamingStrategyInterface } from 'typeorm';

/** Maps `createdAt` in code to `created_at` in tables. */
export class SnakeNamingStrategy extends DefaultNamingStrategy implements NamingStrategyInterface {
  override columnName(
    propertyName: string,
    customName: string | undefined,
    embeddedPrefixes: string[],
  ): string {
    return [...embeddedPrefixes, customName ?? toSnake(propertyName)].join('_');
  }
}

function toSnake(name: string): string {
  return name.replaceAll(/([a-z0-9])([A-Z])/g, '$1_$2').toLowerCase();
}
