import { visibleDivisions, type TenantId } from '@sluice/contracts';
import type { Caller } from '@sluice/grants';
import type { BodyOf, Page } from '@sluice/http';
import { fieldProblem, problem } from '@sluice/service';
import { featuresOf, requireRoom } from '@sluice/catalogue/features';
import { changeOf, changesTo, labelsOf, type Check } from '../../../changes.ts';
import type { Core } from '../../../core.ts';
import type { Transaction } from '@sluice/main-store/database';
import type { operations } from '../../../generated/api.ts';
import { deploymentsExist } from '@sluice/main-store/deployments.store';
import {
  type DivisionPath,
  type DivisionRow,
  countDivisions,
  deleteDivision,
  insertDivision,
  listDivisions,
  updateDivision,
} from '@sluice/main-store/divisions.store';
import { deleteEnvironments } from '@sluice/main-store/environments.store';
import { type TenantPath, getTenant, lockTenant, type TenantTerms } from '@sluice/main-store/tenants.store';
import { deleteKeysAndGrants } from '../../access/api-keys/key-deletion.ts';
import { deleteOverridesOf } from '../../access/roles/override-deletion.ts';
import { getVisibleDivision } from '../../access/visibility.ts';
import { sendDeleted } from '../../notifications/channel-messages.ts';
import { deleteChannels } from '../../notifications/channels.store.ts';
import { sendShapes } from '../../regions/shapes.ts';
import { deletion, requireCode, requireMayProtect, requireNothingProtected } from '../protection/guard.ts';

export type DivisionInput = BodyOf<operations['createDivision']>;
export type DivisionChanges = BodyOf<operations['updateDivision']>;
const clearable = ['description', 'email', 'email_subdomain'] as const;

export type DivisionsService = ReturnType<typeof divisionsService>;

/** Adds a division to a locked tenant. @throws Problem `limit_reached`, `name_taken`, `tenant_has_no_email_domain` */
export async function addDivision(
  tx: Transaction,
  { catalogue }: Pick<Core, 'catalogue'>,
  tenant: TenantTerms,
  input: DivisionInput,
): Promise<DivisionRow> {
  requireRoom(featuresOf(catalogue, tenant), 'divisions_limit', await countDivisions(tx, tenant.id));
  const subdomain = await checkedSubdomain(tx, tenant.id, input);
  const division = await insertDivision(tx, {
    ...input,
    ...subdomain,
    labels: input.labels ?? {},
    tenant_id: tenant.id,
  });
  const { id, name } = division;
  const about = { tenant_id: tenant.id, division: { id, name } };
  tx.emit('division_created', about, { name, ...labelsOf(division) });
  return division;
}

/** the longest name of a host */
const longestDomain = 253;

/** @throws Problem `tenant_has_no_email_domain`; `invalid_request` when the whole domain would be too long */
async function checkedSubdomain(
  tx: Transaction,
  tenantId: TenantId,
  { email_subdomain }: Pick<DivisionInput, 'email_subdomain'>,
): Promise<Pick<DivisionInput, 'email_subdomain'>> {
  if (email_subdomain === undefined || email_subdomain === null) return {};
  const { email_domain } = await getTenant(tx, tenantId);
  if (email_domain === null) throw problem('tenant_has_no_email_domain');
  if (email_subdomain.length + 1 + email_domain.length > longestDomain)
    throw fieldProblem(
      'email_subdomain',
      'too_long',
      `makes a domain of more than ${longestDomain} characters`,
    );
  return { email_subdomain: email_subdomain.toLowerCase() };
}

/** The rules of divisions (interface, 4.2). */
export function divisionsService(core: Core) {
  const { database, work } = core;
  return {
    create: (caller: Caller, { tenant_id }: TenantPath, input: DivisionInput) =>
      work(caller, async (tx) => addDivision(tx, core, await lockTenant(tx, tenant_id), input)),

    list: ({ permissions }: Caller, { tenant_id }: TenantPath, label: string | undefined, page: Page) =>
      listDivisions(database, tenant_id, visibleDivisions(permissions), label, page),

    get: (caller: Caller, path: DivisionPath) => getVisibleDivision(database, caller, path),

    update: (caller: Caller, path: DivisionPath, wanted: DivisionChanges, check: Check<DivisionRow>) =>
      work(caller, async (tx) => {
        const { tenant_id, division_id: id } = path;
        const tenant = await lockTenant(tx, tenant_id);
        const division = await getVisibleDivision(tx, caller, path);
        check(division);
        requireMayProtect(caller, division, wanted.protected);
        const subdomain = await checkedSubdomain(tx, tenant_id, wanted);
        const changes = changesTo(division, { ...wanted, ...subdomain }, clearable);
        if (Object.keys(changes).length === 0) return;
        await updateDivision(tx, id, changes);
        const name = changes.name ?? division.name;
        if (name !== division.name) await sendShapes(tx, caller.cause, core, tenant, { division_id: id });
        tx.emit('division_updated', { tenant_id, division: { id, name } }, changeOf(division, changes));
      }),

    delete: (caller: Caller, path: DivisionPath, code: string | undefined, check: Check<DivisionRow>) =>
      deletion(core, caller, async (tx) => {
        const { tenant_id, division_id: id } = path;
        await lockTenant(tx, tenant_id);
        const division = await getVisibleDivision(tx, caller, path);
        check(division);
        await requireCode(tx, core, path, division, code);
        await requireNothingProtected(tx, caller, { division_id: id });
        if (await deploymentsExist(tx, { division_id: id })) throw problem('has_deployments');
        const about = { tenant_id, division: { id, name: division.name } };
        await deleteKeysAndGrants(tx, { tenant_id, division_id: id });
        for (const environment of await deleteEnvironments(tx, id))
          tx.emit('environment_deleted', { ...about, environment }, { name: environment.name });
        await deleteOverridesOf(tx, tenant_id, { division_id: id });
        sendDeleted(tx, await deleteChannels(tx, { tenant_id, division_id: id }));
        await deleteDivision(tx, id);
        tx.emit('division_deleted', about, { name: division.name });
      }),
  };
}
