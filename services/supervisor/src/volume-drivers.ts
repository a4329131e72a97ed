import type { Log } from '@sluice/service';
import type { SupervisorEnvironment } from './config.ts';
import type { Cluster } from './compute/kubernetes/cluster.ts';
import type { Database } from './database/tables.ts';
import { findCopyPlace } from './stores/backups.store.ts';
import type { Deployment } from './stores/deployments.store.ts';
import { findAccess, findMaker, listAccesses } from './stores/enrolments.store.ts';
import { volumesByMaker } from './volumes/by-maker.ts';
import { createLocalVolumes } from './volumes/local/local-volumes.ts';
import type { VolumeDriver } from './volumes/volume-driver.ts';

/** Whether there are backups of a deployment: that goes by what makes its nodes. */
export type KeepsBackups = (deployment: Pick<Deployment, 'byoc_driver'>) => boolean;

/** Which deployments there are backups of in this region, as far as it is known now. */
export type LookForBackups = () => Promise<KeepsBackups>;

export async function lookForBackups(
  environment: SupervisorEnvironment,
  log: Log,
  stopping: AbortSignal,
): Promise<LookForBackups> {
  const ofInstances = makesInstances(environment);
  const ofOwn = await lookForOwn(environment, log, stopping);
  return async () => {
    const own = await ofOwn();
    return ({ byoc_driver: maker }) => (maker === null ? own : maker === 'cloud_a' && ofInstances);
  };
}

/** Whether there are backups of the region's own nodes. */
async function lookForOwn(
  environment: SupervisorEnvironment,
  log: Log,
  stopping: AbortSignal,
): Promise<() => Promise<boolean>> {
  if (environment.COMPUTE_DRIVER === 'local') {
    const kept = foldersOf(environment) !== undefined;
    return () => Promise.resolve(kept);
  }
  const { snapshotsAvailable } = await import('./volumes/kubernetes/availability.ts');
  const snapshotClass = environment.KUBERNETES_SNAPSHOT_CLASS;
  return snapshotsAvailable({ cluster: await reachCluster(environment, stopping), snapshotClass, log });
}

/** Whether nodes are made in accounts of customers. */
export const makesInstances = ({ CLOUD, CLOUD_A_IMAGE }: SupervisorEnvironment) =>
  CLOUD === 'cloud_a' && CLOUD_A_IMAGE !== undefined;

/** characters that a value of the cloud's tags has */
const longestTag = 256;

/** By which what this supervisor has made is told from what another has made in the same account. */
export const supervisorName = ({ PUBLIC_URL }: SupervisorEnvironment) => PUBLIC_URL.slice(0, longestTag);

/** Undefined where there are no backups. */
export async function createVolumes(
  environment: SupervisorEnvironment,
  database: Database,
  stopping: AbortSignal,
): Promise<VolumeDriver | undefined> {
  const own = await ofOwnNodes(environment, stopping);
  const cloud_a = makesInstances(environment) ? await ofInstances(environment, database) : undefined;
  if (!own && !cloud_a) return undefined;
  const makers = {
    ofNode: (node: Parameters<typeof findMaker>[1]) => findMaker(database, node),
    async ofCopy(copy: string) {
      const place = await findCopyPlace(database, copy);
      return place && place.byoc_driver;
    },
  };
  return volumesByMaker(makers, own, { ...(cloud_a && { cloud_a }) });
}

async function ofOwnNodes(
  environment: SupervisorEnvironment,
  stopping: AbortSignal,
): Promise<VolumeDriver | undefined> {
  if (environment.COMPUTE_DRIVER === 'kubernetes') return await ofPods(environment, stopping);
  const folders = foldersOf(environment);
  return folders && (await createLocalVolumes(folders));
}

function foldersOf({ LOCAL_NODES_DIR: nodesFolder, BACKUPS_DIR: backupsFolder }: SupervisorEnvironment) {
  if (nodesFolder === undefined || backupsFolder === undefined) return undefined;
  return { nodesFolder, backupsFolder };
}

async function ofPods(environment: SupervisorEnvironment, stopping: AbortSignal): Promise<VolumeDriver> {
  const { createKubernetesVolumes } = await import('./volumes/kubernetes/kubernetes-volumes.ts');
  return createKubernetesVolumes({
    cluster: await reachCluster(environment, stopping),
    owner: environment.KUBERNETES_OWNER,
    snapshotClass: environment.KUBERNETES_SNAPSHOT_CLASS,
  });
}

/** The client's library is large, and most supervisors on a laptop have no cluster. */
async function reachCluster({ KUBECONFIG }: SupervisorEnvironment, stopping: AbortSignal): Promise<Cluster> {
  const { createCluster } = await import('./compute/kubernetes/cluster.ts');
  const { connectTo, readKubeconfig } = await import('./compute/kubernetes/connection.ts');
  return createCluster(connectTo(readKubeconfig(KUBECONFIG), stopping));
}

/** The cloud's library is large, and most supervisors need none. */
async function ofInstances(environment: SupervisorEnvironment, database: Database): Promise<VolumeDriver> {
  const { createCloudAVolumes } = await import('./volumes/cloud-a/cloud-a-volumes.ts');
  return createCloudAVolumes({
    ...{ region: environment.REGION, supervisor: supervisorName(environment), now: () => new Date() },
    findAccess: (node) => findAccess(database, node),
    async findCopyAccess(copy) {
      const place = await findCopyPlace(database, copy);
      return place?.access ? { ...place, access: place.access } : undefined;
    },
    listAccesses: () => listAccesses(database),
  });
}
