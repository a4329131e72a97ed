import { aDeployment } from '@sluice/testing';
import { idOf, type DeploymentSpec, type NodeId, type RegionOption } from '@sluice/contracts';
import { sizeOf, type NetworkRule } from '@sluice/drivers';
import type { ApiObject, Wanted } from '../src/compute/api-object.ts';
import type { DeploymentObjectsInput } from '../src/compute/deployment-input.ts';
import { deploymentObjects, namespaceObject } from '../src/compute/deployment-objects.ts';
import type { Installation } from '../src/compute/installation.ts';
import { nodeObjects } from '../src/compute/node-objects.ts';
import { noTemplate } from '../src/compute/node-template.ts';
import { pullSecrets } from '../src/compute/pull-secret.ts';

export const anInstallation = (more: Partial<Installation> = {}): Installation => ({
  owner: 'test',
  image: 'sluice/node:dev',
  serviceType: 'NodePort',
  privateService: { type: 'ClusterIP', annotations: {} },
  podTemplate: noTemplate.pods,
  serviceTemplate: noTemplate.services,
  zones: 1,
  storageClasses: {},
  agentEnvironment: { LOG_LEVEL: 'info' },
  supervisorUrl: 'https://supervisor.sluice.svc',
  supervisorPeers: [],
  refusedBlocks: [],
  allowedBlocks: [],
  refusedPorts: [25],
  resolvers: [],
  clusterSpread: 'required',
  role: 'sluice-nodes',
  ...more,
});

interface Shown {
  installation?: Partial<Installation>;
  tier?: 'free' | 'large';
  rules?: NetworkRule[];
  nodes?: number;
  isCluster?: boolean;
  options?: RegionOption[];
  claim?: string;
  largestVolume?: number;
  service?: ApiObject;
  clients?: ApiObject;
  /** another one each time, where it says nothing */
  shape?: DeploymentSpec;
}

export function objectsOf({
  installation: more,
  tier = 'free',
  rules = [],
  nodes = 1,
  isCluster = false,
  options = [],
  claim = 'node-100',
  largestVolume = 0,
  service,
  clients,
  shape = aDeployment({ tier }),
}: Shown = {}) {
  const installation = anInstallation(more);
  const size = sizeOf({ tier, storage: shape.storage, resources: shape.limits });
  const ids = Array.from({ length: nodes }, (_, index) => idOf<NodeId>(100 + index));
  const deployment: DeploymentObjectsInput = {
    ...{ id: shape.id, uid: shape.uid, tenantId: shape.tenant_id },
    ...{ nodes: ids, sizes: [size], largestVolume, isCluster, options, clients },
  };
  const supervisor = { kind: 'ServiceAccount', name: 'supervisor', namespace: 'sluice' };
  const node = { id: ids[0]!, size, storageType: shape.storage.type, claim, service, rules };
  const made = nodeObjects(installation, deployment, node, 'e', new Date());
  const all = [
    namespaceObject(installation, deployment),
    ...pullSecrets(installation, deployment),
    ...deploymentObjects(installation, deployment, supervisor),
    made.volume,
    ...made.others,
  ];
  return Object.fromEntries(
    all.map((object) => [`${object.kind} ${object.metadata.name}`, object]),
  ) as Record<string, Wanted>;
}
