import type { ConfigIssue } from '@sluice/contracts/config-values';

/**
 * What becomes of a message between the broker and a connector (interface, 2.12): it is left out unless all conditions hold, and then
 * fields of its JSON are dropped, renamed and set, in this order. A field is named by a JSON pointer (RFC 6901).
 */
export interface Transforms {
  filter: readonly Condition[];
  drop: readonly string[];
  /** the new name beside the old one, by pointer */
  rename: Readonly<Record<string, string>>;
  /** values by pointer; what the path lacks is made */
  set: Readonly<Record<string, Scalar>>;
}

export type Scalar = string | number | boolean | null;

export interface Condition {
  field?: string;
  header?: string;
  exists?: boolean;
  equals?: Scalar;
  not_equals?: Scalar;
}

const noTransforms: Transforms = { filter: [], drop: [], rename: {}, set: {} };

const mostOfEach = 20;
const longestText = 1_000;
const pointer = /^(?:\/(?:[^/~]|~[01])*){1,20}$/;
/** nothing may be made of these, or the prototypes of objects could be reached */
const forbidden = new Set(['__proto__', 'constructor', 'prototype']);

export function readTransforms(given: unknown): { transforms: Transforms; issues: ConfigIssue[] } {
  if (given === undefined || given === null) return { transforms: noTransforms, issues: [] };
  if (!isObject(given))
    return { transforms: noTransforms, issues: [issue('transforms', 'wrong_type', 'has to be an object')] };
  const issues: ConfigIssue[] = [];
  for (const key of Object.keys(given))
    if (!(key in noTransforms)) issues.push(issue(`transforms.${key}`, 'unknown_key', 'is no transform'));
  const { filter = [], drop = [], rename = {}, set = {} } = given;
  issues.push(
    ...listIssues('filter', filter, conditionIssue),
    ...listIssues('drop', drop, pointerIssue),
    ...mapIssues('rename', rename, (name) =>
      isText(name) && name !== '' && !name.includes('/') && !forbidden.has(name)
        ? null
        : 'has to be the new name of the field',
    ),
    ...mapIssues('set', set, (value) =>
      isScalar(value) ? null : 'has to be a text, a number, true, false or null',
    ),
  );
  return {
    transforms: issues.length > 0 ? noTransforms : ({ filter, drop, rename, set } as Transforms),
    issues,
  };
}

/** Whether any of them looks at the JSON of a message. */
export function needJson({ filter, drop, rename, set }: Transforms): boolean {
  const changes = drop.length + Object.keys(rename).length + Object.keys(set).length;
  return changes > 0 || filter.some(({ field }) => field !== undefined);
}

/**
 * Transforms one message. `json` is its content where it is JSON, and is changed in place.
 * @returns false for one that is left out
 */
export function transform(
  { filter, drop, rename, set }: Transforms,
  json: unknown,
  headers: Readonly<Record<string, string>>,
): boolean {
  if (!filter.every((condition) => holds(condition, json, headers))) return false;
  for (const path of drop) withParent(json, path, false, (parent, key) => remove(parent, key));
  for (const [path, name] of Object.entries(rename))
    withParent(json, path, false, (parent, key) => {
      if (Array.isArray(parent) || !Object.hasOwn(parent, key)) return;
      parent[name] = parent[key];
      if (name !== key) delete parent[key];
    });
  for (const [path, value] of Object.entries(set))
    withParent(json, path, true, (parent, key) => {
      if (!Array.isArray(parent)) parent[key] = value;
      else if (Number(key) < parent.length) parent[Number(key)] = value;
    });
  return true;
}

type Parent = Record<string, unknown> | unknown[];

function remove(parent: Parent, key: string): void {
  if (!Array.isArray(parent)) delete parent[key];
  else if (/^\d+$/.test(key) && Number(key) < parent.length) parent.splice(Number(key), 1);
}

function holds(
  { field, header, ...wanted }: Condition,
  json: unknown,
  headers: Readonly<Record<string, string>>,
) {
  const value = field === undefined ? headers[header ?? ''] : valueAt(json, field);
  if (wanted.exists !== undefined && wanted.exists !== (value !== undefined)) return false;
  if (wanted.equals !== undefined && value !== wanted.equals) return false;
  return wanted.not_equals === undefined || value !== wanted.not_equals;
}

function valueAt(json: unknown, path: string): unknown {
  let value: unknown;
  withParent(json, path, false, (parent, key) => {
    value = Array.isArray(parent)
      ? parent[/^\d+$/.test(key) ? Number(key) : -1]
      : Object.hasOwn(parent, key)
        ? parent[key]
        : undefined;
  });
  return value;
}

/** Calls `use` with what holds the field, if there is such a thing. @param make whether objects that lack are made */
function withParent(
  json: unknown,
  path: string,
  make: boolean,
  use: (parent: Parent, key: string) => void,
): void {
  const keys = keysOf(path);
  const last = keys.pop();
  let parent: unknown = json;
  for (const key of keys) {
    if (!isParent(parent)) return;
    const next: unknown = Array.isArray(parent)
      ? parent[Number(key)]
      : Object.hasOwn(parent, key)
        ? parent[key]
        : undefined;
    parent = next ?? (make && !Array.isArray(parent) ? (parent[key] = {}) : undefined);
  }
  if (isParent(parent) && last !== undefined) use(parent, last);
}

const keysOf = (path: string) =>
  path
    .slice(1)
    .split('/')
    .map((key) => key.replaceAll('~1', '/').replaceAll('~0', '~'));

const isParent = (value: unknown): value is Parent => typeof value === 'object' && value !== null;
const isObject = (value: unknown): value is Record<string, unknown> =>
  isParent(value) && !Array.isArray(value);
const isText = (value: unknown): value is string => typeof value === 'string' && value.length <= longestText;
const isScalar = (value: unknown): value is Scalar =>
  value === null ||
  typeof value === 'boolean' ||
  isText(value) ||
  (typeof value === 'number' && Number.isFinite(value));
const issue = (key: string, code: string, message: string): ConfigIssue => ({ key, code, message });

function pointerIssue(value: unknown): string | null {
  const isPointer = isText(value) && pointer.test(value) && !keysOf(value).some((key) => forbidden.has(key));
  return isPointer ? null : 'has to be a JSON pointer such as /order/id';
}

const conditionKeys = new Set(['field', 'header', 'exists', 'equals', 'not_equals']);

function conditionIssue(value: unknown): string | null {
  if (!isObject(value)) return 'has to be an object';
  const unknown = Object.keys(value).find((key) => !conditionKeys.has(key));
  if (unknown !== undefined) return `has no ${unknown.slice(0, 60)}`;
  const { field, header, exists, equals, not_equals } = value;
  if ((field === undefined) === (header === undefined)) return 'has to have either a field or a header';
  if (field !== undefined && pointerIssue(field)) return `field ${pointerIssue(field)}`;
  if (header !== undefined && (!isText(header) || header === '')) return 'header has to be a name';
  if (exists === undefined && equals === undefined && not_equals === undefined)
    return 'has to have exists, equals or not_equals';
  if (exists !== undefined && typeof exists !== 'boolean') return 'exists has to be true or false';
  const compared = [equals, not_equals].filter((one) => one !== undefined);
  return compared.every(isScalar) ? null : 'has to compare with a text, a number, true, false or null';
}

function listIssues(key: string, given: unknown, wrong: (item: unknown) => string | null): ConfigIssue[] {
  const path = `transforms.${key}`;
  if (!Array.isArray(given)) return [issue(path, 'wrong_type', 'has to be a list')];
  if (given.length > mostOfEach)
    return [issue(path, 'too_many', `has to have at most ${mostOfEach} entries`)];
  return given.flatMap((item: unknown, index) => {
    const message = wrong(item);
    return message === null ? [] : [issue(`${path}.${index}`, 'wrong_format', message)];
  });
}

function mapIssues(key: string, given: unknown, wrong: (value: unknown) => string | null): ConfigIssue[] {
  const path = `transforms.${key}`;
  if (!isObject(given)) return [issue(path, 'wrong_type', 'has to be an object')];
  const entries = Object.entries(given);
  if (entries.length > mostOfEach)
    return [issue(path, 'too_many', `has to have at most ${mostOfEach} entries`)];
  return entries.flatMap(([field, value]) => {
    const message = pointerIssue(field) === null ? wrong(value) : `its key ${pointerIssue(field)}`;
    return message === null ? [] : [issue(`${path}.${field.slice(0, 100)}`, 'wrong_format', message)];
  });
}
