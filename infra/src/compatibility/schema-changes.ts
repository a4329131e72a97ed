/** As much of JSON Schema as the documents use, without references. */
export interface Schema {
  type?: string | string[];
  enum?: unknown[];
  const?: unknown;
  properties?: Record<string, Schema>;
  required?: string[];
  items?: Schema;
  additionalProperties?: boolean | Schema;
  oneOf?: Schema[];
  allOf?: Schema[];
  pattern?: string;
  format?: string;
  [keyword: string]: unknown;
}

/** Whether clients send what a schema describes, or are sent it. */
export type Direction = 'request' | 'answer';

/** Bounds by what a request must not lose: more of the one, or less of the other. */
const lowerBounds = ['minimum', 'exclusiveMinimum', 'minLength', 'minItems', 'minProperties'];
const upperBounds = ['maximum', 'exclusiveMaximum', 'maxLength', 'maxItems', 'maxProperties'];

/**
 * What a change of a schema breaks for clients of the former one, a line each. A request may be refused what it could hold; an answer may
 * lack what it always had, or have a type that it never had. New values of an enum in answers are no break: clients must expect them.
 */
export function schemaChanges(was: Schema, is: Schema, direction: Direction, at = ''): string[] {
  const [former, present] = [flattened(was), flattened(is)];
  return [
    ...typeChanges(former, present, direction, at),
    ...(direction === 'request' ? narrowings(former, present, at) : []),
    ...propertyChanges(former, present, direction, at),
    ...(former.items && present.items
      ? schemaChanges(former.items, present.items, direction, `${at}/*`)
      : []),
    ...mapChanges(former, present, direction, at),
    ...variantChanges(former, present, direction, at),
  ];
}

/** A schema with what `allOf` adds, and with null among its types where that is its only other variant. */
function flattened(schema: Schema): Schema {
  const { allOf = [], oneOf, ...rest } = schema;
  const merged = allOf.map(flattened).reduce<Schema>(
    (all, part) => ({
      ...all,
      ...part,
      properties: { ...all.properties, ...part.properties },
      required: [...(all.required ?? []), ...(part.required ?? [])],
    }),
    rest,
  );
  const others = oneOf?.filter(({ type }) => type !== 'null');
  if (!oneOf || !others) return merged;
  const [only, ...more] = others.map(flattened);
  if (!only || more.length > 0 || others.length === oneOf.length) return { ...merged, oneOf };
  const nullable = {
    ...only,
    type: [...typesOf(only), 'null'],
    ...(only.enum && { enum: [...only.enum, null] }),
  };
  return { ...merged, ...nullable };
}

const typesOf = ({ type }: Schema) => (type === undefined ? [] : [type].flat());

function typeChanges(was: Schema, is: Schema, direction: Direction, at: string): string[] {
  const [former, present] = [typesOf(was), typesOf(is)];
  const integers = (types: string[]) => (types.includes('number') ? [...types, 'integer'] : types);
  if (direction === 'request') {
    const lost = present.length > 0 ? former.filter((type) => !integers(present).includes(type)) : [];
    return lost.map((type) => `${at}: no longer takes ${type}`);
  }
  const added = former.length > 0 ? present.filter((type) => !integers(former).includes(type)) : [];
  return added.map((type) => `${at}: may be ${type} now`);
}

function narrowings(was: Schema, is: Schema, at: string): string[] {
  const lost = is.enum ? (was.enum ?? ['any other value']).filter((value) => !is.enum?.includes(value)) : [];
  const tighter = (names: string[], isTighter: (former: number | undefined, present: number) => boolean) =>
    names
      .filter((name) => typeof is[name] === 'number' && isTighter(was[name] as number | undefined, is[name]))
      .map((name) => `${at}: ${name} is ${String(is[name])} now`);
  return [
    ...lost.map((value) => `${at}: no longer takes ${String(value)}`),
    ...tighter(lowerBounds, (former, present) => former === undefined || present > former),
    ...tighter(upperBounds, (former, present) => former === undefined || present < former),
    ...(['pattern', 'format', 'const'] as const)
      .filter((name) => is[name] !== undefined && is[name] !== was[name])
      .map((name) => `${at}: has another ${name}`),
  ];
}

function propertyChanges(was: Schema, is: Schema, direction: Direction, at: string): string[] {
  const { properties: former = {}, required: formerly = [] } = was;
  const { properties: present = {}, required = [] } = is;
  const changes = Object.entries(former).flatMap(([name, schema]) => {
    const now = present[name];
    return now ? schemaChanges(schema, now, direction, `${at}/${name}`) : [`${at}/${name}: is gone`];
  });
  const stricter = required
    .filter((name) => !formerly.includes(name))
    .map((name) => `${at}/${name}: is required now`);
  const looser = formerly
    .filter((name) => !required.includes(name) && name in present)
    .map((name) => `${at}/${name}: may be absent now`);
  return [...changes, ...(direction === 'request' ? stricter : looser)];
}

function mapChanges(was: Schema, is: Schema, direction: Direction, at: string): string[] {
  const { additionalProperties: former = true } = was;
  const { additionalProperties: present = true } = is;
  if (typeof former === 'object' && typeof present === 'object')
    return schemaChanges(former, present, direction, `${at}/{}`);
  return former !== false && present === false && direction === 'request'
    ? [`${at}: takes no other fields now`]
    : [];
}

/** Variants are compared in their order. */
function variantChanges(was: Schema, is: Schema, direction: Direction, at: string): string[] {
  const [former, present] = [was.oneOf ?? [], is.oneOf ?? []];
  const fewer = direction === 'request' ? present.length < former.length : present.length > former.length;
  return [
    ...(fewer ? [`${at}: has ${present.length} variants now, and had ${former.length}`] : []),
    ...former.flatMap((schema, number) => {
      const now = present[number];
      return now ? schemaChanges(schema, now, direction, `${at}(${number})`) : [];
    }),
  ];
}
