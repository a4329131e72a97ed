import { created, listed, noContent, ok, pageOf, type Answer, type Handlers } from '@sluice/http';
import type { components, operations } from '../../../generated/api.ts';
import type { KeyWithRole } from '../../../stores/api-keys.store.ts';
import type { PermissionsDetail } from '../roles/permissions-detail.ts';
import type { ApiKeysService, NewKey, ScopePath } from './api-keys.service.ts';

type Call<Id extends keyof operations> = Parameters<Handlers<operations>[Id]>[0];

/** Each operation twice: on all keys of a tenant, and on those of one division. */
export function apiKeysOperations(keys: ApiKeysService) {
  const create = async ({ caller, params, body }: Call<'createApiKey' | 'createDivisionApiKey'>) =>
    createdKey(params, await keys.create(caller, params, body));

  const list = async ({ caller, params, query, url }: Call<'listApiKeys' | 'listDivisionApiKeys'>) => {
    const page = pageOf(query);
    const [rows, total] = await keys.list(caller, params, query.name, page);
    return listed(url, page, rows.map(keyView), total);
  };

  const context = async ({ caller, params }: Call<'getApiKeyContext' | 'getDivisionApiKeyContext'>) =>
    ok(detailView(await keys.context(caller, params)));

  const get = async ({ caller, params }: Call<'getApiKey' | 'getDivisionApiKey'>) =>
    ok(detailView(await keys.get(caller, params)));

  const secure = async ({
    caller,
    params,
    body,
  }: Call<'updateApiKeySecurity' | 'updateDivisionApiKeySecurity'>) => {
    await keys.secure(caller, params, body);
    return noContent();
  };

  const rotate = async ({ caller, params, body }: Call<'rotateApiKey' | 'rotateDivisionApiKey'>) =>
    createdKey(params, await keys.rotate(caller, params, body?.grace_seconds ?? 0));

  const remove = async ({ caller, params }: Call<'deleteApiKey' | 'deleteDivisionApiKey'>) => {
    await keys.delete(caller, params);
    return noContent();
  };

  return {
    createApiKey: create,
    createDivisionApiKey: create,
    listApiKeys: list,
    listDivisionApiKeys: list,
    getApiKeyContext: context,
    getDivisionApiKeyContext: context,
    getApiKey: get,
    getDivisionApiKey: get,
    updateApiKeySecurity: secure,
    updateDivisionApiKeySecurity: secure,
    rotateApiKey: rotate,
    rotateDivisionApiKey: rotate,
    deleteApiKey: remove,
    deleteDivisionApiKey: remove,
  } satisfies Partial<Handlers<operations>>;
}

function createdKey(
  { tenant_id, division_id }: ScopePath,
  { expiry_at, ...key }: NewKey,
): Answer<201, components['schemas']['CreatedApiKey']> {
  const owner =
    division_id === undefined ? `/tenants/${tenant_id}` : `/tenants/${tenant_id}/divisions/${division_id}`;
  return created('api_key', `${owner}/api_keys/${key.id}`, { ...key, expiry_at: expiry_at.toISOString() });
}

function detailView({
  key,
  permissions,
}: {
  key: KeyWithRole;
  permissions: PermissionsDetail;
}): components['schemas']['ApiKeyDetail'] {
  return { ...keyView(key), permissions };
}

function keyView(key: KeyWithRole): components['schemas']['ApiKey'] {
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
