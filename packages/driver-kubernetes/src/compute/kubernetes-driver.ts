import type { RbacV1Subject } from '@kubernetes/client-node';
import type { DeploymentId } from '@sluice/contracts';
import type { Log } from '@sluice/system/log';
import {
  newSealingKey,
  sizeOf,
  type ComputeDriver,
  type DriverCall,
  type NodePlacement,
  type NodeToEnsure,
  type NodeToObserve,
  type ObservedMachine,
  type WantedNode,
} from '@sluice/drivers';
import { keyOf, type ApiObject, type Kind, type Wanted } from './api-object.ts';
import { podPlace } from './brokers-service.ts';
import type { KubernetesApi } from './kubernetes-api.ts';
import { clientsService, isLeftOver, reachOf } from './clients-service.ts';
import type { DeploymentObjectsInput } from './deployment-input.ts';
import { deploymentObjects, namespaceObject, roleBinding } from './deployment-objects.ts';
import { covers } from './drift.ts';
import { digestOf, enrolmentIn, tokenIn } from './enrolment.ts';
import { optionsOf, subjectOf, type Installation } from './installation.ts';
import { labels, nameOf, namespaceOf, nodeMark, nodeOf, nodesOf, uidOf } from './labels.ts';
import { claimOf, gibibytesOf, hasMoved, isMisplaced } from './node-claim.ts';
import { enrolmentSecret, nodeObjects, sealingSecret, type NodeObjects } from './node-objects.ts';
import { pullSecrets } from './pull-secret.ts';
import { isPrivateService, machineOf, presenceOf, silenceOf } from './presence.ts';
import { removeFrom, removeNode } from './removal.ts';
import { isOutdated, isTaken, withoutRestart } from './restart.ts';
import { isOfAnother, isForeign } from './foreign-objects.ts';
import { turns } from './turns.ts';
import { keptVolume } from './volume.ts';
import { watchObjects } from './watched.ts';
import { createWriter, isOwn, type Writer } from './writer.ts';

export interface KubernetesDriverOptions {
  api: KubernetesApi;
  installation: Installation;
  stopping: AbortSignal;
  now: () => Date;
  log: Log;
}

/** Secrets are not among them: the driver never reads them. */
const watchedKinds: readonly Kind[] = [
  'Namespace',
  'Pod',
  'PersistentVolumeClaim',
  'Service',
  'ResourceQuota',
  'LimitRange',
  'StatefulSet',
  'NetworkPolicy',
  'PodDisruptionBudget',
  'RoleBinding',
];

/**
 * A node is a StatefulSet of one pod with a volume, in the namespace of its deployment. What is there is watched, and brought to what
 * it should be by server-side apply; what has our names without our labels is left alone (decision 057).
 */
export function createKubernetesDriver(options: KubernetesDriverOptions): ComputeDriver {
  const { api, installation, stopping, now, log } = options;
  const { owner } = installation;
  const watched = watchObjects({
    ...{ api, stopping, log },
    kinds: watchedKinds,
    labels: `${labels.owner}=${owner}`,
  });
  const provided = optionsOf(installation);
  const inTurn = turns<DeploymentId>();
  let supervisor: RbacV1Subject | undefined;
  const whoWeAre = async (signal: AbortSignal) => (supervisor ??= subjectOf(await api.whoAmI(signal)));
  const removing = {
    ...{ api, watched, owner },
    rightsIn: async (space: ApiObject, signal: AbortSignal) =>
      roleBinding(installation, space.metadata, await whoWeAre(signal)),
  };

  const spaceOf = (deployment: DeploymentId) =>
    watched.get({ kind: 'Namespace', name: namespaceOf(owner, deployment) });

  /** What is there of a node, as of the last event; the volume only after a look, so that no loss is reported that is none. */
  async function partsOf(node: NodeToObserve, signal: AbortSignal) {
    const { id, deploymentId } = node;
    const [namespace, name] = [namespaceOf(owner, deploymentId), nameOf(id)];
    const claims = watched.list('PersistentVolumeClaim', namespace).filter((claim) => nodeOf(claim) === id);
    return {
      statefulSet: watched.get({ kind: 'StatefulSet', namespace, name }),
      service: watched.get({ kind: 'Service', namespace, name }),
      pod: watched.get({ kind: 'Pod', namespace, name: `${name}-0` }),
      volume: claimOf(claims, id) ?? (await lookForVolume(node, signal)),
    };
  }

  type Parts = Awaited<ReturnType<typeof partsOf>>;

  async function lookForVolume({ id, deploymentId }: NodeToObserve, signal: AbortSignal) {
    const [kind, namespace] = ['PersistentVolumeClaim', namespaceOf(owner, deploymentId)] as const;
    const selector = `${labels.owner}=${owner},${labels.node}=${id}`;
    const { items } = await api.list(kind, selector, signal, namespace);
    return claimOf(items, id) ?? (await api.read({ kind, namespace, name: nameOf(id) }, signal));
  }

  /** What is to be written goes by the volume that is the node's at this moment: a restore decides that by a label. */
  async function partsNow(node: NodeToObserve, signal: AbortSignal): Promise<Parts> {
    const parts = await partsOf(node, signal);
    const volume = await lookForVolume(node, signal);
    const { statefulSet } = parts;
    if (!statefulSet || !hasMoved(statefulSet, volume)) return { ...parts, volume };
    // a token for each look would be void at the next one
    const { name, namespace = '' } = statefulSet.metadata;
    return {
      ...parts,
      volume,
      statefulSet: await api.read({ kind: 'StatefulSet', name, namespace }, signal),
    };
  }

  async function placementOf(
    { tenantId, options: asked }: NodeToObserve,
    { pod }: Parts,
    service: ApiObject | undefined,
    signal: AbortSignal,
  ): Promise<NodePlacement> {
    const machine = machineOf(pod);
    const isAboutMachines = asked.includes('multi_az') || asked.includes('dedicated');
    const found =
      machine !== undefined && isAboutMachines
        ? await api.read({ kind: 'Node', name: machine }, signal)
        : undefined;
    const others = watched
      .list('Pod')
      .some((one) => machineOf(one) === machine && one.metadata.labels?.[labels.tenant] !== String(tenantId));
    const { dedicatedNodes } = installation;
    const isKept =
      dedicatedNodes !== undefined && found?.metadata.labels?.[dedicatedNodes.key] === dedicatedNodes.value;
    return {
      machine,
      zone: found?.metadata.labels?.['topology.kubernetes.io/zone'],
      isPrivate: isPrivateService(service),
      isDedicated: isKept && !others,
    };
  }

  function hasDrifted(wanted: Wanted): boolean {
    const live = watched.get(keyOf(wanted));
    return !live || !isOwn(live, wanted, owner) || !covers(live, wanted);
  }

  function restartOf(
    node: NodeToObserve,
    { pod, statefulSet, volume }: Parts,
    { others }: NodeObjects,
    { mayRestart }: WantedNode,
  ) {
    const set = others.find(({ kind }) => kind === 'StatefulSet');
    // a node that serves no clients is restarted at once; so is one whose volume a restore has replaced
    const serves =
      node.deployed && node.enrolled && presenceOf(pod).presence === 'running' && !isMisplaced(pod, volume);
    const awaits = serves && isOutdated(statefulSet, set, pod);
    return { awaits, waits: awaits && !mayRestart };
  }

  async function ensure(node: NodeToEnsure, call: DriverCall): Promise<void> {
    const { signal } = call;
    const deployment = deploymentOf(node, await node.wanted());
    const writer = createWriter(api, watched, owner, call);
    await removeForeign(node, call);
    const space = namespaceObject(installation, deployment);
    const live = await writer.read(space);
    if (live?.metadata.deletionTimestamp !== undefined)
      throw new Error('what was there before is still being removed');
    if (!live) await writer.apply(space);
    const [rights, ...others] = deploymentObjects(installation, deployment, await whoWeAre(signal));
    await writer.apply(rights);
    // the label of a node that is gone stays with who has created the namespace
    if (live) await dropFormerMarks(live, deployment, call);
    for (const object of [...pullSecrets(installation, deployment), space, ...others])
      await writer.apply(object);
    const parts = await partsNow(node, signal);
    const { statefulSet, volume } = parts;
    if (node.deployed && !volume) throw new Error(`the data of node ${node.id} is gone`);
    const keepsAgent = volume !== undefined && !hasMoved(statefulSet, volume);
    const sealing = sealingSecret(installation, deployment, node.id, newSealingKey());
    const hasKey = (await writer.read(sealing)) !== undefined;
    const keyLost = !hasKey && statefulSet !== undefined;
    const enrolment = await enrol(node, deployment, writer, keepsAgent && !keyLost);
    // after the token: a call that is cut short in between finds that the key is lost as well
    if (!hasKey) await writer.apply(sealing);
    // as it is now: the token may have taken a while
    const wanted = await node.wanted();
    const objects = objectsOf(node, deployment, wanted, parts, enrolment);
    await writer.apply(keptVolume(objects.volume, volume));
    const { waits } = restartOf(node, parts, objects, wanted);
    for (const object of waits ? withoutRestart(objects.others) : objects.others) await writer.apply(object);
    await endMisplaced(parts, call);
    await endLeftOver(node, deploymentOf(node, wanted), call);
  }

  /** Whether there is a Service of former settings by which no client comes any more. */
  const hasLeftOver = ({ siblings, deploymentId }: NodeToObserve, deployment: DeploymentObjectsInput) =>
    isLeftOver(
      installation,
      deployment,
      siblings.map((node) =>
        watched.get({ kind: 'Service', namespace: namespaceOf(owner, deploymentId), name: nameOf(node) }),
      ),
    );

  async function endLeftOver(
    node: NodeToObserve,
    deployment: DeploymentObjectsInput,
    call: DriverCall,
  ): Promise<void> {
    if (!deployment.clients || !hasLeftOver(node, deployment)) return;
    const { name, namespace = '', uid = '' } = deployment.clients.metadata;
    await call.confirm();
    await api.remove({ kind: 'Service', name, namespace }, uid, call.signal);
  }

  async function dropFormerMarks(
    live: ApiObject,
    { nodes }: DeploymentObjectsInput,
    call: DriverCall,
  ): Promise<void> {
    const former = nodesOf(live).filter((node) => !nodes.includes(node));
    if (former.length === 0) return;
    await call.confirm();
    const marks = Object.fromEntries(former.map((node) => [nodeMark(node), null]));
    await api.mark({ ...live, kind: 'Namespace' }, { labels: marks }, call.signal);
  }

  /** The cluster would wait for one that does not get ready before it makes another. */
  async function endMisplaced({ pod, statefulSet, volume }: Parts, call: DriverCall): Promise<void> {
    if (!volume || !isMisplaced(pod, volume) || !isTaken(statefulSet, volume)) return;
    const { name, namespace = '', uid = '' } = pod.metadata;
    await call.confirm();
    await api.remove({ kind: 'Pod', name, namespace }, uid, call.signal);
  }

  function objectsOf(
    node: NodeToObserve,
    deployment: DeploymentObjectsInput,
    { shape, rules }: WantedNode,
    { statefulSet, service, volume }: Parts,
    enrolment = enrolmentIn(statefulSet),
  ): NodeObjects {
    const { id } = node;
    const claim = volume?.metadata.name ?? nameOf(id);
    const input = { id, size: sizeOf(shape), storageType: shape.storage.type, claim, service, rules };
    return nodeObjects(installation, deployment, input, enrolment, now());
  }

  /**
   * Puts a token into the node's Secret where its agent needs one: it has not enrolled, or its key is not on the volume, or sealed with one that is gone. One whose
   * key a person has taken away gets none, until they remove the Secret.
   * @returns what tells the token from others; undefined where it needs none
   */
  async function enrol(
    node: NodeToEnsure,
    deployment: DeploymentObjectsInput,
    writer: Writer,
    keepsAgent: boolean,
  ): Promise<string | undefined> {
    const anew = node.enrolled && !keepsAgent;
    if (node.enrolled && !anew) return undefined;
    const waiting = tokenIn(await writer.read(enrolmentSecret(installation, deployment, node.id, '')));
    if (waiting !== undefined && !anew && (node.revoked || node.hasToken(waiting))) return digestOf(waiting);
    const token = await node.issueToken({ anew });
    if (token === undefined) return undefined;
    await writer.apply(enrolmentSecret(installation, deployment, node.id, token));
    return digestOf(token);
  }

  /** What another deployment has left under the node's id goes first. */
  async function removeForeign(node: NodeToObserve, call: DriverCall): Promise<void> {
    const foreign = watched
      .list('Namespace')
      .filter((space) => isForeign(space, node, namespaceOf(owner, node.deploymentId)));
    for (const space of foreign) {
      log.warn('what was not this node is removed', { node: node.id, namespace: space.metadata.name });
      await removeFrom(removing, space, node.id, call);
    }
    if (foreign.length > 0) throw new Error('what another deployment has left under its id is being removed');
  }

  function deploymentOf(
    { deploymentId, deploymentUid, tenantId, siblings, options: asked }: NodeToObserve,
    { shapes, isCluster }: WantedNode,
  ): DeploymentObjectsInput {
    const namespace = namespaceOf(owner, deploymentId);
    const claims = watched.list('PersistentVolumeClaim', namespace);
    return {
      clients: watched.get({ kind: 'Service', namespace, name: clientsService }),
      ...{ id: deploymentId, uid: deploymentUid, tenantId, nodes: siblings, isCluster },
      options: asked.filter((option) => provided.includes(option)),
      ...{ sizes: shapes.map(sizeOf), largestVolume: Math.max(0, ...claims.map(gibibytesOf)) },
    };
  }

  return {
    phases: ['waiting_for_nodes', 'deploying_nodes'],
    brokerPlace: podPlace(owner),
    options: { managed: provided },

    async ensureNode(node, call) {
      await watched.ready(call.signal);
      // nodes of one deployment share objects
      await inTurn(node.deploymentId, () => ensure(node, call));
    },

    removeNode: (node, call) => removeNode(removing, node, call),

    async observe(node, { signal }): Promise<ObservedMachine> {
      await watched.ready(signal);
      const name = namespaceOf(owner, node.deploymentId);
      // the copy may be behind what another replica has made
      const space = spaceOf(node.deploymentId) ?? (await api.read({ kind: 'Namespace', name }, signal));
      if (!space || space.metadata.labels?.[labels.owner] !== owner) return { presence: 'none' };
      const dataGone = (volume: ApiObject | undefined) => node.deployed && !volume;
      if (space.metadata.deletionTimestamp !== undefined)
        return { presence: 'stopped', reason: 'what was there before is still being removed' };
      if (isOfAnother(space, node))
        return { presence: 'stopped', reason: 'another deployment has left something under its id' };
      const parts = await partsOf(node, signal);
      const { service, pod, volume } = parts;
      const wanted = await node.wanted();
      const deployment = deploymentOf(node, wanted);
      const objects = objectsOf(node, deployment, wanted, parts);
      const restart = restartOf(node, parts, objects, wanted);
      const all = [
        namespaceObject(installation, deployment),
        ...deploymentObjects(installation, deployment, await whoWeAre(signal)),
        keptVolume(objects.volume, volume),
        ...(restart.waits ? withoutRestart(objects.others) : objects.others),
      ];
      const present = presenceOf(pod);
      const reach = reachOf(installation, deployment, service, pod);
      const isSilent = present.presence === 'running' && !node.enrolled && !node.revoked;
      const silence = isSilent ? silenceOf(pod, installation.supervisorUrl, now()) : undefined;
      return {
        ...present,
        ...(silence !== undefined && { reason: silence }),
        ...(wanted.isCluster && { awaitsRestart: restart.awaits }),
        drifted:
          (!node.enrolled && !node.revoked) ||
          isMisplaced(pod, volume) ||
          all.some(hasDrifted) ||
          hasLeftOver(node, deployment),
        dataGone: dataGone(volume),
        address: reach.address,
        ...(node.options.length > 0 && { placement: await placementOf(node, parts, reach.service, signal) }),
      };
    },

    async list() {
      const { items } = await api.list('Namespace', `${labels.owner}=${owner}`);
      return items.flatMap((space) => nodesOf(space).map((id) => ({ id, deploymentUid: uidOf(space) })));
    },

    watch(changed) {
      return watched.onChange((object, kind) => {
        const node = nodeOf(object);
        const space = { kind: 'Namespace', name: object.metadata.namespace ?? '' } as const;
        const home = kind === 'Namespace' ? object : watched.get(space);
        const nodes = node === undefined ? (home ? nodesOf(home) : []) : [node];
        if (nodes.length > 0) changed(nodes);
      });
    },
  };
}
