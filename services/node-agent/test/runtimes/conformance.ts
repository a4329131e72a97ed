import { join } from 'node:path';
import type { BrokerStatistics } from '@sluice/contracts';
import { findProcesses, identify, naming } from '@sluice/system';
import { eventually } from '@sluice/testing';
import { endpointOf, failed, removeNodes, running, runningNode } from '../fixtures/node.ts';
import { credentials, everybody } from '../fixtures/supervisor.ts';

export interface RuntimeUnderTest {
  name: string;
  program?: string;
  /** True when a client with the deployment's login is served at this endpoint of `broker_tcp`. */
  serves: (endpoint: string) => Promise<boolean>;
  /** a change that a running broker takes up */
  reloaded: Record<string, string>;
  /** values that no broker takes, and the reason that is reported */
  refused: { values: Record<string, string>; reason: RegExp };
}

/** What the agent relies on in every runtime. Each test drives the real agent, its gateway and the runtime's own program. */
export function describeRuntime({ name, program, serves, reloaded, refused }: RuntimeUnderTest): void {
  const open = async (values: Record<string, string> = {}) => {
    const node = await runningNode({ ...(program && { program }), broker: { runtime: name, values } });
    await node.supervisor.desire({ access_rules: everybody });
    return node;
  };

  describe(`the runtime ${name}`, () => {
    afterEach(removeNodes);

    test('is started, reported, and reached through the gateway by clients that a rule admits', async () => {
      const { supervisor, tcp } = await open();
      const { runtimes, ports, statistics } = await supervisor.hears(running);
      const version = expect.stringMatching(/^\d+\.\d+/) as string;
      expect(runtimes).toEqual([{ runtime: 'broker', status: 'running', version, reason: null }]);
      expect(endpointOf(ports.broker_tcp)).toBe(tcp);
      const empty = { streams: 0, topics: 0, partitions: 0, segments: 0, messages: 0, consumer_groups: 0 };
      expect(statistics).toEqual({ ...empty, clients: 0 } satisfies BrokerStatistics);
      expect(await serves(tcp)).toBe(true);
      await supervisor.desire({ access_rules: [] });
      expect(await serves(tcp)).toBe(false);
    });

    test('takes up a change without a restart, and goes on with the former one where it refuses the next', async () => {
      const { supervisor, tcp, brokerPid } = await open();
      const before = await brokerPid();
      await supervisor.desire({ broker: { values: reloaded } });
      await supervisor.hears(running);
      await supervisor.desire({ broker: { values: refused.values } });
      const { runtimes } = await supervisor.heard(failed);
      expect(runtimes[0]?.reason).toMatch(refused.reason);
      expect(await serves(tcp)).toBe(true);
      expect(await brokerPid()).toBe(before);
    });

    test('is probed, started again when it is killed, and taken over by the next agent', async () => {
      const { home, supervisor, agent, startAgent, brokerPid, tcp } = await open();
      process.kill(await brokerPid(), 'SIGSTOP');
      const { runtimes } = await supervisor.heard(failed);
      expect(runtimes[0]?.reason).toBe('the broker does not answer');
      const killed = await brokerPid();
      process.kill(killed, 'SIGKILL');
      await eventually(async () => expect(await brokerPid()).not.toBe(killed));
      await supervisor.hears(running);
      const before = await brokerPid();
      agent.child.kill('SIGKILL');
      await agent.ended;
      startAgent();
      await supervisor.hears(running);
      expect(await findProcesses(naming(join(home, 'broker.conf')))).toEqual([before]);
      expect(await serves(tcp)).toBe(true);
    });

    test('is stopped when that is desired, and not with the agent', async () => {
      const { supervisor, agent, brokerPid } = await open();
      const first = await brokerPid();
      await supervisor.desire({ broker: { state: 'stopped' } });
      await supervisor.hears(({ runtimes }) => runtimes[0]?.status === 'stopped');
      expect(await identify(first)).toBeNull();
      await supervisor.desire({ broker: { state: 'running' } });
      await supervisor.hears(running);
      const second = await brokerPid();
      agent.child.kill('SIGTERM');
      expect(await agent.ended).toEqual({ code: 0, errors: '' });
      expect(await identify(second)).not.toBeNull();
    });

    test('admits the former login until its end', async () => {
      const { supervisor, tcp } = await open();
      const valid_to = new Date(Date.now() + 600_000).toISOString();
      await supervisor.desire({
        broker: {
          credentials: { username: 'newer', password: 'another-password-of-32-characters' },
          former_credentials: [{ ...credentials, valid_to }],
        },
      });
      await supervisor.hears(running);
      expect(await serves(tcp)).toBe(true);
    });
  });
}
