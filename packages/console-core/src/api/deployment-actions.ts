import type { Action } from './action.ts';

const main = (permission: string) => ({ layer: 'main-api', scope: 'environment', permission }) as const;
const region = (permission: string) => ({ layer: 'supervisor', scope: 'environment', permission }) as const;
const [atMain, atRegion] = [main('deployment:manage'), region('deployment:manage')];
const access = region('deployment:access:manage');
const config = region('deployment:config:manage');
const connector = region('deployment:connector:manage');
/** of configurations of connectors, which the right to manage connectors is enough for */
const ofConnector = {
  ...config,
  or: { scope: 'environment', permission: 'deployment:connector:manage' },
} as const;

/** The actions on one deployment that its own page has. */
export const deploymentActions = {
  createStarter: {
    label: 'Create a starter deployment',
    operation: 'createStarterDeployment',
    ...atMain,
  },
  createDeployment: { label: 'Create a deployment', operation: 'createManagedDeployment', ...atMain },
  createByoc: { label: 'Create a deployment', operation: 'createByocDeployment', ...atMain },
  setUpByoc: { label: 'Show what to prepare', operation: 'setUpByoc', ...atMain },
  changeDeployment: { label: 'Save', operation: 'updateDeployment', ...atMain },
  deleteDeployment: { label: 'Delete the deployment', operation: 'deleteDeployment', ...atMain },
  upgradeDeployment: { label: 'Upgrade', operation: 'upgradeDeployment', ...atMain },
  extendDeployment: { label: 'Add nodes', operation: 'extendDeployment', ...atMain },
  setSpendLimit: { label: 'Set the limit', operation: 'setSpendLimit', ...atMain },
  setRetention: { label: 'Set the retention', operation: 'setRetention', ...atMain },
  retryDeployment: { label: 'Try again', operation: 'retryDeployment', ...atRegion },
  acceptDataLoss: { label: 'Accept the loss', operation: 'acceptDataLoss', ...atRegion },
  startStop: { label: 'Restart', operation: 'createActivity', ...atRegion },
  enrolNode: { label: 'Enrol', operation: 'createNodeEnrolment', ...atRegion },
  reconfigure: { label: 'Reconfigure', operation: 'createTask', ...region('deployment:task:manage') },
  rotateEncryptionKey: { label: 'Rotate the key', operation: 'rotateEncryptionKey', ...atRegion },
  rotateCredentials: { label: 'Rotate the login', operation: 'rotateCredentials', ...atRegion },
  rotateCertificates: { label: 'Rotate the certificate', operation: 'rotateCertificates', ...atRegion },
  readCredentials: {
    label: 'Show the login',
    operation: 'getCredentials',
    ...region('deployment:credentials:read'),
  },
  openBrokerSession: {
    label: 'Open a session',
    operation: 'openBrokerSession',
    ...region('deployment:credentials:read'),
  },
  createAccessRule: { label: 'Add a rule', operation: 'createAccessRule', ...access },
  changeAccessRule: { label: 'Save', operation: 'replaceAccessRule', ...access },
  deleteAccessRule: { label: 'Remove', operation: 'deleteAccessRule', ...access },
  createConfig: { label: 'Store', operation: 'createConfig', ...config },
  activateConfig: { label: 'Activate', operation: 'activateConfig', ...config },
  deleteConfig: { label: 'Delete', operation: 'deleteConfig', ...config },
  createConnectorConfig: { label: 'Store', operation: 'createConfig', ...ofConnector },
  activateConnectorConfig: { label: 'Activate', operation: 'activateConfig', ...ofConnector },
  deleteConnectorConfig: { label: 'Delete', operation: 'deleteConfig', ...ofConnector },
  createBackup: { label: 'Back up', operation: 'createBackup', ...atRegion },
  restoreBackup: { label: 'Restore', operation: 'restoreBackup', ...atRegion },
  deleteBackup: { label: 'Delete', operation: 'deleteBackup', ...atRegion },
  setBackupSchedule: { label: 'Set the schedule', operation: 'setBackupSchedule', ...atRegion },
  activateConnector: {
    label: 'Activate',
    operation: 'activateConnector',
    ...main('deployment:connector:manage'),
  },
  deleteConnector: { label: 'Delete', operation: 'deleteConnectorInstance', ...connector },
  createSnapshot: { label: 'Examine the nodes', operation: 'createSnapshot', ...atRegion },
  deleteSnapshot: { label: 'Delete', operation: 'deleteSnapshot', ...atRegion },
} as const satisfies Record<string, Action>;
