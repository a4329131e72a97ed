import { randomUUID } from 'node:crypto';
import { idOf, type NodeId, type ReportData } from '@sluice/contracts';
import { aDeployment, connectBroker, eventually, type Login } from '@sluice/testing';
import { call, connectTo, untilGone, untilStatus } from '#test/client.ts';
import { messagesAbout } from '#test/messages.ts';
import { supervisor } from '#test/region.ts';

/** After main-api's database was restored from an older copy, ids come again that the region knows as another deployment's. */
describe('a deployment with the id of another', () => {
  const region = supervisor({ replicas: 1 });
  let url: string;
  let key: string;

  beforeAll(async () => {
    ({ url } = region.replica());
    key = await region.key();
  });

  const read = (path: string) => call(`${url}/deployments/${path}`, key);
  const login = async (id: number) => (await read(`${id}/credentials`)).body as Login;
  const stored = async (id: number) =>
    (await region.sql('SELECT uid, spec, sealed_password FROM deployments WHERE id = $1', [id]))[0];

  /** Waits for what the region says of the deployment with this uid, and answers the last of it. */
  const reported = (id: number, uid: string | undefined, type: 'deployment_status' | 'deployment_removed') =>
    eventually(async () => {
      type Report = { type: string; data: ReportData<'deployment_status'> };
      const reports = await messagesAbout<Report>(region, 'reports', id);
      const about = reports.filter((report) => report.type === type && report.data.uid === uid);
      expect(about.length).toBeGreaterThan(0);
      return about.at(-1)?.data;
    });

  test('gets neither its broker nor its password, and is made anew once the other is gone', async () => {
    const [first, second] = [aDeployment(), aDeployment()];
    const impostor = { ...second, id: first.id, nodes: first.nodes };
    await region.apply(first);
    const running = await untilStatus(url, key, first.id, 'initialized');
    const former = await login(first.id);

    await region.apply(impostor);
    expect(await reported(first.id, impostor.uid, 'deployment_status')).toMatchObject({
      status: 'failed',
      status_reason: expect.stringContaining('another deployment') as string,
    });
    expect((await read(String(first.id))).status).toBe(404);
    expect((await read(`${first.id}/credentials`)).status).toBe(404);
    expect((await read(`${first.id}/access_rules`)).status).toBe(404);
    // its own clients know nothing of all this
    await (await connectBroker(running.endpoints.broker_tcp, former)).close();
    expect(await stored(first.id)).toMatchObject({ uid: first.uid });

    await region.remove(first.id, { uid: first.uid });
    await reported(first.id, first.uid, 'deployment_removed');
    await region.apply(impostor, 1, { report_above: 7 });
    const anew = await untilStatus(url, key, first.id, 'initialized');
    expect((await reported(first.id, impostor.uid, 'deployment_status'))?.version).toBeGreaterThan(8);
    const login2 = await login(first.id);
    expect(login2.password).not.toBe(former.password);
    await (await connectTo(url, key, anew)).close();
    await expect(connectBroker(anew.endpoints.broker_tcp, former)).rejects.toThrow();
  });

  test('or with the id of one of its nodes is refused as well', async () => {
    const first = aDeployment();
    await region.apply(first);
    await untilStatus(url, key, first.id, 'initialized');
    const second = aDeployment({
      nodes: [...first.nodes, { id: idOf<NodeId>(first.id + 2), name: 'node-2' }],
    });
    await region.apply(second);
    expect(await reported(second.id, second.uid, 'deployment_status')).toMatchObject({ status: 'failed' });
    expect(await stored(second.id)).toBeUndefined();
    expect((await read(String(first.id))).body).toMatchObject({ status: 'initialized' });
  });

  test('is not deleted in its place', async () => {
    const first = aDeployment();
    await region.apply(first);
    await untilStatus(url, key, first.id, 'initialized');
    const other = { uid: randomUUID() };
    await region.remove(first.id, other);
    expect(await reported(first.id, other.uid, 'deployment_removed')).toMatchObject(other);
    expect((await read(String(first.id))).body).toMatchObject({ status: 'initialized' });
  });

  test('is made although the other was deleted, which no late command brings back', async () => {
    const [first, second] = [aDeployment(), aDeployment()];
    await region.remove(first.id, { uid: first.uid });
    await region.apply(first);
    await region.apply({ ...second, id: first.id });
    await untilStatus(url, key, first.id, 'initialized');
    expect(await stored(first.id)).toMatchObject({ uid: second.uid });
    await reported(first.id, first.uid, 'deployment_removed');
    await region.remove(first.id, { uid: second.uid });
    await untilGone(url, key, first.id);
  });
});
