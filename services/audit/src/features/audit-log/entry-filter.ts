import type { DeploymentId, DivisionId, EnvironmentId, TenantId, UserId } from '@sluice/contracts';

/** What entries are looked for; absent: whatever it may be. */
export interface EntryFilter {
  tenant: TenantId;
  /** included */
  from?: Date | undefined;
  /** not included */
  to?: Date | undefined;
  author?: UserId | undefined;
  user?: UserId | undefined;
  division?: DivisionId | undefined;
  environment?: EnvironmentId | undefined;
  deployment?: DeploymentId | undefined;
  types?: readonly string[] | undefined;
  correlationId?: string | undefined;
}
