import { X509Certificate } from 'node:crypto';
import { once } from 'node:events';
import { connect } from 'node:net';
import { aDeployment, eventually } from '@sluice/testing';
import { call, connectTo, untilStatus, type Deployment } from '#test/client.ts';
import { supervisor } from '#test/region.ts';

const privateHost = '127.0.0.2';
const setting = { GATEWAY_PRIVATE_HOST: privateHost };
const everybody = {
  ...{ name: 'all', cidr_blocks: ['0.0.0.0/0'] },
  rules: { broker_http: false, broker_tcp: true, broker_websocket: false, broker_udp: false },
};
const limit = 120_000;
// elsewhere the loopback interface has one address
const onLinux = process.platform === 'linux' ? describe : describe.skip;

const portOf = ({ endpoints }: Deployment) => Number(endpoints.broker_tcp?.split(':').at(-1));
const isRefusedAt = async (host: string, port: number) => {
  const socket = connect({ host, port });
  const refused = await once(socket, 'connect').then(
    () => false,
    () => true,
  );
  socket.destroy();
  return refused;
};
const addressPrivate = (is: Deployment) => is.conditions.find(({ type }) => type === 'AddressPrivate');

onLinux('a deployment without a public address', () => {
  const region = supervisor({ replicas: 0 });
  let key: string;
  beforeAll(async () => void (key = await region.key()));

  const certificateOf = async (id: number) => {
    const sql = 'SELECT certificate FROM deployment_certificates WHERE deployment_id = $1';
    const [row] = await region.sql<{ certificate: string }>(sql, [id]);
    return new X509Certificate(row?.certificate ?? '');
  };

  test(
    'is reached at the private address alone, by its rules, with a certificate for it',
    async () => {
      const { url } = await region.startWith({}, { environment: setting });
      const shape = aDeployment({ tier: 'small', public_ip_enabled: false, limits: { access_rules: 4 } });
      await region.apply(shape);
      const made = await untilStatus(url, key, shape.id, 'initialized');
      const [host, port] = [privateHost, portOf(made)];
      expect(made).toMatchObject({
        network_mode: 'private',
        endpoints: { broker_tcp: `${host}:${port}` },
        network: { public_ips: [], private_ips: [host] },
        nodes: [{ public_ip: null, private_ip: host, endpoints: { broker_tcp: `${host}:${port}` } }],
      });
      expect(addressPrivate(made)).toMatchObject({ status: 'True', message: `node-1 at ${host}` });
      const info = await call(`${url}/deployments/${shape.id}/network/info`, key);
      expect(info.body).toMatchObject({ network_mode: 'private', public_ips: [], private_ips: [host] });
      expect((await certificateOf(shape.id)).checkIP(host)).toBe(host);
      await expect(connectTo(url, key, made)).rejects.toThrow();
      const rules = `${url}/deployments/${shape.id}/access_rules`;
      expect((await call(rules, key, { method: 'POST', body: everybody })).status).toBe(201);
      await (await eventually(() => connectTo(url, key, made))).close();
      expect(await isRefusedAt('127.0.0.1', port)).toBe(true);
      await region.stopAll();
    },
    limit,
  );

  test(
    'says so where it is at the public address, and moves once its region has a private one',
    async () => {
      const before = await region.startWith({});
      const shape = aDeployment({ tier: 'small', public_ip_enabled: false, limits: { access_rules: 4 } });
      await region.apply(shape);
      const made = await untilStatus(before.url, key, shape.id, 'initialized');
      expect(addressPrivate(made)).toMatchObject({ status: 'False', reason: 'AddressPublic' });
      expect(made.endpoints.broker_tcp).toMatch(/^127\.0\.0\.1:/);
      await region.stopAll();
      const { url } = await region.startWith({}, { environment: setting });
      // a change has it looked at before it is due
      const rules = `${url}/deployments/${shape.id}/access_rules`;
      expect((await call(rules, key, { method: 'POST', body: everybody })).status).toBe(201);
      const moved = await eventually(
        async () => {
          const { body } = await call(`${url}/deployments/${shape.id}`, key);
          expect(addressPrivate(body as Deployment)).toMatchObject({ status: 'True' });
          const client = await connectTo(url, key, body as Deployment);
          await client.close();
          expect((await certificateOf(shape.id)).checkIP(privateHost)).toBe(privateHost);
          return body as Deployment;
        },
        { timeoutMs: 60_000 },
      );
      expect(await isRefusedAt('127.0.0.1', portOf(moved))).toBe(true);
    },
    limit,
  );
});
