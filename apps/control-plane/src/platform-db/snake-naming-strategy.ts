import { DefaultNamingStrategy, type NamingStrategyInterface } from 'typeorm';

/** `createdAt` in code is `created_at` in the table. */
export class SnakeNamingStrategy extends DefaultNamingStrategy implements NamingStrategyInterface {
  override columnName(propertyName: string, customName: string | undefined, embeddedPrefixes: string[]): string {
    return [...embeddedPrefixes, customName ?? toSnake(propertyName)].join('_');
  }
}

function toSnake(name: string): string {
  return name.replaceAll(/([a-z0-9])([A-Z])/g, '$1_$2').toLowerCase();
}
