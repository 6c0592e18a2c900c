// @ts-check
/**
 * The exact versions of the npm packages that the JavaScript recipes of docs/tools.md use.
 * @type {Record<string, string>}
 */
export const NPM_PACKAGES = {
  mysql2: '3.24.6',
  mariadb: '3.5.4',
  'drizzle-orm': '0.45.4',
  'drizzle-kit': '0.31.11',
  typeorm: '1.1.1',
  'reflect-metadata': '0.2.2',
  sequelize: '6.37.8',
  knex: '3.3.0',
  kysely: '0.28.19',
  '@mikro-orm/core': '6.6.16',
  '@mikro-orm/mysql': '6.6.16',
  prisma: '7.10.1',
  '@prisma/client': '7.10.0',
  '@prisma/adapter-mariadb': '7.10.0',
};
