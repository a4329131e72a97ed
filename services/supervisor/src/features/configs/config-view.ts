import { shown } from '@sluice/http';
import type { components } from '../../generated/api.ts';
import type { Config } from './configs.store.ts';
import type { Values } from './stored-values.ts';

/** A version as the interface shows it (2.12). @param values with secrets masked @param installed version of its runtime */
export function configView(
  config: Config,
  values: Values,
  installed: string | null,
): components['schemas']['Config'] {
  const { is_active, applied, runtime_version, rejected_at, rejection } = config;
  return {
    ...shown(
      config,
      'id',
      'kind',
      'name',
      'version',
      'runtime_version',
      'author_id',
      'created_at',
      'activated_at',
    ),
    ...{ values, in_force: applied, primary: is_active },
    needs_revalidation: installed !== null && runtime_version !== installed,
    rejection: rejected_at && { reason: rejection ?? '', rejected_at: rejected_at.toISOString() },
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

const entryView = (entry: Entry): Entry => ({
  ...shown(entry, 'key', 'name', 'description', 'kind', 'editable', 'secret', 'requirements', 'rules'),
  default_value: entry.secret && entry.default_value !== null ? '***' : entry.default_value,
});
