import { existsSync } from 'node:fs';
import { dirname } from 'node:path';
import { fetchDebianProgram, fetchedProgram } from '@sluice/embedded';

/** the release of the servers of tests, and of those that are deployed */
const folder = 'usr/lib/postgresql/17/bin';

/**
 * The folder of pg_dump and pg_restore, to stand on PATH: that of the machine, or Debian's packages, which are fetched at their first use.
 * Null, after one line that says so, on a machine without either that is not to have run all tests.
 */
export async function postgresClient(): Promise<string[] | null> {
  if (existsSync(`/${folder}/pg_dump`)) return [`/${folder}`];
  const program = {
    name: 'postgresql-client',
    packages: ['postgresql-client-17'],
    path: `${folder}/pg_dump`,
    others: [`${folder}/pg_restore`],
  };
  const path = await fetchedProgram(program);
  if (!existsSync(path) && !(await fetchDebianProgram(program))) {
    if (process.env.CI) throw new Error('pg_dump 17 could not be fetched');
    console.warn('Tests with pg_dump are left out: there is no postgresql-client-17');
    return null;
  }
  return [dirname(path)];
}
