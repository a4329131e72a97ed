import {
  createDivision,
  createEnvironment,
  deleteDivision,
  deleteEnvironment,
  getDivision,
  getEnvironment,
  updateDivision,
  updateEnvironment,
  type Labels,
} from '@sluice/client';
import { keyOf } from '../entries.ts';
import { ownLabels } from '../organization/labels.ts';
import { setLabel } from '../document/canonical.ts';
import { matching, picked, type Existing, type Kind, type Run, type Wanted } from './kind.ts';

/** Divisions and environments. */

/** What is wanted, with the label of the set on what it has made. */
export function bodyOf(
  wanted: Wanted,
  fields: readonly string[],
  set: string | undefined,
): Record<string, unknown> {
  const body = picked(wanted, fields);
  if (set === undefined) return body;
  if (fields.includes('labels'))
    body['labels'] = { ...(body['labels'] as Labels | null | undefined), [setLabel]: set };
  return body;
}

/** Labels that replace all others keep the mark of the set. */
export const changesOf = (
  wanted: Wanted,
  existing: Existing,
  fields: readonly string[],
): Record<string, unknown> => bodyOf(wanted, fields, existing.set);

const divisionFields = ['name', 'description', 'labels', 'email', 'email_subdomain'];

export const division: Kind = {
  create: {
    operation: () => 'createDivision',
    async send(wanted, { client, signal, ids, set }) {
      const body = { name: wanted.name, ...bodyOf(wanted, divisionFields, set) };
      const { data } = await createDivision({ client, path: { tenant_id: ids.tenantId }, body, signal });
      ids.set(keyOf(wanted), data.id);
      if (wanted.fields['protected'] === true)
        await updateDivision({ client, path: ids.path(wanted.place), body: { protected: true }, signal });
    },
  },
  updates: (wanted, existing, changed) => [
    {
      fields: [...changed],
      operation: 'updateDivision',
      send: (run) =>
        matching(division, existing, run, (headers) =>
          updateDivision({
            ...callOf(existing, run),
            headers,
            body: changesOf(wanted, existing, [...changed]),
          }),
        ),
    },
  ],
  remove: {
    operation: () => 'deleteDivision',
    send: (existing, run) =>
      run.withCode(existing, (code) =>
        matching(division, existing, run, (headers) =>
          deleteDivision({
            ...callOf(existing, run),
            headers,
            query: { ...(code !== undefined && { code }) },
          }),
        ),
      ),
  },
  async reread(existing, run) {
    const { data, response } = await getDivision(callOf(existing, run));
    const { name, description, labels, email, email_subdomain, protected: isProtected } = data;
    const fields = {
      name,
      description,
      labels: ownLabels(labels),
      email,
      email_subdomain,
      protected: isProtected,
    };
    return { fields, etag: response.headers.get('etag') ?? undefined };
  },
};

const environmentFields = ['name', 'description', 'labels'];

export const environment: Kind = {
  create: {
    operation: () => 'createEnvironment',
    async send(wanted, { client, signal, ids, set }) {
      const path = ids.path(wanted.place.split('/', 1)[0] ?? '');
      const body = { name: wanted.name, ...bodyOf(wanted, environmentFields, set) };
      const { data } = await createEnvironment({ client, path, body, signal });
      ids.set(keyOf(wanted), data.id);
      if (wanted.fields['protected'] === true)
        await updateEnvironment({ client, path: ids.path(wanted.place), body: { protected: true }, signal });
    },
  },
  updates: (wanted, existing, changed) => [
    {
      fields: [...changed],
      operation: 'updateEnvironment',
      send: (run) =>
        matching(environment, existing, run, (headers) =>
          updateEnvironment({
            ...callOf(existing, run),
            headers,
            body: changesOf(wanted, existing, [...changed]),
          }),
        ),
    },
  ],
  remove: {
    operation: () => 'deleteEnvironment',
    send: (existing, run) =>
      run.withCode(existing, (code) =>
        matching(environment, existing, run, (headers) =>
          deleteEnvironment({
            ...callOf(existing, run),
            headers,
            query: { ...(code !== undefined && { code }) },
          }),
        ),
      ),
  },
  async reread(existing, run) {
    const { data, response } = await getEnvironment(callOf(existing, run));
    const { name, description, labels, protected: isProtected } = data;
    const fields = { name, description, labels: ownLabels(labels), protected: isProtected };
    return { fields, etag: response.headers.get('etag') ?? undefined };
  },
};

const callOf = ({ place }: Existing, { client, signal, ids }: Run) => ({
  client,
  signal,
  path: ids.path(place),
});
