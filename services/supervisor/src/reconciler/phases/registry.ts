import type { Drivers } from '../../drivers.ts';
import { configuringCertificates } from './certificate-phase.ts';
import { deployingNodes, waitingForNodes } from './node-phases.ts';
import { oneTimePhase, type Phase } from './phase.ts';

/** All phases, in the order in which a deployment goes through those that its installation has. */
export const provisioningPhases: readonly Phase[] = [
  oneTimePhase({
    status: 'creating_subnet',
    condition: 'SubnetAssigned',
    lacking: 'the deployment has no subnet',
  }),
  oneTimePhase({
    status: 'securing_network',
    condition: 'NetworkSecured',
    lacking: 'the network is not secured',
  }),
  oneTimePhase({
    status: 'configuring_dns',
    condition: 'DnsConfigured',
    lacking: 'the domain is not configured',
  }),
  configuringCertificates,
  waitingForNodes,
  deployingNodes,
];

type DriversOfPhases = Pick<Drivers, 'compute' | 'certificates'> & {
  network: Pick<Drivers['network'], 'phases'>;
};

/**
 * The phases that the drivers of this installation do, in the registry's order.
 * @throws Error when a driver does one that is not registered
 */
export function installedPhases(
  { compute, network, certificates }: DriversOfPhases,
  registry: readonly Phase[] = provisioningPhases,
): Phase[] {
  const done = new Set<string>([...Object.keys(network.phases), ...compute.phases]);
  if (certificates) done.add('configuring_certificates');
  const installed = registry.filter(({ status }) => done.delete(status));
  if (done.size > 0) throw new Error(`No phase is registered for ${[...done].join(', ')}`);
  return installed;
}
