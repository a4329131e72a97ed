import type { DeploymentId, DivisionId, EnvironmentId, EventData, Ref } from '@sluice/contracts';
import type { Caller } from '@sluice/grants';
import type { BodyOf } from '@sluice/http';
import { fieldProblem, Problem, problem } from '@sluice/service';
import type { Core } from '../../../core.ts';
import type { Transaction } from '@sluice/main-store/database';
import type { operations } from '../../../generated/api.ts';
import { requireMailAllowance } from '../../../mails/mail-allowance.ts';
import { sendMail } from '../../../mails/mails.ts';
import { codeLifeSeconds, secondsBetweenCodes } from '../../../protection-codes.ts';
import { getDeployment } from '@sluice/main-store/deployments.store';
import {
  readCodes,
  storeIssue,
  type CodeRecord,
  type Protected,
} from '@sluice/main-store/protection-codes.store';
import { type TenantPath, type TenantRow, getTenant, lockTenant } from '@sluice/main-store/tenants.store';
import { pick } from '@sluice/main-store/rows';
import { getVisibleDivision, getVisibleEnvironment } from '../../access/visibility.ts';
import { refuseWhileLocked, retryAfter, secondsSince, undelivered } from './guard.ts';

type ActionType = EventData<'protection_code_requested'>['action'];
type ResourceId = 'division_id' | 'environment_id' | 'deployment_id';

type CodeRequest = BodyOf<operations['requestProtectionCode']>;
type ProtectedAction = CodeRequest['action'];
export type ProtectionService = ReturnType<typeof protectionService>;

/** Which ids say what an action would delete, besides the tenant's; the last is that of the resource itself. */
const idsOf: Record<ActionType, readonly ResourceId[]> = {
  delete_tenant: [],
  delete_division: ['division_id'],
  delete_environment: ['division_id', 'environment_id'],
  delete_deployment: ['division_id', 'environment_id', 'deployment_id'],
};

/** The one-time codes that deleting a protected resource needs (interface, 1.8 and 4.1 rule 4). */
export function protectionService(core: Core) {
  const { work, now, protectionCodes, mailCipher } = core;
  return {
    /**
     * Mails a code to the tenant's registered address; the one before it is void. Whether the resource is protected
     * plays no part: it can be protected while the code is valid.
     */
    async request(caller: Caller, { tenant_id }: TenantPath, { action }: CodeRequest): Promise<void> {
      const what = checkedIds(action);
      requireMayDelete(caller, action.action_type, what);
      if (what.tenant_id !== tenant_id) throw unknownId('tenant_id');
      await work(caller, async (tx) => {
        await lockTenant(tx, tenant_id);
        const { tenant, ...found } = await findProtected(tx, caller, what);
        const record = await readCodes(tx, what);
        refuseWhileLocked(record, now());
        refuseTooSoon(record, now());
        await requireMailAllowance(tx, core, tenant_id, tenant.email);
        const instant = now();
        const about = { tenant_id, ...found };
        const content = {
          tenant: tenant.name,
          kind: action.action_type.replace('delete_', ''),
          name: (found.deployment ?? found.environment ?? found.division ?? tenant).name,
          code: protectionCodes.issuedAt(what, instant),
          valid_minutes: codeLifeSeconds / 60,
        };
        const mailId = await sendMail(tx, mailCipher, 'protection_code', tenant.email, content, about);
        await storeIssue(tx, what, instant, mailId);
        tx.emit('protection_code_requested', about, { action: action.action_type });
      });
    },
  };
}

/** The ids of an action, which has exactly those that it needs. */
function checkedIds({ action_type, payload }: ProtectedAction): Protected {
  const needed = idsOf[action_type];
  const accepted = <Name extends ResourceId>(id: Name): Protected[Name] => {
    const value = (payload[id] ?? undefined) as Protected[Name];
    const field = `action/payload/${id}`;
    if (value === undefined && needed.includes(id)) throw fieldProblem(field, 'required', 'is required');
    if (value !== undefined && !needed.includes(id))
      throw fieldProblem(field, 'not_accepted', `says nothing about ${action_type}`);
    return value;
  };
  return {
    tenant_id: payload.tenant_id,
    division_id: accepted('division_id'),
    environment_id: accepted('environment_id'),
    deployment_id: accepted('deployment_id'),
  };
}

/** A caller may ask only for codes of what they may delete. @throws Problem `owner_only`, `forbidden` */
function requireMayDelete(caller: Caller, action: ActionType, what: Protected): void {
  const place = { division: what.division_id, environment: what.environment_id };
  switch (action) {
    case 'delete_tenant':
      if (!caller.owner) throw problem('owner_only');
      return;
    case 'delete_division':
      return caller.require('tenant', 'division:manage');
    case 'delete_environment':
      return caller.require('division', 'environment:manage', place);
    case 'delete_deployment':
      return caller.require('environment', 'deployment:manage', place);
  }
}

interface Found {
  tenant: TenantRow;
  division: Ref<DivisionId> | null;
  environment: Ref<EnvironmentId> | null;
  deployment: (Ref<DeploymentId> & { uid: string }) | null;
}

/** What the ids name, each within the one before it. @throws Problem `invalid_request` naming the id that names nothing */
async function findProtected(tx: Transaction, caller: Caller, what: Protected): Promise<Found> {
  const { tenant_id, division_id, environment_id, deployment_id } = what;
  const tenant = await getTenant(tx, tenant_id);
  const found: Found = { tenant, division: null, environment: null, deployment: null };
  if (division_id === undefined) return found;
  const division = await foundOr('division_id', getVisibleDivision(tx, caller, { tenant_id, division_id }));
  found.division = pick(division, 'id', 'name');
  if (environment_id === undefined) return found;
  const path = { tenant_id, division_id, environment_id };
  const environment = await foundOr('environment_id', getVisibleEnvironment(tx, caller, path));
  found.environment = pick(environment, 'id', 'name');
  if (deployment_id === undefined) return found;
  const deployment = await foundOr('deployment_id', getDeployment(tx, { ...path, deployment_id }));
  return { ...found, deployment: pick(deployment, 'id', 'name', 'uid') };
}

const unknownId = (id: keyof Protected) => fieldProblem(`action/payload/${id}`, 'unknown', 'does not exist');

/** What an id of the body names. @throws Problem `invalid_request` when it names nothing */
async function foundOr<T>(id: ResourceId, finding: Promise<T>): Promise<T> {
  try {
    return await finding;
  } catch (error) {
    throw error instanceof Problem && error.code === 'not_found' ? unknownId(id) : error;
  }
}

/** @throws Problem `protection_code_throttled`, with the time to wait */
function refuseTooSoon(record: CodeRecord, now: Date): void {
  if (record.issued_at === null) return;
  const wait = secondsBetweenCodes - secondsSince(record.issued_at, now);
  if (wait <= 0) return;
  throw problem('protection_code_throttled', {
    ...undelivered(record, `A code for this was sent less than ${secondsBetweenCodes} seconds ago.`),
    headers: retryAfter(wait),
  });
}
