import { created, done, ok, paged, shown, type Answer, type Handlers } from '@sluice/http';
import type { components, operations } from '../../../generated/api.ts';
import type { KeyWithRole } from '@sluice/main-store/api-keys.store';
import type { PermissionsDetail } from '../roles/permissions-detail.ts';
import type { ApiKeysService, NewKey, ScopePath } from './api-keys.service.ts';

type Call<Id extends keyof operations> = Parameters<Handlers<operations>[Id]>[0];

/** Each operation twice: on all keys of a tenant, and on those of one division. */
export function apiKeysOperations(keys: ApiKeysService) {
  const create = async ({ caller, params, body }: Call<'createApiKey' | 'createDivisionApiKey'>) =>
    createdKey(params, await keys.create(caller, params, body));

  const list = ({ caller, params, query, url }: Call<'listApiKeys' | 'listDivisionApiKeys'>) =>
    paged({ query, url }, (page) => keys.list(caller, params, query.name, page), keyView);

  const context = async ({ caller, params }: Call<'getApiKeyContext' | 'getDivisionApiKeyContext'>) =>
    ok(detailView(await keys.context(caller, params)));

  const get = async ({ caller, params }: Call<'getApiKey' | 'getDivisionApiKey'>) =>
    ok(detailView(await keys.get(caller, params)));

  type Secure = Call<'updateApiKeySecurity' | 'updateDivisionApiKeySecurity'>;
  const secure = ({ caller, params, body }: Secure) => done(keys.secure(caller, params, body));

  const rotate = async ({ caller, params, body }: Call<'rotateApiKey' | 'rotateDivisionApiKey'>) =>
    createdKey(params, await keys.rotate(caller, params, body?.grace_seconds ?? 0));

  const remove = ({ caller, params }: Call<'deleteApiKey' | 'deleteDivisionApiKey'>) =>
    done(keys.delete(caller, params));

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

type Detail = { key: KeyWithRole; permissions: PermissionsDetail };
const detailView = ({ key, permissions }: Detail): components['schemas']['ApiKeyDetail'] => ({
  ...keyView(key),
  permissions,
});

const keyView = (key: KeyWithRole): components['schemas']['ApiKey'] => ({
  ...shown(key, 'id', 'name', 'role_id', 'role_name', 'user_id', 'division_id', 'validate_ip'),
  ...shown(key, 'allowed_ips', 'expiry_at', 'last_used_at', 'created_at'),
});
