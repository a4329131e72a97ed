import { createPool, type Log, type PoolOptions } from '@sluice/service';
import { DataSource, type EntitySchema } from 'typeorm';
import { Channel, ChannelSubscription } from './features/notifications/channels.entity.ts';
import { ApiKey, FormerToken } from './stores/api-keys.entity.ts';
import { CloudAccount } from './features/organization/cloud-accounts/cloud-accounts.entity.ts';
import {
  ConnectorInstance,
  ConnectorRuntime,
  RemovedConnectorInstance,
} from './stores/connector-instances.entity.ts';
import { DeploymentAccess } from './features/regions/deployment-access.entity.ts';
import { DeploymentUpgrade } from './stores/deployment-upgrades.entity.ts';
import { Deployment, DeploymentNode, RemovedDeployment } from './stores/deployments.entity.ts';
import { Division } from './stores/divisions.entity.ts';
import { Environment } from './stores/environments.entity.ts';
import { GrantBucket, GrantRecord } from './features/access/grants/grants.entity.ts';
import { Identity } from './stores/identities.entity.ts';
import { UndeliverableMail } from './features/regions/undeliverable-mails.entity.ts';
import { Invitation, InvitationRole } from './stores/invitations.entity.ts';
import { JoinRequest } from './features/organization/join-requests/join-requests.entity.ts';
import { MailAllowance } from './mails/mail-allowances.entity.ts';
import { MemberRole, Membership } from './stores/members.entity.ts';
import { PaymentMethod } from './features/organization/subscription/payment-methods.entity.ts';
import { ProtectionCode } from './stores/protection-codes.entity.ts';
import { Region } from './features/regions/regions.entity.ts';
import { RestoreDifference } from './features/restore/restore-differences.entity.ts';
import { Role } from './stores/roles.entity.ts';
import { Session } from './stores/sessions.entity.ts';
import { PendingSignIn, SignInIntent } from './features/identity/sign-in/sign-ins.entity.ts';
import { Subscription } from './features/organization/subscription/subscriptions.entity.ts';
import { Tenant } from './stores/tenants.entity.ts';
import { User } from './stores/users.entity.ts';

export const migrations = new URL('../migrations/', import.meta.url);

const entities: EntitySchema[] = [
  ApiKey,
  Channel,
  ChannelSubscription,
  CloudAccount,
  ConnectorInstance,
  ConnectorRuntime,
  Deployment,
  DeploymentAccess,
  DeploymentNode,
  DeploymentUpgrade,
  RemovedDeployment,
  RemovedConnectorInstance,
  Division,
  Environment,
  FormerToken,
  GrantBucket,
  GrantRecord,
  Identity,
  Invitation,
  InvitationRole,
  JoinRequest,
  MailAllowance,
  MemberRole,
  Membership,
  PaymentMethod,
  PendingSignIn,
  ProtectionCode,
  Region,
  RestoreDifference,
  Role,
  Session,
  SignInIntent,
  Subscription,
  Tenant,
  UndeliverableMail,
  User,
];

/** Connects TypeORM, to the pool of the runtime. The tables are made by the migrations, never by TypeORM. */
export function openDataSource(
  url: string,
  poolSize: number,
  log: Log,
  options?: PoolOptions,
): Promise<DataSource> {
  const pool = createPool(url, poolSize, log, options);
  return new DataSource({
    type: 'postgres',
    url,
    // it makes its pool by this, and ends it with itself
    driver: {
      Pool: function () {
        return pool;
      },
    },
    // the pool has logged it
    poolErrorHandler: () => undefined,
    entities,
    synchronize: false,
    logging: false,
  }).initialize();
}
