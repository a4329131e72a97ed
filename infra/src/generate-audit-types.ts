import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { eventTypes } from '@sluice/contracts';
import { auditOf, loadApiDocument, operationsOf } from '@sluice/http';
import { z } from 'zod';
import type { GeneratedFile } from './generated-file.ts';
import { markdownFile } from './markdown.ts';
import { repository } from './settings.ts';

const services = ['main-api', 'supervisor', 'audit'];

/** `docs/audit.md`: every audited type, what it tells, and what is recorded as it; and what is not recorded, and why. */
export async function auditTypes(): Promise<GeneratedFile> {
  const { operations, reasons } = await declared();
  const types = Object.entries(eventTypes).filter(([, { audit }]) => audit);
  // no tables: each line of one changes with its widest
  const entries = types.map(([type, { name, data }]) => {
    const shape = shapeOf(z.toJSONSchema(data, { unrepresentable: 'any' }));
    const causes = (operations.get(type) ?? []).map((id) => `\`${id}\``).join(', ');
    return `- \`${type}\` (${name}): ${shape}${causes && `; recorded for ${causes}`}`;
  });
  return await markdownFile(join(repository, 'docs/audit.md'), [
    '# Audit types',
    'Rules: [4.15](interface/4-operations.md#415-audit) and [6.3](interface/6-events.md#63-what-is-audited). A type is an entry in ' +
      '[events.ts](../packages/contracts/src/events.ts); operations declare theirs as `x-audit`.',
    '## Types',
    'Label, fields of `data` (`?`: optional) and the operations that are recorded as it. A type without operations is a change that Sluice makes or ' +
      'observes by itself.',
    entries.join('\n'),
    '## Not recorded',
    'These operations change nothing.',
    reasons.join('\n'),
  ]);
}

async function declared() {
  const operations = new Map<string, string[]>();
  const reasons: string[] = [];
  for (const service of services) {
    const folder = pathToFileURL(join(repository, 'services', service, 'openapi/'));
    for (const each of operationsOf(await loadApiDocument(folder))) {
      const audited = auditOf(each);
      const { operationId } = each.operation;
      if (audited && 'reason' in audited) reasons.push(`- \`${operationId}\`: ${audited.reason}`);
      else
        for (const type of audited?.types ?? [])
          operations.set(type, [...(operations.get(type) ?? []), operationId]);
    }
  }
  return { operations, reasons };
}

type Schema = z.core.JSONSchema.BaseSchema;

/** The fields of an object in words, with those of the objects in it. */
function shapeOf({ properties = {}, required = [] }: Schema): string {
  return Object.entries(properties)
    .filter(([, property]) => typeof property !== 'object' || !('unrecorded' in property))
    .map(([name, property]) => {
      const optional = required.includes(name) ? '' : '?';
      const inner = typeof property === 'object' ? innerShape(property) : '';
      return `\`${name}\`${optional}${inner && ` (${inner})`}`;
    })
    .join(', ');
}

function innerShape(schema: Schema): string {
  const { anyOf = [], items, enum: values } = schema;
  const whole = anyOf.find((one): one is Schema => typeof one === 'object' && one.type !== 'null');
  if (whole) return innerShape(whole);
  if (values) return values.map((value) => `\`${String(value)}\``).join(', ');
  if (schema.type === 'array' && typeof items === 'object' && !Array.isArray(items)) {
    const each = innerShape(items);
    return each === '' ? 'a list' : `each: ${each}`;
  }
  return shapeOf(schema);
}
