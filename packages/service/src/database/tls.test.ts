import { copyFile } from 'node:fs/promises';
import { join } from 'node:path';
import {
  ownPostgres,
  serverCertificates,
  showCertificate,
  silentLog,
  testFolder,
  type OwnServer,
  type ServerCertificates,
} from '@sluice/testing';
import pg from 'pg';
import { connectionOptions, createPool } from './postgres.ts';
import { isTransient } from './sql.ts';
import { databaseUrl } from './tls.ts';

let folder: string;
let server: OwnServer;
let certificates: ServerCertificates;
beforeAll(async () => {
  folder = await testFolder();
  [server, certificates] = await Promise.all([ownPostgres(), serverCertificates(folder)]);
});
afterAll(() => server.remove());

const addressWith = (parameters: Record<string, string>) => {
  const url = new URL(server.url);
  for (const [name, value] of Object.entries(parameters)) url.searchParams.set(name, value);
  return url.href;
};
const trusting = (ca: string) => databaseUrl({ DATABASE_URL: server.url, DATABASE_TLS_CA_FILE: ca });

/** Whether the connection is encrypted, as the server says; or why there is none. */
async function connect(url: string): Promise<boolean | string> {
  const client = new pg.Client(connectionOptions(url));
  client.on('error', () => undefined);
  try {
    await client.connect();
    const { rows } = await client.query<{ ssl: boolean }>(
      'SELECT ssl FROM pg_stat_ssl WHERE pid = pg_backend_pid()',
    );
    return rows[0]?.ssl ?? false;
  } catch (error) {
    // a start waits for what is transient
    return isTransient(error) ? String(error) : `not transient: ${String(error)}`;
  } finally {
    await client.end();
  }
}

test('the authority and the host of a certificate are verified, and there is no way around', async () => {
  await showCertificate(server, certificates.valid);
  expect(await connect(trusting(certificates.ca))).toBe(true);
  expect(await connect(server.url)).toBe(false);
  expect(await connect(trusting(certificates.otherCa))).toMatch(/unable to verify|self-signed|local issuer/);
  expect(await connect(trusting(join(folder, 'none.crt')))).toMatch(/a file for TLS .* ENOENT: .*none\.crt/);
  // of an authority that is not well known
  expect(await connect(addressWith({ sslmode: 'verify-full' }))).toMatch(/unable to verify|local issuer/);

  await showCertificate(server, certificates.foreign);
  expect(await connect(trusting(certificates.ca))).toMatch(/IP: 127\.0\.0\.1 is not in the cert's list/);

  await showCertificate(server, certificates.expired);
  expect(await connect(trusting(certificates.ca))).toMatch(/certificate has expired/);

  await showCertificate(server, undefined);
  expect(await connect(trusting(certificates.ca))).toMatch(/The server does not support SSL connections/);
});

test.each(['prefer', 'require', 'verify-ca', 'verify-full'])(
  'sslmode=%s verifies, whichever version of pg it is',
  async (sslmode) => {
    await showCertificate(server, certificates.valid);
    expect(await connect(addressWith({ sslmode }))).toMatch(/unable to verify|local issuer/);
    expect(await connect(addressWith({ sslmode, sslrootcert: certificates.ca }))).toBe(true);
    await showCertificate(server, certificates.foreign);
    expect(await connect(addressWith({ sslmode, sslrootcert: certificates.ca }))).toMatch(/not in the cert/);
    await showCertificate(server, undefined);
    expect(await connect(addressWith({ sslmode, sslrootcert: certificates.ca }))).toMatch(/support SSL/);
  },
);

test('a mode that does not exist is refused, and so is a CA beside an address that goes without', () => {
  expect(() => connectionOptions(addressWith({ sslmode: 'verify' }))).toThrow(
    /sslmode=verify .* one of disable/,
  );
  for (const parameters of [
    { sslmode: 'disable' },
    { sslmode: 'no-verify' },
    { sslrootcert: '/other.crt' },
  ] as Record<string, string>[])
    expect(() =>
      databaseUrl({ DATABASE_URL: addressWith(parameters), DATABASE_TLS_CA_FILE: certificates.ca }),
    ).toThrow(/DATABASE_TLS_CA_FILE: the address of the database says something else/);
});

test('a pool takes a replaced CA over with its next connection', async () => {
  await showCertificate(server, certificates.valid);
  const ca = join(folder, 'current.crt');
  await copyFile(certificates.otherCa, ca);
  const pool = createPool(trusting(ca), 2, silentLog());
  try {
    await expect(pool.query('SELECT')).rejects.toThrow(/unable to verify|local issuer/);
    await copyFile(certificates.ca, ca);
    expect((await pool.query('SELECT')).rowCount).toBe(1);
  } finally {
    await pool.end();
  }
});
