import type { Kysely } from 'kysely';

export type DriverDatabase = Pick<Kysely<unknown>, 'isTransaction'>;

/** The tables of a driver, which are its own: it touches no other. */
export const withTables = <Tables>(database: DriverDatabase) => database as Kysely<Tables>;
