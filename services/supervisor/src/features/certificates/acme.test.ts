import { once } from 'node:events';
import { connect } from 'node:tls';
import type { TlsOptions } from '@nats-io/transport-node';
import {
  aDeployment,
  client,
  connectBroker,
  eventually,
  freePort,
  testPublicAuthority,
  type Login,
  type TestPublicAuthority,
} from '@sluice/testing';
import { untilGone, untilStatus, type Deployment } from '#test/client.ts';
import { messagesAbout } from '#test/messages.ts';
import { supervisor } from '#test/region.ts';
import type { components } from '../../generated/api.ts';

type Certificates = components['schemas']['Certificates'];

const newOrder = 'POST /order-plz';
/** on a machine that is busy the placing of an order may be given up, and is then left alone for a minute */
const patience = { timeoutMs: 100_000 };

describe('a region whose certificates are of a public authority', () => {
  let ca: TestPublicAuthority | null;
  // before the region: it may have to be fetched first
  beforeAll(async () => {
    ca = await testPublicAuthority();
  }, 700_000);
  const region = supervisor({ environment: { BROKER_PLAIN_TEXT: 'false' } });
  afterAll(() => ca?.stop());
  let url: string;
  let key: string;

  region.beforeStart(() => Object.assign(region.environment, ca?.settings));
  let deployment: Deployment;
  beforeAll(async () => {
    ({ url } = await region.start());
    key = await region.key();
    if (!ca) return;
    const shape = aDeployment();
    await region.apply(shape);
    deployment = await untilStatus(url, key, shape.id, 'initialized', patience.timeoutMs);
  }, 150_000);
  afterEach(() => {
    if (ca) ca.fault = undefined;
  });

  const whereItIs = (name: string, body: (ca: TestPublicAuthority) => Promise<void>, ms = 150_000) =>
    test(name, async () => (ca ? await body(ca) : undefined), ms);

  const of = (id: number) => ({
    certificates: async () =>
      (await client(url, key).get<Certificates>(`/deployments/${id}/certificates`)).body,
    login: async () => (await client(url, key).get<Login>(`/deployments/${id}/credentials`)).body,
    rotate: async () => await client(url, key).post(`/deployments/${id}/certificates/rotate`),
  });

  const untilIssued = (id: number) =>
    eventually(async () => {
      const found = await of(id).certificates();
      expect(found.serial).toEqual(expect.any(String));
      return found;
    }, patience);

  /** What a client of TLS that trusts `authority` is shown; it refuses what does not lead there, or is for another name. */
  async function shown({ endpoints, domain }: Deployment, authority: string): Promise<string> {
    const { hostname: host, port } = new URL(`tls://${endpoints.broker_tcp}`);
    // the broker waits 50 ms for a client that begins with TLS, and greets one that is slower without
    const socket = await eventually(async () => {
      const begun = connect({ host, port: Number(port), ca: authority, servername: domain ?? '' });
      await once(begun, 'secureConnect');
      return begun;
    });
    const { serialNumber } = socket.getPeerCertificate();
    socket.destroy();
    return serialNumber.toLowerCase();
  }
  const connectAs = (deployment: Deployment, login: Login, authority: string) =>
    connectBroker(deployment.endpoints.broker_tcp, login, {
      // what it expects beside the address that it connects to, as Node's TLS has it
      tls: { ca: authority, servername: deployment.domain ?? '' } as TlsOptions,
    });

  whereItIs('a deployment has one, chain and all, of one order', async (ca) => {
    const { authority, serial } = await of(deployment.id).certificates();
    expect(authority?.trim()).toBe(ca.root.trim());
    expect(await shown(deployment, ca.root)).toBe(serial);
    const login = await of(deployment.id).login();
    await (await connectAs(deployment, login, ca.root)).close();
    await expect(connectAs(deployment, login, ca.settings['ACME_TLS_CA'] ?? '')).rejects.toThrow(
      /certificate/,
    );
    await eventually(() => expect([...ca.records]).toEqual([]));
    expect(ca.orders()).toBe(1);
  });

  whereItIs('people read what keeps one from it, and until when', async (ca) => {
    const problem = { type: 'urn:ietf:params:acme:error:rateLimited', detail: 'too many this week' };
    ca.fault = (what) =>
      what === newOrder ? { status: 429, headers: { 'retry-after': '3600' }, body: problem } : undefined;
    const shape = aDeployment();
    await region.apply(shape);
    const look = async () => (await client(url, key).get<Deployment>(`/deployments/${shape.id}`)).body;
    await eventually(async () =>
      expect(await look()).toMatchObject({
        status: 'configuring_certificates',
        status_reason: expect.stringMatching(
          /^configuring_certificates is tried again: the authority refuses: too many this week \(rateLimited\); it is asked again after /,
        ) as string,
      }),
    );
    const [held] = await region.sql<{ waits: boolean }>(
      "SELECT due_at > now() + interval '50 min' AS waits FROM deployment_certificates WHERE deployment_id = $1",
      [shape.id],
    );
    expect(held).toEqual({ waits: true });
    ca.fault = undefined;
    await makeDue(shape.id);
    await untilIssued(shape.id);
    await eventually(async () => expect((await look()).status_reason).toBeNull());
    await region.remove(shape.id);
  });

  whereItIs(
    'it is renewed while a client publishes, and never sooner than the authority wants',
    async (ca) => {
      const { id } = deployment;
      const { serial } = await of(id).certificates();
      const connection = await connectAs(deployment, await of(id).login(), ca.root);
      let [received, sent] = [0, 0];
      connection.subscribe('orders', { callback: () => void received++ });
      const before = ca.orders();

      expect((await of(id).rotate()).status).toBe(202);
      await eventually(async () => {
        connection.publish('orders', String(sent++));
        await connection.flush();
        expect(await shown(deployment, ca.root)).not.toBe(serial);
      });
      connection.publish('orders', String(sent++));
      await connection.flush();
      await eventually(() => expect(received).toBe(sent));
      expect(connection.stats().outMsgs).toBe(sent);
      expect(ca.orders()).toBe(before + 1);
      await connection.close();
      await eventually(async () => {
        const told = await messagesAbout<{ type: string }>(region, 'events', id);
        expect(told.map(({ type }) => type)).toContain('deployment_certificates_rotated');
      });

      ca.fault = (what) =>
        what === newOrder ? { status: 429, headers: { 'retry-after': '3600' } } : undefined;
      const asked = () => ca.requests.filter((what) => what === newOrder).length;
      const from = asked();
      expect((await of(id).rotate()).status).toBe(202);
      await eventually(() => expect(asked()).toBe(from + 1));
      await eventually(async () => {
        const [row] = await region.sql('SELECT FROM deployment_certificates WHERE held_until IS NOT NULL');
        expect(row).toBeDefined();
      });
      expect((await of(id).rotate()).status).toBe(202);
      expect(
        await region.sql(
          'SELECT FROM deployment_certificates WHERE due_at < held_until AND deployment_id = $1',
          [id],
        ),
      ).toEqual([]);
    },
  );

  whereItIs('one without a name of its own has that of the region', async (ca) => {
    const before = ca.orders();
    const shape = aDeployment({ subdomain_enabled: false });
    await region.apply(shape);
    const { authority } = await untilIssued(shape.id);
    expect(authority?.trim()).not.toBe(ca.root.trim());
    expect(ca.orders()).toBe(before);
  });

  whereItIs(
    'a replica that is killed in the middle and two that go on leave one order, and a deleted deployment no record',
    async (ca) => {
      // those that a replica is about to remove when it ends are left to it for a minute
      await eventually(() => expect([...ca.records]).toEqual([]));
      await region.stopAll();
      const [doomed, shape] = [aDeployment(), aDeployment()];
      const before = ca.orders();
      const victim = await region.spawn(await freePort());
      ca.fault = (what) => (what === newOrder ? 'lost' : undefined);
      await region.apply(shape);
      // one that the authority has not taken yet would be taken after the other replicas have looked for it
      await eventually(() => expect(ca.orders()).toBe(before + 1), patience);
      await victim.kill();
      ca.fault = undefined;
      // its lease is over, and its request has arrived: nobody has to wait for that here
      await region.sql('UPDATE reconciliations SET leased_until = now()');
      await region.sql("UPDATE acme_orders SET placing_since = now() - interval '2 minutes'");
      const [next] = await Promise.all([region.start(), region.start()]);
      ({ url } = next);
      await untilIssued(shape.id);
      expect(ca.orders()).toBe(before + 1);

      ca.fault = (what) => (/chalZ/.test(what) ? 'away' : undefined);
      await region.apply(doomed);
      await eventually(() => expect(ca.records.size).toBeGreaterThan(0), patience);
      await region.remove(doomed.id);
      await untilGone(url, key, doomed.id);
      await eventually(() => expect([...ca.records]).toEqual([]));
    },
    300_000,
  );

  /** Has the reconciler look at the deployment, whose certificate is due. */
  const makeDue = (id: number) =>
    region.sql(
      `WITH due AS (UPDATE deployment_certificates SET due_at = now() - interval '1 s' WHERE deployment_id = $1),
            woken AS (UPDATE reconciliations SET due_at = now() WHERE deployment_id = $1)
       SELECT pg_notify('deployment_due', $1::text)`,
      [id],
    );
});
