import type { Log } from '@sluice/system/log';
import { ConfigurationRefused, type BrokerConfiguration, type DesiredBroker } from '../runtimes/runtime.ts';
import { appliedOf, type BrokerFiles, type BrokerProcess, type NamedRuntime } from './broker-process.ts';
import type { ClusterMember } from './cluster-member.ts';
import { testConfiguration } from './configuration-test.ts';

export interface BrokerPlan extends NamedRuntime {
  run: boolean;
  /** false while other nodes of the cluster restart first */
  mayRestart: boolean;
  configuration: BrokerConfiguration;
  digest: string;
}

interface Present {
  files: BrokerFiles;
  member: ClusterMember;
  ownLogins: readonly string[];
  process: () => BrokerProcess | null;
  former: BrokerPlan | null;
  log: Log;
}

/** @throws ConfigurationRefused for what the runtime, the machine, stored data or the program itself do not take */
export async function planBroker(
  broker: DesiredBroker,
  { name, runtime }: NamedRuntime,
  { files, member, ownLogins, process, former, log }: Present,
): Promise<BrokerPlan> {
  const configuration = runtime.configure(broker, ownLogins, member.port);
  if (broker.encryption && !configuration.encryption)
    throw new ConfigurationRefused('this broker cannot encrypt what it stores');
  const { unknownKeys } = configuration;
  if (unknownKeys.length > 0)
    log.warn('configuration keys that this agent does not know', { keys: unknownKeys });
  const { digest, restart_key } = appliedOf(configuration);
  const running = process();
  // a process must not be ended for a configuration that another could not start with
  if (running !== null && running.applied?.restart_key !== restart_key)
    await runtime.check(configuration, running.pid);
  const isKnown = digest === former?.digest || digest === process()?.applied?.digest;
  // one that starts now shows by itself whether it is valid
  if (!isKnown && (process() !== null || broker.state === 'stopped'))
    await testConfiguration(files, runtime, configuration, broker);
  const run = broker.state === 'running' && member.isPlaced;
  return { name, runtime, run, mayRestart: member.mayRestart, configuration, digest };
}

export function isDifferent(former: BrokerPlan | null, plan: BrokerPlan): boolean {
  return (
    former?.name !== plan.name ||
    former.digest !== plan.digest ||
    former.run !== plan.run ||
    former.mayRestart !== plan.mayRestart
  );
}
