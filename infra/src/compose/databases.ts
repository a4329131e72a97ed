import { ensureDatabases } from '../databases.ts';
import { home, postgres, services, superuserPassword } from './installation.ts';

/** Makes the database and the role of each service, where they are not there yet. */
const superuser = `postgresql://postgres:${await superuserPassword()}@${postgres}/postgres`;
await ensureDatabases(superuser, home, services);
