import { aDeployment, client, eventually, metricsOf } from '@sluice/testing';
import { untilGone, untilStatus } from '#test/client.ts';
import { messagesAbout } from '#test/messages.ts';
import { supervisor, type Region } from '#test/region.ts';
import { createDrivers } from '../drivers.ts';

interface Told {
  type: string;
  data: { status?: string; status_reason?: string | null };
}

/** What was told about a deployment, once the last of it is `last`. */
async function told(region: Region, stream: 'reports' | 'events', id: number, last: object): Promise<Told[]> {
  return await eventually(async () => {
    const found = await messagesAbout<Told>(region, stream, id);
    expect(found.at(-1)).toMatchObject(last);
    return found;
  });
}

describe('a deployment that has failed', () => {
  const region = supervisor({ per: 'test' });

  test('is initialized once the cause is gone, also by a retry, and each of this is told once', async () => {
    const { url } = await region.start({ SUBNET_RANGE: '10.0.0.0/24', PROVISIONING_DEADLINE_SECONDS: '1' });
    const key = await region.key();
    const [first, second] = [aDeployment(), aDeployment()];
    await region.apply(first);
    await eventually(async () =>
      expect(await region.sql('SELECT subnet FROM deployments')).toEqual([{ subnet: '10.0.0.0/24' }]),
    );
    await region.apply(second);
    await untilStatus(url, key, second.id, 'failed');

    const { status } = await client(url, key).post(`/deployments/${second.id}/retry`);
    expect(status).toBe(202);
    await region.remove(first.id);
    await untilGone(url, key, first.id);
    expect((await untilStatus(url, key, second.id, 'initialized')).status_reason).toBeNull();
    const events = await told(region, 'events', second.id, { type: 'deployment_initialized' });
    expect(events.map(({ type }) => type)).toEqual([
      'deployment_failed',
      'deployment_retried',
      'deployment_initialized',
    ]);
    const reports = await told(region, 'reports', second.id, { data: { status: 'initialized' } });
    expect(reports.filter(({ data }) => data.status === 'initialized')).toHaveLength(1);
  });

  test('is tried again without anybody asking', async () => {
    let away = true;
    const drivers: typeof createDrivers = async (...options) => {
      const { compute, network } = await createDrivers(...options);
      const configuring_dns: typeof network.phases.configuring_dns = async (...args) => {
        if (away) throw new Error('the zone is away');
        await network.phases.configuring_dns?.(...args);
      };
      return { compute, network: { ...network, phases: { ...network.phases, configuring_dns } } };
    };
    const { url } = await region.startWith(
      { drivers },
      { environment: { PROVISIONING_DEADLINE_SECONDS: '1' } },
    );
    const key = await region.key();
    const shape = aDeployment();
    await region.apply(shape);
    await untilStatus(url, key, shape.id, 'failed');
    away = false;
    await untilStatus(url, key, shape.id, 'initialized');
  });

  test('and nothing else is retried', async () => {
    const { url } = await region.start();
    const key = await region.key();
    const shape = aDeployment();
    await region.apply(shape);
    await untilStatus(url, key, shape.id, 'initialized');
    const http = client(url, key);
    expect(await http.post(`/deployments/${shape.id}/retry`)).toMatchObject({
      status: 409,
      body: { code: 'state_conflict' },
    });
    expect((await http.post('/deployments/9/retry')).status).toBe(404);
  });
});

describe('while a step is tried again', () => {
  const region = supervisor({ per: 'test' });

  test('people read why, in the region and by its report, and no more when it has worked', async () => {
    const { url } = await region.start({ SUBNET_RANGE: '10.0.0.0/24' });
    const key = await region.key();
    const [first, second] = [aDeployment(), aDeployment()];
    await region.apply(first);
    await eventually(async () =>
      expect(await region.sql('SELECT subnet FROM deployments')).toEqual([{ subnet: '10.0.0.0/24' }]),
    );
    await region.apply(second);
    const status_reason = 'creating_subnet is tried again: no subnet is left in 10.0.0.0/24';
    await eventually(async () => {
      const { body } = await client(url, key).get(`/deployments/${second.id}`);
      expect(body).toMatchObject({ status: 'creating_subnet', status_reason });
    });
    await told(region, 'reports', second.id, { data: { status: 'creating_subnet', status_reason } });
    await region.remove(first.id);
    await untilGone(url, key, first.id);
    expect(await untilStatus(url, key, second.id, 'initialized')).toMatchObject({ status_reason: null });
  });

  test('of a deletion as well', async () => {
    const drivers: typeof createDrivers = async (...options) => {
      const { compute, network } = await createDrivers(...options);
      const removeNode = () => Promise.reject(new Error('the machine does not let go'));
      return { network, compute: { ...compute, removeNode } };
    };
    const { url } = await region.startWith({ drivers });
    const key = await region.key();
    const shape = aDeployment();
    await region.apply(shape);
    await untilStatus(url, key, shape.id, 'initialized');
    await region.remove(shape.id);
    const status_reason = 'deleting is tried again: the machine does not let go';
    await told(region, 'reports', shape.id, { data: { status: 'deleting', status_reason } });
    expect(await untilStatus(url, key, shape.id, 'deleting')).toMatchObject({ status_reason });
    expect((await client(url, key).post(`/deployments/${shape.id}/retry`)).status).toBe(202);
  });

  test.each(['is removed in vain', 'cannot be asked for'])(
    'a deletion of which a node %s is told of once past its deadline, and goes on',
    async (how) => {
      let stuck = false;
      const drivers: typeof createDrivers = async (...options) => {
        const { compute, network } = await createDrivers(...options);
        const removeNode: typeof compute.removeNode = async (...call) => {
          if (!stuck) await compute.removeNode(...call);
        };
        const observe: typeof compute.observe = async (...call) => {
          if (stuck && how === 'cannot be asked for') throw new Error('the cloud is away');
          return await compute.observe(...call);
        };
        return { network, compute: { ...compute, removeNode, observe } };
      };
      const { url } = await region.startWith({ drivers });
      const key = await region.key();
      const shape = aDeployment();
      await region.apply(shape);
      await untilStatus(url, key, shape.id, 'initialized');
      stuck = true;
      await region.remove(shape.id);
      await untilStatus(url, key, shape.id, 'deleting');
      await region.sql(
        `UPDATE reconciliations SET active_seconds = 300, active_since = status_changed_at, due_at = now()
         FROM deployments WHERE id = deployment_id`,
      );
      const status_reason = expect.stringContaining('deleting did not finish within 300 s') as string;
      await told(region, 'events', shape.id, {
        type: 'deployment_deletion_overdue',
        data: { reason: status_reason },
      });
      await eventually(async () => {
        const reports = await messagesAbout<Told>(region, 'reports', shape.id);
        const data = expect.objectContaining({ status: 'deleting', status_reason }) as object;
        expect(reports).toContainEqual(expect.objectContaining({ data }));
      });
      expect(await metricsOf(url)).toMatch(/^sluice_deletions_overdue 1$/m);
      stuck = false;
      await client(url, key).post(`/deployments/${shape.id}/retry`);
      await untilGone(url, key, shape.id);
      const events = await messagesAbout<Told>(region, 'events', shape.id);
      expect(events.filter(({ type }) => type === 'deployment_deletion_overdue')).toHaveLength(1);
    },
  );
});
