import { aDeployment, eventually } from '@sluice/testing';
import { untilStatus } from '#test/client.ts';
import { supervisor } from '#test/region.ts';

describe('a deployment that lacks nothing', () => {
  const region = supervisor({ per: 'test' });

  test('rests for minutes, and is woken when its agent ends, although another supervisor had started that', async () => {
    const first = await region.start();
    const key = await region.key();
    const shape = aDeployment();
    const nodeId = shape.nodes[0]!.id;
    await region.apply(shape);
    await untilStatus(first.url, key, shape.id, 'initialized');
    await first.stop();
    await region.start();
    const atRest = () =>
      eventually(async () => {
        const rows = await region.sql(
          "SELECT leased_by, due_at > now() + interval '3 minutes' AS rests FROM reconciliations",
        );
        expect(rows).toEqual([{ leased_by: null, rests: true }]);
      });
    await atRest();

    const killed = await region.agentOf(nodeId);
    process.kill(killed, 'SIGKILL');
    await eventually(async () => expect(await region.agentOf(nodeId)).not.toBe(killed));
    await atRest();
  });
});
