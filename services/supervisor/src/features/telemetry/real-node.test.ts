import { aDeployment, client, eventually } from '@sluice/testing';
import { untilStatus } from '#test/client.ts';
import { messagesAbout } from '#test/messages.ts';
import { supervisor } from '#test/region.ts';

const region = supervisor({
  replicas: 1,
  environment: {
    METRICS_SECONDS: '0.5',
    TELEMETRY_SEND_SECONDS: '0.5',
    HEALTH_CPU_PERCENT: '0',
    HEALTH_RAISE_SECONDS: '0',
  },
});

test('a node that runs tells what it measures, how its broker is and what that logs', async () => {
  const { url } = region.replica();
  const key = await region.key();
  const { id, nodes } = aDeployment();
  await region.apply({ ...aDeployment(), id, nodes });
  await untilStatus(url, key, id, 'initialized');
  const list = async (path: string) => {
    const { status, body } = await client(url, key).get<{ items: object[] }>(`/deployments/${id}/${path}`);
    expect(status).toBe(200);
    return body.items;
  };
  await eventually(
    async () => {
      const named = (...names: string[]) =>
        expect.objectContaining(Object.fromEntries(names.map((name) => [name, expect.anything()]))) as object;
      expect(await list('metrics?runtime=node&results=1')).toMatchObject([
        { node_id: nodes[0]?.id, metrics: named('cpu_percent', 'memory_percent', 'disk_percent') },
      ]);
      expect(await list('metrics?runtime=broker&results=1')).toMatchObject([
        { metrics: named('connections') },
      ]);
      // it has no instance, and so no process that could be measured
      expect(await list('metrics?runtime=connectors&results=1')).toMatchObject([
        { status: 'stopped', metrics: named('instances', 'running_sources', 'running_sinks') },
      ]);
      expect(await list('heartbeats?runtime=broker&results=1')).toMatchObject([{ status: 'running' }]);
      expect(await list('logs?runtime=broker&message=Server is ready')).toMatchObject([{ level: 'info' }]);
    },
    { timeoutMs: 20_000 },
  );
  // an alert by what was really measured
  await eventually(async () => {
    const events = await messagesAbout<{ type: string }>(region, 'events', id);
    expect(events.map(({ type }) => type)).toContain('high_cpu_usage');
  });
}, 60_000);
