import { execFile, spawn } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { once } from 'node:events';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { createAuthority, issueCertificate } from '@sluice/system/authority';
import { testFolder } from './folder.ts';
import { distinctPorts, keptInCache } from './optional-servers.ts';

const run = promisify(execFile);

/** the authority that Let's Encrypt tests clients with, and a name server whose records can be set; they want Go */
const release = 'v2.10.1';
const programs = ['pebble', 'pebble-challtestsrv'];

/** Pebble, and the name server that it asks. */
export interface Pebble {
  port: number;
  /** where Pebble tells what is not for clients, such as its root */
  managementPort: number;
  dnsPort: number;
  /** where records of the name server are set */
  dnsManagementPort: number;
  /** PEM: what to trust when speaking to Pebble, and a pair of that authority for a proxy before it */
  tls: { ca: string; certificate: string; private_key: string };
  stop(): Promise<void>;
}

export interface PebbleOptions {
  /** of a hundred good nonces so many are refused */
  refusedNonces?: number;
  /** names for which it issues nothing */
  blockedNames?: readonly string[];
  /** customers whom it takes alone, by their key's id */
  customers?: Readonly<Record<string, string>>;
}

/**
 * Starts Pebble. It is fetched through Go's module proxy at its first use, which takes a minute, and kept in `.cache`. Null, after one line
 * that says so, on a machine without Go that is not to have run all tests.
 */
export async function startPebble(options: PebbleOptions = {}): Promise<Pebble | null> {
  const folder = await pebbleFolder().catch((error: unknown) => error);
  if (typeof folder === 'string') return await start(folder, options);
  if (process.env.CI) throw folder;
  console.warn(
    `Tests of public authorities are left out, since Pebble could not be built: ${String(folder)}`,
  );
  return null;
}

const pebbleFolder = () =>
  keptInCache(`pebble-${release}`, 'pebble', async (workshop) => {
    const sources = programs.map((program) => `github.com/letsencrypt/pebble/v2/cmd/${program}@${release}`);
    const env = { ...process.env, GOBIN: workshop, GOFLAGS: '-trimpath' };
    await run('go', ['install', ...sources], { env, cwd: workshop, timeout: 600_000 });
  });

async function start(programFolder: string, options: PebbleOptions): Promise<Pebble> {
  const [port = 0, managementPort = 0, dnsPort = 0, dnsManagementPort = 0] = await distinctPorts(4);
  const tls = await listenerPair();
  const folder = await testFolder();
  const file = async (name: string, content: string) => {
    await writeFile(join(folder, name), content, { mode: 0o600 });
    return join(folder, name);
  };
  const config = await file(
    'pebble.json',
    JSON.stringify({
      pebble: {
        listenAddress: `127.0.0.1:${port}`,
        managementListenAddress: `127.0.0.1:${managementPort}`,
        certificate: await file('certificate.pem', tls.certificate),
        privateKey: await file('key.pem', tls.private_key),
        keyAlgorithm: 'ecdsa',
        domainBlocklist: options.blockedNames ?? [],
        externalAccountBindingRequired: options.customers !== undefined,
        externalAccountMACKeys: options.customers ?? {},
        profiles: { default: { description: 'for tests', validityPeriod: 90 * 24 * 60 * 60 } },
      },
    }),
  );
  const dns = `127.0.0.1:${dnsPort}`;
  const records = spawn(
    join(programFolder, 'pebble-challtestsrv'),
    [
      ...['-dnsserver', dns, '-management', `127.0.0.1:${dnsManagementPort}`],
      ...['-http01', '', '-https01', '', '-tlsalpn01', '', '-doh', ''],
    ],
    { stdio: 'ignore' },
  );
  const authority = spawn(join(programFolder, 'pebble'), ['-config', config, '-dnsserver', dns], {
    stdio: 'ignore',
    env: {
      PEBBLE_VA_NOSLEEP: '1',
      PEBBLE_AUTHZREUSE: '0',
      PEBBLE_WFE_ORDERS_PER_PAGE: '1000',
      PEBBLE_WFE_NONCEREJECT: String(options.refusedNonces ?? 0),
    },
  });
  const ended = [records, authority].map((child) => once(child, 'exit'));
  return {
    ...{ port, managementPort, dnsPort, dnsManagementPort, tls },
    async stop() {
      for (const child of [records, authority]) child.kill('SIGKILL');
      await Promise.all(ended);
    },
  };
}

/** What Pebble shows itself by; not what it issues certificates with. */
async function listenerPair(): Promise<Pebble['tls']> {
  const validity = { from: new Date(), days: 30 };
  const authority = await createAuthority('Pebble of tests', validity);
  const names = { dns: ['localhost'], addresses: ['127.0.0.1'] };
  return { ca: authority.certificate, ...(await issueCertificate(authority, names, validity)) };
}
