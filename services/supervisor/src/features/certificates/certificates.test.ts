import { once } from 'node:events';
import { connect } from 'node:tls';
import { aDeployment, client, connectBroker, eventually, type Login } from '@sluice/testing';
import { untilStatus, type Deployment } from '#test/client.ts';
import { messagesAbout } from '#test/messages.ts';
import { supervisor } from '#test/region.ts';
import { createDrivers } from '../../drivers.ts';
import type { components } from '../../generated/api.ts';

type Certificates = components['schemas']['Certificates'];
type DeploymentCredentials = components['schemas']['DeploymentCredentials'];
interface Said {
  occurred_at: string;
  type: string;
  author: { id: number } | null;
  data: Record<string, unknown>;
}

describe('the certificate and the login of a deployment', () => {
  const region = supervisor({ environment: { BROKER_PLAIN_TEXT: 'false' } });
  let away = false;
  let url: string;
  let key: string;
  let shape: ReturnType<typeof aDeployment>;
  let deployment: Deployment;

  /** Drivers whose authority can be away. */
  const drivers: typeof createDrivers = async (...options) => {
    const { certificates, ...others } = await createDrivers(...options);
    return {
      ...others,
      certificates: {
        issue: async (request, call) => {
          if (away) throw new Error('the authority is away');
          if (!certificates) throw new Error('no driver');
          return await certificates.issue(request, call);
        },
      },
    };
  };

  beforeAll(async () => {
    ({ url } = await region.startWith({ drivers }));
    key = await region.key();
    shape = aDeployment({ tier: 'free' });
    await region.apply(shape);
    deployment = await untilStatus(url, key, shape.id, 'initialized');
  });
  afterEach(() => {
    away = false;
  });

  const api = () => client(url, key);
  const path = (end: string) => `/deployments/${shape.id}/${end}`;
  const certificates = async () => (await api().get<Certificates>(path('certificates'))).body;
  const login = async () => (await api().get<Login>(path('credentials'))).body;
  const events = async (type: string) =>
    (await messagesAbout<Said>(region, 'events', shape.id)).filter((event) => event.type === type);
  const connectAs = async (as: Login, ca: string | null) =>
    connectBroker(deployment.endpoints.broker_tcp, as, { tls: { ca: ca ?? '' } });

  /** The serial of the certificate that clients are shown. */
  async function shown(): Promise<string> {
    const { hostname: host, port } = new URL(`tls://${deployment.endpoints.broker_tcp}`);
    const { authority } = await certificates();
    const servername = deployment.domain ?? '';
    const socket = connect({ host, port: Number(port), ca: authority ?? '', servername });
    await once(socket, 'secureConnect');
    const { serialNumber } = socket.getPeerCertificate();
    socket.destroy();
    return serialNumber.toLowerCase();
  }

  /** Has the reconciler look at the deployment, whose next certificate is due. */
  const makeDue = () =>
    region.sql(
      `WITH due AS (UPDATE deployment_certificates SET due_at = now() - interval '1 s'),
            woken AS (UPDATE reconciliations SET due_at = now())
       SELECT pg_notify('deployment_due', $1)`,
      [String(shape.id)],
    );

  test('it comes before the nodes, and lets in whom its authority is known to', async () => {
    const reports = await messagesAbout<{ data: { status: string } }>(region, 'reports', shape.id);
    const statuses = reports.map(({ data }) => data.status);
    expect(statuses.indexOf('configuring_certificates')).toBe(statuses.indexOf('waiting_for_nodes') - 1);
    const { authority, serial, not_before, not_after } = await certificates();
    const days = (Date.parse(not_after ?? '') - Date.parse(not_before ?? '')) / 86_400_000;
    expect(days).toBeCloseTo(90, 1);
    expect(serial).toBe(await shown());

    await (await connectAs(await login(), authority)).close();
    await expect(connectBroker(deployment.endpoints.broker_tcp, await login())).rejects.toThrow(
      /certificate/,
    );
    expect(JSON.stringify(await region.sql('SELECT * FROM deployment_certificates'))).not.toContain(
      'PRIVATE KEY',
    );
  });

  test('is replaced when somebody asks for it, once, and nobody is cut', async () => {
    const { authority, serial } = await certificates();
    const connection = await connectAs(await login(), authority);
    const answers = await Promise.all([1, 2].map(() => api().post(path('certificates/rotate'))));
    expect(answers.map(({ status }) => status)).toEqual([202, 202]);
    await eventually(async () => expect((await certificates()).serial).not.toBe(serial));
    await eventually(async () => expect(await shown()).toBe((await certificates()).serial));
    await connection.flush();
    await connection.close();
    const [event] = await eventually(async () => {
      const found = await events('deployment_certificates_rotated');
      expect(found.length).toBeGreaterThan(0);
      return found;
    });
    expect(event?.data['not_after']).toBe((await certificates()).not_after);
    expect(event?.author).not.toBeNull();
    const asked = await eventually(async () => {
      const found = await events('deployment_certificate_rotation_requested');
      expect(found).toHaveLength(2);
      return found;
    });
    expect(asked.map(({ author }) => author)).toEqual([event?.author, event?.author]);
  });

  test('is renewed when it is due; while that fails people are told once, before it ends', async () => {
    away = true;
    await makeDue();
    const failures = async (count: number) =>
      eventually(async () => {
        const [row] = await region.sql('SELECT failures, last_error FROM deployment_certificates');
        expect(row).toEqual({ failures: count, last_error: 'the authority is away' });
      });
    await failures(1);
    expect(await events('certificate_expiring')).toEqual([]);
    await region.sql(
      "UPDATE deployment_certificates SET not_before = now() - interval '80 days', not_after = now() + interval '10 days'",
    );
    for (const count of [2, 3]) {
      await makeDue();
      await failures(count);
    }
    const told = await eventually(async () => {
      const found = await events('certificate_expiring');
      expect(found).toHaveLength(1);
      return found;
    });
    expect(told[0]?.data).toMatchObject({ reason: 'the authority is away' });
    expect((await untilStatus(url, key, shape.id, 'initialized')).status_reason).toBeNull();

    away = false;
    const { serial } = await certificates();
    await makeDue();
    await eventually(async () => expect((await certificates()).serial).not.toBe(serial));
    expect(await region.sql('SELECT failures, warned_at FROM deployment_certificates')).toEqual([
      { failures: 0, warned_at: null },
    ]);
  });

  test('a deployment from before there were certificates gets one, and nobody is told of a rotation', async () => {
    const begun = new Date().toISOString();
    await region.sql('DELETE FROM deployment_certificates');
    expect(await certificates()).toEqual({
      authority: null,
      serial: null,
      not_before: null,
      not_after: null,
    });
    expect((await api().post(path('certificates/rotate'))).status).toBe(409);
    await makeDue();
    await eventually(async () => expect((await certificates()).serial).not.toBeNull());
    await eventually(async () => expect(await shown()).toBe((await certificates()).serial));
    const rotated = await events('deployment_certificates_rotated');
    // events of former rotations may come late
    expect(rotated.filter(({ occurred_at }) => occurred_at > begun)).toEqual([]);
  });

  test('a login is replaced: the one before is good for its grace, and five such at most', async () => {
    const { authority } = await certificates();
    const first = await login();
    const old = await connectAs(first, authority);
    expect((await api().post(path('credentials/rotate'), { grace_seconds: 3_600 })).status).toBe(202);
    const second = await login();
    expect([second.username, second.password]).not.toEqual([first.username, first.password]);
    await (await eventually(() => connectAs(second, authority))).close();
    await (await connectAs(first, authority)).close();
    await old.flush();
    await old.close();

    const rotations = await Promise.all(
      Array.from({ length: 6 }, () => api().post(path('credentials/rotate'), { grace_seconds: 60 })),
    );
    const statuses = rotations.map(({ status }) => status).sort();
    expect(statuses).toEqual([202, 202, 202, 202, 409, 409]);
    expect(rotations.find(({ status }) => status === 409)?.body).toMatchObject({
      code: 'limit_reached',
      limit: { name: 'former_credentials_limit', value: 5 },
    });
    const tooLong = await api().post(path('credentials/rotate'), { grace_seconds: 86_401 });
    expect(tooLong.status).toBe(400);

    const last = await login();
    const earlier = (await api().get<DeploymentCredentials>(path('credentials'))).body.former ?? [];
    expect(earlier.map(({ username }) => username)).toEqual(
      expect.arrayContaining([first.username, second.username]),
    );
    expect(earlier).toHaveLength(5);
    for (const former of earlier)
      expect(former).toEqual({ username: former.username, valid_until: expect.any(String) as string });
    expect(Date.parse(earlier.at(-1)!.valid_until)).toBeGreaterThan(Date.now() + 3_000_000);
    const connections = [
      await eventually(() => connectAs(last, authority)),
      await connectAs(first, authority),
    ];
    // without a grace nothing earlier is left, whatever grace it once had
    expect((await api().post(path('credentials/rotate'))).status).toBe(202);
    await Promise.all(connections.map((connection) => connection.closed()));
    for (const ended of [last, first, second])
      await expect(connectAs(ended, authority)).rejects.toThrow(/authorization/i);
    expect((await api().get<DeploymentCredentials>(path('credentials'))).body.former).toBeUndefined();
    const told = await eventually(async () => {
      const found = await events('deployment_secrets_rotated');
      expect(found).toHaveLength(6);
      return found;
    });
    expect(JSON.stringify(told)).not.toContain((await login()).password);
    expect(JSON.stringify(told)).not.toContain(last.password);
    const reads = await eventually(async () => {
      const found = await events('credentials_read');
      expect(found.length).toBeGreaterThan(5);
      return found;
    });
    for (const read of reads)
      expect(read).toMatchObject({
        author: { id: expect.any(Number) as number },
        deployment: { id: shape.id },
        data: { name: shape.name, code: shape.code },
      });
    expect(JSON.stringify(reads)).not.toContain(last.password);
  });
});

describe('a region without certificates', () => {
  const region = supervisor({ environment: { BROKER_PLAIN_TEXT: 'false', CERTIFICATE_DRIVER: 'none' } });

  test('does not start where clients may not come without TLS', async () => {
    await expect(region.start()).rejects.toThrow('CERTIFICATE_DRIVER: none needs BROKER_PLAIN_TEXT=true');
  });
});
