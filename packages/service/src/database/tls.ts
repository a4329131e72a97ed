import { readFileSync } from 'node:fs';
import { Socket } from 'node:net';
import { ConfigError } from '@sluice/system';

/** The parameters of a database's address that TLS is decided by. */
const parameters = ['ssl', 'sslmode', 'sslrootcert', 'sslcert', 'sslkey'] as const;
/** Those of libpq that pg verifies all the same, and those of pg itself. */
const verifiedModes = ['prefer', 'require', 'verify-ca', 'verify-full', 'true', '1'];
const plainModes = ['disable', 'false', '0'];

export interface DatabaseAddress {
  DATABASE_URL: string;
  DATABASE_TLS_CA_FILE?: string | undefined;
}

/**
 * The address of a database with what its settings say about TLS: with `DATABASE_TLS_CA_FILE` that is `sslmode=verify-full`, which
 * libpq's programs read too.
 * @throws ConfigError where the address says otherwise
 */
export function databaseUrl({ DATABASE_URL, DATABASE_TLS_CA_FILE: file }: DatabaseAddress): string {
  if (file === undefined) return DATABASE_URL;
  const url = new URL(DATABASE_URL);
  const mode = url.searchParams.get('sslmode') ?? url.searchParams.get('ssl');
  const rootFile = url.searchParams.get('sslrootcert') ?? file;
  if ((mode !== null && !verifiedModes.includes(mode)) || rootFile !== file)
    throw new ConfigError(
      'The configuration is not usable:\n  DATABASE_TLS_CA_FILE: the address of the database says something else by ssl, sslmode or sslrootcert',
    );
  url.searchParams.delete('ssl');
  url.searchParams.set('sslmode', 'verify-full');
  url.searchParams.set('sslrootcert', file);
  return url.href;
}

/**
 * The same for libpq's programs, to which other modes than `verify-full` and `disable` mean less; the password goes by `PGPASSWORD`.
 * Without a CA the well-known ones of the system count.
 */
export function libpqConnection(address: string): { url: string; password: string } {
  const url = new URL(address);
  const password = decodeURIComponent(url.password);
  url.password = '';
  const mode = url.searchParams.get('sslmode') ?? url.searchParams.get('ssl');
  const files = ['sslrootcert', 'sslcert', 'sslkey'].some((name) => url.searchParams.has(name));
  if (mode === null && !files) return { url: url.href, password };
  url.searchParams.delete('ssl');
  if (plainModes.includes(mode ?? '')) url.searchParams.set('sslmode', 'disable');
  else if (mode === 'no-verify') url.searchParams.set('sslmode', 'require');
  else {
    url.searchParams.set('sslmode', 'verify-full');
    if (!url.searchParams.has('sslrootcert')) url.searchParams.set('sslrootcert', 'system');
  }
  return { url: url.href, password };
}

interface Secured {
  connectionString: string;
  ssl?: false | Record<string, unknown>;
  stream?: () => Socket;
}

/**
 * How pg connects to an address. All modes but `disable` and `no-verify` verify the authority and the host, whichever version of pg it
 * is, and none goes on without TLS. Files are read at each connection, so a file that is replaced counts from the next one on.
 * @throws Error for an unknown mode
 */
export function securedConnection(address: string): Secured {
  const url = new URL(address);
  const given = parameters.filter((name) => url.searchParams.has(name));
  if (given.length === 0) return { connectionString: address };
  const [ssl, sslmode, ...files] = parameters.map((name) => url.searchParams.get(name) ?? undefined);
  for (const name of given) url.searchParams.delete(name);
  const connectionString = url.href;
  const mode = sslmode ?? ssl ?? 'verify-full';
  if (plainModes.includes(mode)) return { connectionString, ssl: false };
  if (mode === 'no-verify') return { connectionString, ssl: { rejectUnauthorized: false } };
  if (!verifiedModes.includes(mode))
    throw new Error(
      `sslmode=${mode} in the address of the database: it is one of disable, verify-full, no-verify`,
    );
  return { connectionString, ...verifiedBy(files) };
}

function verifiedBy(files: readonly (string | undefined)[]): Pick<Secured, 'ssl' | 'stream'> {
  let contents: (Buffer | undefined)[] = [];
  return {
    ssl: {
      // read when the server has agreed to TLS, where an error could not be caught any more
      get ca() {
        return contents[0];
      },
      get cert() {
        return contents[1];
      },
      get key() {
        return contents[2];
      },
    },
    stream: () => {
      const socket = new Socket();
      try {
        contents = files.map((file) => (file === undefined ? undefined : readFileSync(file)));
      } catch (error) {
        const { message } = error as Error;
        const failure = new UnusableTlsFile(`a file for TLS to the database: ${message}`, { cause: error });
        socket.connect = () => socket.destroy(failure);
      }
      return socket;
    },
  };
}

class UnusableTlsFile extends Error {}

/**
 * Whether there is no secured connection: a certificate that is not valid now, not for this host, or of another authority, a server
 * without TLS, or a file that cannot be read. The operator can mend each of them while services wait.
 */
export function isTlsFailure(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  const { code = '' } = error as NodeJS.ErrnoException;
  return (
    error instanceof UnusableTlsFile ||
    /CERT|^ERR_(SSL|TLS|OSSL)_|^UNABLE_TO_|^EPROTO$/.test(code) ||
    /^The server does not support SSL connections|establishing an SSL connection/.test(error.message)
  );
}
