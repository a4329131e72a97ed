import {
  deleteApiKey,
  deleteDivisionApiKey,
  rotateApiKey,
  rotateDivisionApiKey,
  updateApiKeySecurity,
  updateDivisionApiKeySecurity,
  type ApiKey,
} from '@sluice/client';
import { sluice as client } from '@sluice/console-core/api/client.ts';
import { useQuery } from '@tanstack/react-query';
import { contextQuery, structureQuery } from '@sluice/console-core/api/queries.ts';
import { isOfDivision, keyActions } from './places.ts';

/** The operations on one key, by way of its division where the person has a right there alone. */
export function useKeyCalls(tenant_id: number, { id: api_key_id, division_id, name }: ApiKey) {
  const { data: context } = useQuery(contextQuery(tenant_id));
  const { data: structure } = useQuery(structureQuery(tenant_id));
  const isBound = isOfDivision(keyActions(context?.permissions, division_id));
  const inTenant = { client, path: { tenant_id, api_key_id } };
  const inDivision =
    isBound && division_id !== null ? { client, path: { tenant_id, division_id, api_key_id } } : undefined;
  return {
    /** the path of the key in the API */
    path: `/tenants/${tenant_id}${inDivision ? `/divisions/${division_id}` : ''}/api_keys/${api_key_id}`,
    /** what names the key on the command line */
    words: [name, structure?.divisions.find(({ id }) => id === division_id)?.name],
    rotate: (body: { grace_seconds: number }) =>
      inDivision ? rotateDivisionApiKey({ ...inDivision, body }) : rotateApiKey({ ...inTenant, body }),
    setAddresses: (body: { validate_ip: boolean; allowed_ips: string[] }) =>
      inDivision
        ? updateDivisionApiKeySecurity({ ...inDivision, body })
        : updateApiKeySecurity({ ...inTenant, body }),
    revoke: () => (inDivision ? deleteDivisionApiKey(inDivision) : deleteApiKey(inTenant)),
  };
}
