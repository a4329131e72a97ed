import type { components } from '../../generated/api.ts';
import type { Config } from './configs.store.ts';
import type { Values } from './stored-values.ts';

/** A version as the interface shows it (2.12). @param values with secrets masked @param installed version of its runtime */
export function configView(
  config: Config,
  values: Values,
  installed: string | null,
): components['schemas']['Config'] {
  const { id, kind, name, version, is_active, applied, runtime_version, author_id } = config;
  return {
    ...{ id, kind, name, version, values, in_force: applied, runtime_version, author_id },
    primary: is_active,
    needs_revalidation: installed !== null && runtime_version !== installed,
    rejection: config.rejected_at && {
      reason: config.rejection ?? '',
      rejected_at: config.rejected_at.toISOString(),
    },
    created_at: config.created_at.toISOString(),
    activated_at: config.activated_at?.toISOString() ?? null,
  };
}

/** A schema as the interface shows it, without what only the node has to know, and without the defaults of secrets. */
export const schemaView = (
  schema: components['schemas']['ConfigSchema'],
): components['schemas']['ConfigSchema'] =>
  Object.fromEntries(
    Object.entries(schema).map(([section, { name, description, schema: entries }]) => [
      section,
      { name, description, schema: entries.map(entryView) },
    ]),
  );

type Entry = components['schemas']['ConfigEntry'];

const entryView = ({
  key,
  name,
  description,
  default_value,
  kind,
  editable,
  secret,
  requirements,
  rules,
}: Entry): Entry => ({
  ...{ key, name, description, kind, editable, secret, requirements, rules },
  default_value: secret && default_value !== null ? '***' : default_value,
});
