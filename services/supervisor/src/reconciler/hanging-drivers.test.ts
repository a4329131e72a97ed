import type { DeploymentId } from '@sluice/contracts';
import { aDeployment, eventually, metricsOf } from '@sluice/testing';
import { untilGone, untilStatus } from '#test/client.ts';
import { messagesAbout } from '#test/messages.ts';
import { supervisor } from '#test/region.ts';
import { createDrivers } from '../drivers.ts';

interface Report {
  status: string;
  connectors?: object;
}

const never = new Promise<never>(() => undefined);

describe('a driver that does not answer', () => {
  const region = supervisor({ per: 'test' });
  const hanging = new Set<DeploymentId>();
  const asked = new Set<DeploymentId>();
  afterEach(() => {
    hanging.clear();
    asked.clear();
  });

  const drivers: typeof createDrivers = async (...options) => {
    const { compute, network } = await createDrivers(...options);
    const ensureNode: typeof compute.ensureNode = async (node, call) => {
      asked.add(node.deploymentId);
      await (hanging.has(node.deploymentId) ? never : compute.ensureNode(node, call));
    };
    return { network, compute: { ...compute, ensureNode } };
  };

  test('to six calls, not even to their abortion, keeps no other deployment from being made or deleted', async () => {
    const { url } = await region.startWith({ drivers }, { environment: { RECONCILER_SLOTS: '6' } });
    const key = await region.key();
    const stuck = Array.from({ length: 6 }, () => aDeployment());
    for (const shape of stuck) hanging.add(shape.id);
    await Promise.all(stuck.map((shape) => region.apply(shape)));
    await eventually(() => expect(asked.size).toBe(6));

    const quick = aDeployment();
    await region.apply(quick);
    await untilStatus(url, key, quick.id, 'initialized');
    await region.remove(quick.id);
    await untilGone(url, key, quick.id);
  }, 60_000);

  test('is given up at its limit, and asked again', async () => {
    const { url } = await region.startWith({ drivers }, { environment: { DRIVER_ENSURE_SECONDS: '0.2' } });
    const key = await region.key();
    const shape = aDeployment();
    hanging.add(shape.id);
    await region.apply(shape);
    await eventually(async () => {
      const rows = await region.sql('SELECT last_error FROM reconciliations');
      expect(rows).toEqual([{ last_error: 'ensureNode was not answered within 0.2 s' }]);
    });
    const metrics = await metricsOf(url);
    expect(metrics).toMatch(/sluice_driver_call_seconds_count{call="ensureNode",outcome="timeout"} [1-9]/);
    expect(metrics).toMatch(/sluice_driver_calls_in_flight{call="ensureNode"} [1-9]/);
    expect(metrics).toMatch(
      /sluice_reconcile_step_seconds_count{step="ensure_nodes",outcome="failed"} [1-9]/,
    );
    expect(metrics).toMatch(/sluice_reconcile_due \d/);
    hanging.clear();
    await untilStatus(url, key, shape.id, 'initialized');
  });
});

describe('a step whose lease has been taken', () => {
  const region = supervisor({ per: 'test' });

  test('stores nothing when it comes to its end, and the deployment goes through each status once', async () => {
    const begun = Promise.withResolvers<void>();
    const released = Promise.withResolvers<void>();
    let calls = 0;
    const drivers: typeof createDrivers = async (...options) => {
      const { compute, network } = await createDrivers(...options);
      const configuring_dns: typeof network.phases.configuring_dns = async (tx, deployment) => {
        calls++;
        begun.resolve();
        await released.promise;
        await network.phases.configuring_dns?.(tx, deployment);
      };
      return { compute, network: { ...network, phases: { ...network.phases, configuring_dns } } };
    };
    const { url } = await region.startWith({ drivers });
    const key = await region.key();
    const shape = aDeployment();
    await region.apply(shape);
    await begun.promise;
    // as another replica would, had this one been frozen for longer than its lease
    await region.sql(
      "UPDATE reconciliations SET fence = fence + 1, leased_by = 'another', leased_until = now() + interval '1 hour', due_at = now() + interval '1 hour'",
    );
    released.resolve();
    const leaseOf = async () => await region.sql('SELECT leased_by FROM reconciliations');
    await untilStatus(url, key, shape.id, 'configuring_dns');
    expect(await leaseOf()).toEqual([{ leased_by: 'another' }]);

    await region.sql('UPDATE reconciliations SET leased_until = NULL, due_at = now()');
    await untilStatus(url, key, shape.id, 'initialized');
    expect(calls).toBe(2);
    const reports = await eventually(async () => {
      const found = await messagesAbout<{ data: Report }>(region, 'reports', shape.id);
      expect(found.at(-1)?.data.status).toBe('initialized');
      // one that tells of connectors repeats the status
      return found.filter(({ data }) => data.connectors === undefined);
    });
    expect(reports).toHaveLength(new Set(reports.map(({ data }) => data.status)).size);
  });
});
