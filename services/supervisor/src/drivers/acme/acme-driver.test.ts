import { X509Certificate } from 'node:crypto';
import { idOf, type DeploymentId } from '@sluice/contracts';
import { Schedule } from '@sluice/controller';
import { createLog, migrate, readConfig } from '@sluice/service';
import { openKysely } from '@sluice/service/kysely';
import { secretBox } from '@sluice/system/secrets';
import {
  aDeployment,
  eventually,
  testDatabase,
  testPublicAuthority,
  type TestDatabase,
  type TestPublicAuthority,
} from '@sluice/testing';
import pg from 'pg';
import { Registry } from '@prometheus-io/client';
import { z } from 'zod';
import type { Tables } from '@sluice/region-store/tables';
import { certificatesConformance } from '@sluice/drivers/conformance';
import {
  acmeSettings,
  createPublicAuthority,
  requireAcme,
} from '@sluice/driver-acme/testing/fixtures/internals.ts';
import { HeldBack, type CertificateDriver, type IssuedCertificate } from '@sluice/drivers';
import { renewalsJob } from '../../certificates/renewal-watch.ts';

let server: TestDatabase;
let connections: pg.Pool;
/** undefined where there is none: its tests pass, after one line that says so */
let authority: TestPublicAuthority | null;
let stopping: AbortController;
const now = () => new Date();
const blocked = 'blocked.brokers.example';

beforeAll(async () => {
  authority = await testPublicAuthority({ refusedNonces: 20, blockedNames: [blocked] });
  server = await testDatabase();
  connections = new pg.Pool({ connectionString: server.url, max: 8 });
  await migrate(connections, new URL('../../../migrations/', import.meta.url));
}, 700_000);
afterAll(async () => {
  await connections.end();
  await server.drop();
  await authority?.stop();
});
beforeEach(() => {
  stopping = new AbortController();
});
afterEach(() => {
  stopping.abort();
  if (authority) Object.assign(authority, { fault: undefined, providerStatus: undefined });
});

/** A test with the authority, and with how many orders it has taken meanwhile. */
const withAuthority = (
  name: string,
  body: (ca: TestPublicAuthority, orders: () => number) => Promise<void>,
) =>
  test(name, async () => {
    if (!authority) return;
    const before = authority.orders();
    const ca = authority;
    await body(ca, () => ca.orders() - before);
  });

/** The driver as a replica has it that has just started. */
function replica(ca: TestPublicAuthority, more: Record<string, string> = {}): CertificateDriver {
  const host = {
    database: openKysely<Tables>(connections),
    secrets: secretBox(new Map([['test', new Uint8Array(32)]])),
    ...{ stopping: stopping.signal, log: createLog('test', 'error'), now },
  };
  const driver = createPublicAuthority(host, readConfig(z.object(acmeSettings), { ...ca.settings, ...more }));
  const schedule = new Schedule({ log: createLog('test', 'error'), metrics: new Registry() });
  for (const job of driver.jobs ?? []) schedule.add(job);
  stopping.signal.addEventListener('abort', () => void schedule.stop(), { once: true });
  return driver;
}

const call = () => ({ signal: new AbortController().signal, confirm: () => Promise.resolve() });
const ask = (by: CertificateDriver, deploymentId: DeploymentId, names: string[], former?: string) =>
  by.issue({ deploymentId, names, hosts: [], former }, call());

/** Asks again and again, as the reconciler does, each time somebody else. */
async function obtain(
  next: () => CertificateDriver,
  id: DeploymentId,
  names: string[],
  former?: string,
): Promise<IssuedCertificate> {
  return await eventually(async () => {
    const got = await ask(next(), id, names, former);
    if ('waitingFor' in got) throw new Error(`it waits for ${got.waitingFor}`);
    return got;
  });
}

/** Why it cannot be had; what it waits for is asked again for. */
async function failure(by: CertificateDriver, id: DeploymentId, names: string[]): Promise<Error> {
  return await eventually(async () => {
    const got = await ask(by, id, names).catch((error: unknown) => error);
    if (got instanceof Error) return got;
    throw new Error('it has not failed yet');
  });
}

async function deployment(): Promise<{ id: DeploymentId; names: string[] }> {
  const shape = aDeployment();
  await connections.query(
    `INSERT INTO deployments (id, uid, generation, spec, created_by, username, sealed_password, status, status_changed_at)
     VALUES ($1, gen_random_uuid(), 1, $2, '{}', 'user', 'sealed', 'configuring_certificates', now())`,
    [shape.id, JSON.stringify(shape)],
  );
  const domain = `orders-${shape.id}.brokers.example`;
  return { id: idOf<DeploymentId>(shape.id), names: [domain, `node-1.${domain}`] };
}

const serialOf = ({ certificate }: IssuedCertificate) => new X509Certificate(certificate).serialNumber;
const pemsOf = (text: string) => text.match(/-----BEGIN[^]+?-----END CERTIFICATE-----/g) ?? [];
const stored = (got: IssuedCertificate) =>
  openKysely<Tables>(connections)
    .transaction()
    .execute(async (tx) => got.onStored?.(tx));

certificatesConformance('acme', {
  isThere: () => authority !== null,
  driver: () => replica(authority!),
  async aRequest() {
    const { id, names } = await deployment();
    return { deploymentId: id, names, hosts: [] };
  },
  store: stored,
  orders: () => authority?.orders() ?? 0,
  pauseSeconds: 0.1,
});

const recordsOf = (ca: TestPublicAuthority, [domain]: string[]) =>
  [...ca.records].filter((record) => record.includes(domain ?? ''));
/** Of these names none is left; what a replica was about to remove as it stopped waits for another for a minute. */
const noRecords = (ca: TestPublicAuthority, names: string[]) =>
  eventually(async () => {
    expect(recordsOf(ca, names)).toEqual([]);
    const left = await connections.query('SELECT FROM acme_records WHERE fqdn LIKE $1', [`%${names[0]}.`]);
    expect(left.rowCount).toBe(0);
  });

withAuthority(
  'a certificate is for all names, by a key of its own, and leads to the root',
  async (ca, orders) => {
    const { id, names } = await deployment();
    const got = await obtain(() => replica(ca), id, names);
    const [leaf, ...others] = pemsOf(got.certificate).map((pem) => new X509Certificate(pem));
    expect(leaf?.subjectAltName?.split(', ').sort()).toEqual(names.map((name) => `DNS:${name}`).sort());
    expect(others).toHaveLength(1);
    expect(others[0]?.verify(new X509Certificate(got.authority).publicKey)).toBe(true);
    expect(got.authority.trim()).toBe(ca.root.trim());

    // until it is stored it is the same one, whoever asks, and no other order
    expect(serialOf(await obtain(() => replica(ca), id, names))).toBe(serialOf(got));
    expect(orders()).toBe(1);
    await noRecords(ca, names);
    await stored(got);
    const next = await obtain(() => replica(ca), id, names);
    expect([serialOf(next) === serialOf(got), next.private_key === got.private_key]).toEqual([false, false]);
    expect(orders()).toBe(2);

    const { rows } = await connections.query('SELECT * FROM acme_accounts, acme_orders');
    expect(JSON.stringify(rows)).not.toContain('PRIVATE KEY');
    expect((await connections.query('SELECT FROM acme_accounts')).rowCount).toBe(1);
  },
);

withAuthority('replicas that begin together have one account', async (ca) => {
  await connections.query('TRUNCATE acme_accounts, acme_orders');
  const all = await Promise.all(Array.from({ length: 4 }, () => deployment()));
  await Promise.all(all.map(({ id, names }) => obtain(() => replica(ca), id, names)));
  expect((await connections.query('SELECT FROM acme_accounts')).rowCount).toBe(1);
});

withAuthority('while a replica places an order no other one does', async (ca, orders) => {
  const { id, names } = await deployment();
  const others: unknown[] = [];
  ca.fault = async (what) => {
    if (what !== 'POST /order-plz') return;
    others.push(await ask(replica(ca), id, names));
  };
  await ask(replica(ca), id, names);
  expect(others[0]).toEqual({ waitingFor: 'its order to be taken', seconds: 2 });
  ca.fault = undefined;
  await obtain(() => replica(ca), id, names);
  expect(orders()).toBe(1);
});

withAuthority('an order whose answer was lost is found again', async (ca, orders) => {
  const { id, names } = await deployment();
  ca.fault = (what) => (what === 'POST /order-plz' && orders() === 0 ? 'lost' : undefined);
  expect((await failure(replica(ca), id, names)).message).toMatch(/^the authority cannot be reached \(.+\)$/);
  await obtain(() => replica(ca), id, names);
  expect(orders()).toBe(1);
});

withAuthority(
  'an authority that is away in the middle is asked for the same order later',
  async (ca, orders) => {
    const { id, names } = await deployment();
    ca.fault = (what) => (/finalize/.test(what) ? 'away' : undefined);
    expect((await failure(replica(ca), id, names)).message).toMatch(
      /^the authority cannot be reached \(.+\)$/,
    );
    ca.fault = () => ({ status: 503, headers: { 'retry-after': '60' } });
    expect(await failure(replica(ca), id, names)).toMatchObject({
      message: expect.stringMatching(/^the authority refuses: status 503; it is asked again/) as string,
    });
    ca.fault = undefined;
    await obtain(() => replica(ca), id, names);
    expect(orders()).toBe(1);
  },
);

withAuthority(
  'a proof that fails is told in the words of the authority, and nothing is left of it',
  async (ca, orders) => {
    const { id, names } = await deployment();
    // a provider that does not do what it says, and nobody who looks
    ca.providerStatus = 200;
    const { message } = await failure(replica(ca, { ACME_DNS_RESOLVERS: '' }), id, names);
    expect(message).toMatch(
      /^the authority refuses: (node-1\.)?orders-\d+\.brokers\.example: .+ \(unauthorized\)/,
    );
    await noRecords(ca, names);
    ca.providerStatus = undefined;
    await obtain(() => replica(ca), id, names);
    expect(orders()).toBe(2);
    await noRecords(ca, names);
  },
);

withAuthority('the authority is not asked to look before the records can be seen', async (ca) => {
  const { id, names } = await deployment();
  ca.providerStatus = 200;
  const waitsFor = () =>
    eventually(async () => {
      expect(await ask(replica(ca), id, names)).toMatchObject({
        waitingFor: expect.stringMatching(/^the DNS record _acme-challenge\./) as string,
      });
    });
  await waitsFor();
  const from = ca.requests.length;
  await waitsFor();
  expect(ca.requests.slice(from).filter((what) => what.includes('chalZ'))).toEqual([]);

  ca.providerStatus = 500;
  await connections.query('UPDATE acme_records SET set_at = NULL');
  expect((await failure(replica(ca), id, names)).message).toMatch(
    /^the DNS provider does not set _acme-challenge\..+ \(status 500\)$/,
  );
  ca.providerStatus = undefined;
  const spread = await ask(replica(ca, { ACME_DNS_SECONDS: '40' }), id, names);
  expect(spread).toMatchObject({ waitingFor: 'its DNS records to be everywhere' });
  expect('seconds' in spread && spread.seconds).toBeGreaterThan(30);
  await obtain(() => replica(ca), id, names);
});

withAuthority('a name that is refused, and one that was asked for too often', async (ca, orders) => {
  const { id, names } = await deployment();
  expect((await failure(replica(ca), id, [blocked])).message).toMatch(
    /^the authority refuses: .+forbidden by policy.+\(rejectedIdentifier\)$/,
  );
  const body = { type: 'urn:ietf:params:acme:error:rateLimited', detail: 'too many certificates this week' };
  const inAnHour = new Date(Date.now() + 3_600_000);
  for (const when of ['3600', inAnHour.toUTCString()]) {
    ca.fault = (what) =>
      what === 'POST /order-plz' ? { status: 429, headers: { 'retry-after': when }, body } : undefined;
    const refused = await failure(replica(ca), id, names);
    expect(refused).toBeInstanceOf(HeldBack);
    const { until } = refused as HeldBack;
    expect(refused.message).toBe(
      `the authority refuses: too many certificates this week (rateLimited); it is asked again after ${until.toISOString().slice(0, 19)}Z`,
    );
    expect(Math.abs(until.getTime() - inAnHour.getTime())).toBeLessThan(30_000);
  }
  expect(orders()).toBe(0);
});

withAuthority(
  'other names are another order, and a deployment that is gone leaves no record',
  async (ca, orders) => {
    const { id, names } = await deployment();
    const begun = () =>
      eventually(async () => {
        await ask(replica(ca, { ACME_DNS_SECONDS: '3000' }), id, names);
        expect(recordsOf(ca, names)).toHaveLength(names.length);
      });
    await begun();
    const [first] = recordsOf(ca, names);
    names.push(`node-2.${names[0]}`);
    await begun();
    expect(ca.records.has(first ?? '')).toBe(false);
    expect(orders()).toBe(2);
    await connections.query('DELETE FROM deployments WHERE id = $1', [id]);
    await noRecords(ca, names);
  },
);

withAuthority('a root that nobody knows is said, and costs no second order', async (ca, orders) => {
  const { id, names } = await deployment();
  const { message } = await failure(replica(ca, { ACME_ROOTS: '' }), id, names);
  expect(message).toMatch(/^the authority's root is not known here \(ACME_ROOTS\): CN=Pebble/);
  await failure(replica(ca, { ACME_ROOTS: '' }), id, names);
  await obtain(() => replica(ca), id, names);
  expect(orders()).toBe(1);
});

withAuthority(
  'an order says which certificate it replaces, and goes without where that is not taken',
  async (ca, orders) => {
    const { id, names } = await deployment();
    const first = await obtain(() => replica(ca), id, names);
    await stored(first);
    const refused = () => ca.answers.filter((said) => said === 'POST /order-plz 409').length;
    const before = refused();
    for (const times of [0, 1]) {
      await stored(await obtain(() => replica(ca), id, names, first.certificate));
      expect(refused() - before).toBe(times);
    }
    expect(orders()).toBe(3);
  },
);

withAuthority('a certificate is renewed when its authority wants that', async (ca) => {
  const { id, names } = await deployment();
  const { certificate, tellsRenewal } = await obtain(() => replica(ca), id, names);
  expect(tellsRenewal).toBe(true);
  const { serialNumber, validFromDate, validToDate } = new X509Certificate(certificate);
  await connections.query(
    `INSERT INTO deployment_certificates (deployment_id, certificate, serial, not_before, not_after, due_at, ask_renewal_at)
     VALUES ($1, $2, $3, $4, $5, $5, now())`,
    [id, certificate, serialNumber, validFromDate, validToDate],
  );
  const planned = async () => {
    // later than it would be asked again if the answer had not come
    const { rows } = await connections.query<{ due_at: Date }>(
      `SELECT due_at FROM deployment_certificates
       WHERE deployment_id = $1 AND ask_renewal_at > now() + interval '5 hours'`,
      [id],
    );
    if (!rows[0]) throw new Error('it has not been asked');
    return rows[0];
  };
  const askNow = () => connections.query('UPDATE deployment_certificates SET ask_renewal_at = now()');
  const days = (count: number) => new Date(Date.now() + count * 86_400_000);
  const log = createLog('test', 'error');
  const schedule = new Schedule({ log, metrics: new Registry() });
  const renewals = renewalsJob({
    ...{ database: openKysely<Tables>(connections), certificates: replica(ca), everySeconds: 0.02, now, log },
  });
  if (!renewals) throw new Error('the authority says nothing of renewals');
  schedule.add(renewals);
  try {
    await ca.renewBetween(certificate, days(20), days(22));
    const inWindow = await eventually(async () => {
      const { due_at } = await planned();
      expect([due_at > days(19), due_at < days(23)]).toEqual([true, true]);
      return due_at;
    });
    // what is within the window stays
    await askNow();
    expect((await eventually(planned)).due_at).toEqual(inWindow);
    await ca.renewBetween(certificate, days(-2), days(-1));
    await askNow();
    await eventually(async () => expect((await planned()).due_at < days(0)).toBe(true));
    // one that is due already is left alone, and one that somebody wants, or that fails
    await ca.renewBetween(certificate, days(50), days(51));
    await askNow();
    expect((await eventually(planned)).due_at < days(0)).toBe(true);
    for (const change of ["requested_by = '{}'", 'requested_by = NULL, failures = 1']) {
      await connections.query(
        `UPDATE deployment_certificates SET due_at = now() + interval '1 day', ask_renewal_at = now(), ${change}`,
      );
      expect((await eventually(planned)).due_at < days(2)).toBe(true);
    }
  } finally {
    await schedule.stop();
  }
});

test('an authority with customers takes those alone whom it knows, and nobody without agreeing to its terms', async () => {
  const keyId = 'customer-1';
  const key = Buffer.alloc(32, 9).toString('base64url');
  const ca = authority && (await testPublicAuthority({ customers: { [keyId]: key } }));
  if (!ca) return;
  try {
    const { id, names } = await deployment();
    const disagreeing = await failure(replica(ca, { ACME_TERMS_AGREED: 'false' }), id, names);
    expect(disagreeing.message).toMatch(
      /^the authority wants its terms to be agreed to \(ACME_TERMS_AGREED\): /,
    );
    expect((await failure(replica(ca), id, names)).message).toMatch(/\(externalAccountRequired\)$/);
    const settings = { ACME_EAB_KEY_ID: keyId, ACME_EAB_HMAC_KEY: key };
    await obtain(() => replica(ca, settings), id, names);
  } finally {
    await ca.stop();
  }
});

test('what does not go together is said at the start', () => {
  const read = (settings: Record<string, string>) => () => {
    requireAcme(readConfig(z.object(acmeSettings), settings));
  };
  const [ACME_DIRECTORY_URL, ACME_DNS_URL] = ['https://ca.example/dir', 'https://dns.example'];
  expect(read({ ACME_DIRECTORY_URL })).toThrow('acme needs ACME_DIRECTORY_URL and ACME_DNS_URL');
  expect(read({ ACME_DIRECTORY_URL: 'http://ca.example/dir' })).toThrow('ACME_DIRECTORY_URL: ');
  expect(read({ ACME_DNS_URL: 'http://dns.example' })).toThrow(
    'ACME_DNS_URL: has to be HTTPS, or on this machine',
  );
  expect(read({ ACME_DIRECTORY_URL, ACME_DNS_URL, ACME_EAB_KEY_ID: 'one' })).toThrow(
    'goes with ACME_EAB_HMAC_KEY',
  );
  expect(read({ ACME_ROOTS: 'no certificate' })).toThrow('ACME_ROOTS: has to be certificates in PEM form');
  expect(read({ ACME_DNS_RESOLVERS: 'ns.example' })).toThrow('ACME_DNS_RESOLVERS: has to be addresses');
});
