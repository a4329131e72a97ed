import { drivers as acme } from '@sluice/driver-acme';
import { drivers as cloudA } from '@sluice/driver-cloud-a';
import { drivers as cloudB } from '@sluice/driver-cloud-b';
import { drivers as kubernetes } from '@sluice/driver-kubernetes';
import { drivers as local } from '@sluice/driver-local';
import { drivers as machines } from '@sluice/driver-machines';
import { registryOf } from '@sluice/drivers';

/** The drivers that this release has. */
export const installedDrivers = registryOf([
  ...local,
  ...kubernetes,
  ...machines,
  ...cloudA,
  ...cloudB,
  ...acme,
]);
