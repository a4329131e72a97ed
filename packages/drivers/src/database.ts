import type { Kysely } from 'kysely';

/** The region's database, or a transaction in it. */
export type DriverDatabase = Pick<Kysely<unknown>, 'isTransaction'>;

/** The tables of a driver, which are its own: it touches no other. */
export const withTables = <Tables>(database: DriverDatabase) => database as Kysely<Tables>;
