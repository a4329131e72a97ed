export * from './generated/index.ts';
export { createClient, type ClientOptions, type SluiceClient } from './client.ts';
export type { Addresses, Place, RegionName } from './addresses.ts';
export { startDeviceSignIn, type DeviceSignIn, type DeviceSignInOptions, type DeviceWait } from './device.ts';
export { SluiceError, type ClientCode, type FieldIssue } from './error.ts';
export { paginate, type PaginateOptions } from './paginate.ts';
export type { Bounds, Credentials, Retry, TransportOptions } from './transport.ts';
export {
  waitFor,
  waitForBackup,
  waitForDeployment,
  waitForSnapshot,
  waitForTask,
  type DeploymentWait,
  type Look,
  type WaitOptions,
} from './wait.ts';
export { followLogs, type FollowOptions } from './logs.ts';
export { followChanges, type Change, type ChangeReset, type ChangesOptions } from './changes.ts';
export { readEvents, type ServerEvent } from './events.ts';
