import type { LinkedDeployment } from '@sluice/drivers';
import { change, ensure, kindOf, pathOf, remove, sameSet } from './api-changes.ts';
import type { compute_v1, Step } from './clients.ts';
import { portsOf } from './firewalls.ts';
import { ensureMembers } from './members.ts';
import { linkMark, linkName } from './names.ts';
import type { DeploymentNetwork } from './networks.ts';

/** What endpoints are connected with: a balancer per attachment, which hands packets on to the deployment's machines, ports as they are. */

interface Balanced {
  uid: string;
  deployment: LinkedDeployment;
}

/** port that is tried while no broker is known */
const defaultPort = 4222;

/** Makes the balancer unless it is there, and has it lead to where the brokers are now. @returns a link to its entrance */
export async function ensureBalancer(
  step: Step,
  link: Balanced,
  network: DeploymentNetwork,
): Promise<string> {
  const health = await ensureHealthCheck(step, link);
  const groups = await ensureMembers(step, link.deployment, network.network);
  const service = await ensure(
    step,
    backendKind(step, link.uid, {
      healthChecks: [health],
      network: network.network,
      backends: backendsOf(groups),
    }),
  );
  await keepBackends(step, link.uid, service, groups);
  const rule = {
    ...{ backendService: service.selfLink ?? '', network: network.network, subnetwork: network.subnetwork },
    // all ports; a rule of the firewall opens those of brokers alone
    ...{ IPProtocol: 'TCP', allPorts: true, allowGlobalAccess: true, loadBalancingScheme: 'INTERNAL' },
  };
  const { selfLink } = await ensure(step, ruleKind(step, link.uid, rule));
  return selfLink ?? '';
}

/** Takes away what there is of a balancer. @returns whether nothing was left */
export async function removeBalancer(step: Step, uid: string): Promise<boolean> {
  const kinds = [ruleKind(step, uid), backendKind(step, uid), healthKind(step, uid)];
  let left = false;
  // each needs the one after it
  for (const kind of kinds) left = (await remove(step, kind)) || left;
  return !left;
}

async function ensureHealthCheck(step: Step, { uid, deployment }: Balanced): Promise<string> {
  const { api, project, region } = step;
  const known =
    deployment.brokers.flatMap(({ ports }) => ports.broker_tcp ?? [])[0] ?? portsOf(deployment)[0];
  const tcpHealthCheck = { port: Number(known ?? defaultPort) };
  const found = await ensure(step, healthKind(step, uid, { type: 'TCP', tcpHealthCheck }));
  if (found.tcpHealthCheck?.port !== tcpHealthCheck.port)
    await change(step, (options) =>
      api.regionHealthChecks.patch(
        { project, region, healthCheck: linkName(uid), requestBody: { type: 'TCP', tcpHealthCheck } },
        options,
      ),
    );
  return found.selfLink ?? '';
}

const backendsOf = (groups: readonly string[]) =>
  groups.map((group) => ({ group, balancingMode: 'CONNECTION' }));

async function keepBackends(
  step: Step,
  uid: string,
  { backends = [], fingerprint }: compute_v1.Schema$BackendService,
  groups: readonly string[],
): Promise<void> {
  const { api, project, region } = step;
  const known = backends.map(({ group }) => pathOf(group));
  if (sameSet(known, groups.map(pathOf))) return;
  const requestBody = { backends: backendsOf(groups), ...(fingerprint && { fingerprint }) };
  await change(step, (options) =>
    api.regionBackendServices.patch({ project, region, backendService: linkName(uid), requestBody }, options),
  );
}

const healthKind = ({ api, ...place }: Step, uid: string, wanted: compute_v1.Schema$HealthCheck = {}) =>
  kindOf<compute_v1.Schema$HealthCheck>(api.regionHealthChecks, 'healthCheck', place, {
    ...wanted,
    name: linkName(uid),
    description: linkMark(uid),
  });

const backendKind = ({ api, ...place }: Step, uid: string, wanted: compute_v1.Schema$BackendService = {}) =>
  kindOf<compute_v1.Schema$BackendService>(api.regionBackendServices, 'backendService', place, {
    ...wanted,
    name: linkName(uid),
    description: linkMark(uid),
    loadBalancingScheme: 'INTERNAL',
    protocol: 'TCP',
  });

const ruleKind = ({ api, ...place }: Step, uid: string, wanted: compute_v1.Schema$ForwardingRule = {}) =>
  kindOf<compute_v1.Schema$ForwardingRule>(api.forwardingRules, 'forwardingRule', place, {
    ...wanted,
    name: linkName(uid),
    description: linkMark(uid),
  });
