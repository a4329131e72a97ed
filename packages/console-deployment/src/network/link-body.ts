import type { CloudField, LinkBody } from '@sluice/console-core/clouds/cloud.ts';

/** What is sent for a new link: lists line by line, and nothing for what is empty. */
export function linkBody(
  fields: readonly CloudField[],
  { name, remarks, ...values }: Record<string, string>,
): LinkBody {
  const given = fields.flatMap(({ key, isList }) => {
    const text = values[key]?.trim() ?? '';
    if (text === '') return [];
    return [[key, isList ? text.split(/[\s,]+/) : text] as const];
  });
  return {
    name: name?.trim() ?? '',
    ...Object.fromEntries(given),
    ...(remarks?.trim() ? { remarks: remarks.trim() } : {}),
  };
}
