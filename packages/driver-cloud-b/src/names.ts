import type { LinkedDeployment } from '@sluice/drivers';

/** Names that follow from uids, and marks: every object of a region at the cloud is found again by them, without the database. */

export type NetworkOwner = Pick<LinkedDeployment, 'id' | 'uid' | 'subnet'>;

const compact = (uid: string) => uid.replaceAll('-', '').toLowerCase();

export const linkName = (uid: string) => `sluice-${compact(uid)}`;
export const linkMark = (uid: string) => `sluice:link=${uid}`;
export const networkName = ({ id, uid }: NetworkOwner) =>
  uid === null ? `sluice-id-${id}` : `sluice-${compact(uid)}`;
export const networkMark = ({ id, uid }: NetworkOwner) => `sluice:deployment=${uid ?? `id-${id}`}`;
export const machineLabel = 'sluice-deployment';
