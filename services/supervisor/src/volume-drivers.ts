import type { SupervisorEnvironment } from './config.ts';
import type { Database } from './database/tables.ts';
import { findCopyPlace } from './stores/backups.store.ts';
import type { Deployment } from './stores/deployments.store.ts';
import { findAccess, findMaker, listAccesses } from './stores/enrolments.store.ts';
import { volumesByMaker } from './volumes/by-maker.ts';
import { createLocalVolumes } from './volumes/local/local-volumes.ts';
import type { VolumeDriver } from './volumes/volume-driver.ts';

/** Whether there are backups of a deployment in this region: that goes by what makes its nodes. */
export type KeepsBackups = (deployment: Pick<Deployment, 'byoc_driver'>) => boolean;

export const keepsBackups =
  (environment: SupervisorEnvironment): KeepsBackups =>
  ({ byoc_driver: maker }) => {
    if (maker === null) return ofOwnNodes(environment) !== undefined;
    return maker === 'cloud_a' && makesInstances(environment);
  };

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
): Promise<VolumeDriver | undefined> {
  const own = ofOwnNodes(environment);
  const cloud_a = makesInstances(environment) ? await ofInstances(environment, database) : undefined;
  if (!own && !cloud_a) return undefined;
  const makers = {
    ofNode: (node: Parameters<typeof findMaker>[1]) => findMaker(database, node),
    async ofCopy(copy: string) {
      const place = await findCopyPlace(database, copy);
      return place && place.byoc_driver;
    },
  };
  return volumesByMaker(makers, await own?.(), { ...(cloud_a && { cloud_a }) });
}

function ofOwnNodes({
  COMPUTE_DRIVER,
  LOCAL_NODES_DIR: nodesFolder,
  BACKUPS_DIR: backupsFolder,
}: SupervisorEnvironment): (() => Promise<VolumeDriver>) | undefined {
  if (COMPUTE_DRIVER !== 'local' || nodesFolder === undefined || backupsFolder === undefined)
    return undefined;
  return () => createLocalVolumes({ nodesFolder, backupsFolder });
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
