import * as models from '@kubernetes/client-node';
import { customResources } from './custom-resources.ts';
import type { KubernetesObject } from './objects.ts';

/** A field of a type, as the client library has it from Kubernetes' own description of its API. */
interface Field {
  /** as objects have it */
  baseName: string;
  /** `string`, `V1PodSpec`, `Array<V1Container>`, `{ [key: string]: string; }` */
  type: string;
}

const byName: Record<string, unknown> = { ...models };

/** The fields of a type; undefined for one that is not made of fields. */
function fieldsOf(type: string): readonly Field[] | undefined {
  const model = byName[type];
  if (typeof model !== 'function' || !('getAttributeTypeMap' in model)) return undefined;
  return (model as unknown as { getAttributeTypeMap: () => readonly Field[] }).getAttributeTypeMap();
}

/** What an object says that Kubernetes does not know, or has another type there: a line for each, with its place. */
export function faultsOf(object: KubernetesObject): string[] {
  const at = `${object.kind} ${object.metadata.name}`;
  const custom = customResources.get(`${object.apiVersion} ${object.kind}`);
  if (custom) {
    const { error } = custom.safeParse(object);
    return (error?.issues ?? []).map(({ path, message }) => `${at}.${path.join('.')}: ${message}`);
  }
  const version = object.apiVersion.split('/').at(-1) ?? '';
  const type = `${version.charAt(0).toUpperCase()}${version.slice(1)}${object.kind}`;
  if (!fieldsOf(type)) return [`${object.apiVersion} ${object.kind} is not known`];
  return faults(object, type, at);
}

function faults(value: unknown, type: string, at: string): string[] {
  const [, element] = /^Array<(.*)>$/.exec(type) ?? [];
  if (element !== undefined)
    return Array.isArray(value)
      ? value.flatMap((one, index) => faults(one, element, `${at}[${index}]`))
      : [`${at} is not a list`];
  const [, valueType] = /^\{ \[key: string\]: (.*); \}$/.exec(type) ?? [];
  if (valueType !== undefined)
    return isRecord(value)
      ? Object.entries(value).flatMap(([key, one]) => faults(one, valueType, `${at}.${key}`))
      : [`${at} is not a map`];
  const fields = fieldsOf(type);
  return fields ? faultsOfFields(value, fields, at) : isOf(type, value) ? [] : [`${at} is not a ${type}`];
}

function faultsOfFields(value: unknown, fields: readonly Field[], at: string): string[] {
  if (!isRecord(value)) return [`${at} is not an object`];
  const types = new Map(fields.map(({ baseName, type }) => [baseName, type]));
  return Object.entries(value).flatMap(([name, one]) => {
    const type = types.get(name);
    return type === undefined ? [`${at}.${name} is not known`] : faults(one, type, `${at}.${name}`);
  });
}

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

function isOf(type: string, value: unknown): boolean {
  if (type === 'any') return true;
  if (type === 'IntOrString') return typeof value === 'string' || Number.isInteger(value);
  return typeof value === (type === 'Date' ? 'string' : type);
}
