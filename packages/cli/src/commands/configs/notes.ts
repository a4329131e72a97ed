import type { Config, ConfigSchema } from '@sluice/client';

/** What values can be added to a configuration, for the person who edits it. */
export function notesOf(schema: ConfigSchema, values: Config['values'] = {}): string[] {
  const given = new Set([values, values['plugin_config']].flatMap((one) => Object.keys(one ?? {})));
  return Object.values(schema).flatMap(({ name, schema: entries }) => {
    const open = entries.filter(({ key, editable }) => editable && !given.has(key));
    if (open.length === 0) return [];
    return [
      `${name}:`,
      ...open.map(
        ({ key, default_value, description }) => `  ${key}: ${JSON.stringify(default_value)}  ${description}`,
      ),
    ];
  });
}

/** The keys of secrets, which a file can have as they are. */
export const secretKeys = (schema: ConfigSchema): Set<string> =>
  new Set(
    Object.values(schema).flatMap(({ schema: entries }) =>
      entries.flatMap(({ key, secret }) => (secret ? [key] : [])),
    ),
  );
