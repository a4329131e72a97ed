import type { DivisionId, TenantId } from '@sluice/contracts';
import { created, listed, noContent, ok, pageOf, type Answer, type Handlers } from '@sluice/service-kit';
import type { components, operations } from '../../../generated/api.ts';
import type { KeyScope, KeyWithRole } from '../../../stores/api-keys.store.ts';
import type { PermissionsDetail } from '../roles/role-permissions.ts';
import type { ApiKeysService, NewKey } from './api-keys.service.ts';

/** The same operations twice: on all keys of a tenant, and on those of one division. */
export function apiKeyOperations(keys: ApiKeysService) {
  return {
    async createApiKey(call) {
      const scope = scopeOf(call.params);
      return createdKey(scope, await keys.create(call.caller, scope, call.body));
    },
    async createDivisionApiKey(call) {
      const scope = scopeOf(call.params);
      return createdKey(scope, await keys.create(call.caller, scope, call.body));
    },

    async listApiKeys({ params, query, caller, url }) {
      const page = pageOf(query);
      const [rows, total] = await keys.list(caller, scopeOf(params), query.name, page);
      return listed(url, page, rows.map(keyBody), total);
    },
    async listDivisionApiKeys({ params, query, caller, url }) {
      const page = pageOf(query);
      const [rows, total] = await keys.list(caller, scopeOf(params), query.name, page);
      return listed(url, page, rows.map(keyBody), total);
    },

    async getApiKeyContext({ params, caller }) {
      return ok(detailBody(await keys.context(caller, scopeOf(params))));
    },
    async getDivisionApiKeyContext({ params, caller }) {
      return ok(detailBody(await keys.context(caller, scopeOf(params))));
    },

    async getApiKey({ params }) {
      return ok(detailBody(await keys.get(scopeOf(params), params.api_key_id)));
    },
    async getDivisionApiKey({ params }) {
      return ok(detailBody(await keys.get(scopeOf(params), params.api_key_id)));
    },

    async updateApiKeySecurity(call) {
      await keys.secure(call.caller, scopeOf(call.params), call.params.api_key_id, call.body);
      return noContent();
    },
    async rotateApiKey(call) {
      const scope = scopeOf(call.params);
      const grace = call.body?.grace_seconds ?? 0;
      return createdKey(scope, await keys.rotate(call.caller, scope, call.params.api_key_id, grace));
    },

    async updateDivisionApiKeySecurity(call) {
      await keys.secure(call.caller, scopeOf(call.params), call.params.api_key_id, call.body);
      return noContent();
    },
    async rotateDivisionApiKey(call) {
      const scope = scopeOf(call.params);
      const grace = call.body?.grace_seconds ?? 0;
      return createdKey(scope, await keys.rotate(call.caller, scope, call.params.api_key_id, grace));
    },

    async deleteApiKey(call) {
      await keys.delete(call.caller, scopeOf(call.params), call.params.api_key_id);
      return noContent();
    },
    async deleteDivisionApiKey(call) {
      await keys.delete(call.caller, scopeOf(call.params), call.params.api_key_id);
      return noContent();
    },
  } satisfies Partial<Handlers<operations>>;
}

function scopeOf({ tenant_id, division_id }: { tenant_id: TenantId; division_id?: DivisionId }): KeyScope {
  return { tenant_id, division_id: division_id ?? null };
}

function createdKey(
  { tenant_id, division_id }: KeyScope,
  { expiry_at, ...key }: NewKey,
): Answer<201, components['schemas']['CreatedApiKey']> {
  const owner =
    division_id === null ? `/tenants/${tenant_id}` : `/tenants/${tenant_id}/divisions/${division_id}`;
  return created('api_key', `${owner}/api_keys/${key.id}`, { ...key, expiry_at: expiry_at.toISOString() });
}

function detailBody({
  key,
  permissions,
}: {
  key: KeyWithRole;
  permissions: PermissionsDetail;
}): components['schemas']['ApiKeyDetail'] {
  return { ...keyBody(key), permissions };
}

function keyBody(key: KeyWithRole): components['schemas']['ApiKey'] {
  return {
    id: key.id,
    name: key.name,
    role_id: key.role_id,
    role_name: key.role_name,
    user_id: key.user_id,
    division_id: key.division_id,
    validate_ip: key.validate_ip,
    allowed_ips: key.allowed_ips,
    expiry_at: key.expiry_at.toISOString(),
    last_used_at: key.last_used_at?.toISOString() ?? null,
    created_at: key.created_at.toISOString(),
  };
}
