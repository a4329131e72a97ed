import { createPool, type Log, type PoolOptions } from '@sluice/service';
import { DataSource, type EntitySchema } from 'typeorm';
import { ApiKey, FormerToken } from './stores/api-keys.entity.ts';
import { CloudAccount } from './stores/cloud-accounts.entity.ts';
import {
  ConnectorInstance,
  ConnectorRuntime,
  RemovedConnectorInstance,
} from './stores/connector-instances.entity.ts';
import { DeploymentAccess } from './stores/deployment-access.entity.ts';
import { DeploymentUpgrade } from './stores/deployment-upgrades.entity.ts';
import { Deployment, DeploymentNode, RemovedDeployment } from './stores/deployments.entity.ts';
import { Division } from './stores/divisions.entity.ts';
import { Environment } from './stores/environments.entity.ts';
import { GrantBucket, GrantRecord } from './stores/grants.entity.ts';
import { Identity } from './stores/identities.entity.ts';
import { UndeliverableMail } from './stores/undeliverable-mails.entity.ts';
import { Invitation, InvitationRole } from './stores/invitations.entity.ts';
import { JoinRequest } from './stores/join-requests.entity.ts';
import { MailAllowance } from './stores/mail-allowances.entity.ts';
import { MemberRole, Membership } from './stores/members.entity.ts';
import { PaymentMethod } from './stores/payment-methods.entity.ts';
import { ProtectionCode } from './stores/protection-codes.entity.ts';
import { Region } from './stores/regions.entity.ts';
import { RestoreDifference } from './stores/restore-differences.entity.ts';
import { Role } from './stores/roles.entity.ts';
import { Session } from './stores/sessions.entity.ts';
import { PendingSignIn, SignInIntent } from './stores/sign-ins.entity.ts';
import { Subscription } from './stores/subscriptions.entity.ts';
import { Tenant } from './stores/tenants.entity.ts';
import { User } from './stores/users.entity.ts';

export const migrations = new URL('../migrations/', import.meta.url);

const entities: EntitySchema[] = [
  ApiKey,
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

/** Connects TypeORM, to a pool that is the kit's. The tables are made by the migrations, never by TypeORM. */
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
