import type { ConfigEntry, ConfigRule, ConfigSection, ConnectorType } from '@sluice/contracts';
import { readConfigValues, type ConfigIssue } from '@sluice/contracts/config-values';
import { needJson, readTransforms, type Transforms } from './transforms.ts';

/** A connector's configuration apart from `plugin_config` (interface, 2.12). */
export interface ConnectorValues {
  enabled: boolean;
  streams: readonly StreamBinding[];
  transforms: Transforms;
}

export const contentSchemas = ['raw', 'text', 'json'] as const;
export type ContentSchema = (typeof contentSchemas)[number];

export interface StreamBinding {
  stream: string;
  /** for a sink which subjects, with wildcards, none for all; for a source the subjects that each record is published to */
  topics: readonly string[];
  schema: ContentSchema;
  batch_length: number;
  poll_interval: number;
  /** the durable consumer that a sink reads by; null for one of its own */
  consumer_group: string | null;
}

const mostStreams = 10;
const mostTopics = 20;
/** what can be a name in the broker: of a stream, of a durable consumer */
const brokerName = '[A-Za-z0-9_-]{1,64}';
const token = '[^\\s.*>]{1,100}';

const entry = (
  key: string,
  kind: ConfigEntry['kind'],
  description: string,
  default_value: ConfigEntry['default_value'],
  ...rules: ConfigRule[]
): ConfigEntry => ({
  ...{ key, kind, description, default_value, rules },
  name: key.charAt(0).toUpperCase() + key.slice(1).replaceAll('_', ' '),
  editable: true,
  secret: false,
  requirements: [],
});

const streamEntries = (type: ConnectorType): ConfigEntry[] => {
  const topic =
    type === 'sink'
      ? `(?:${token}|\\*)(?:\\.(?:${token}|\\*)){0,15}(?:\\.>)?|>`
      : `${token}(?:\\.${token}){0,15}`;
  const topics = entry(
    'topics',
    'list',
    type === 'sink'
      ? 'subjects to take messages of, wildcards included; without any all of the stream'
      : 'the subjects that each record is published to',
    null,
    { rule: 'max', value: mostTopics },
    { rule: 'pattern', value: topic },
    ...(type === 'source' ? [{ rule: 'required' } as const, { rule: 'min', value: 1 } as const] : []),
  );
  return [
    entry(
      'stream',
      'string',
      'name of the stream',
      null,
      { rule: 'required' },
      { rule: 'pattern', value: brokerName },
    ),
    topics,
    entry(
      'schema',
      'enum',
      'what messages are: bytes, text in UTF-8, or JSON; what is something else becomes a dead letter',
      'raw',
      { rule: 'one_of', values: contentSchemas },
    ),
    ...(type === 'sink' ? sinkEntries : []),
  ];
};

const sinkEntries = [
  entry(
    'batch_length',
    'int',
    'messages that are written together at most',
    100,
    { rule: 'min', value: 1 },
    { rule: 'max', value: 1_000 },
  ),
  entry(
    'poll_interval',
    'duration',
    'how long a batch waits to become full, from its first message on',
    '1s',
    { rule: 'min', value: 5 },
    { rule: 'max', value: 60_000 },
  ),
  entry(
    'consumer_group',
    'string',
    'the durable consumer that messages are taken by; instances with the same one share the messages. Without it the instance has its own',
    null,
    { rule: 'pattern', value: brokerName },
  ),
];

/** Sources ignore these: the form of both kinds is the same. */
const unused = sinkEntries.map(({ key }) => key);

const valueKeys = new Set(['enabled', 'streams', 'plugin_config', 'transforms']);

/** The base fields of a connector's schema, under `sink` or `source`; those of the streams by themselves. */
export function baseSection(type: ConnectorType): ConfigSection {
  return {
    name: type === 'sink' ? 'Sink' : 'Source',
    description:
      type === 'sink'
        ? 'What it takes from the broker; the fields from `stream` on are those of each entry of `streams`'
        : 'What it writes to the broker; the fields from `stream` on are those of each entry of `streams`',
    schema: [entry('enabled', 'bool', 'whether it works', true), ...streamEntries(type)],
  };
}

/**
 * Reads values of a connector's configuration, `plugin_config` apart, and says all that is wrong at once. Keys of issues are paths such
 * as `streams.0.topics`.
 */
export function readConnectorValues(
  type: ConnectorType,
  given: Readonly<Record<string, unknown>>,
): { values: ConnectorValues; issues: ConfigIssue[] } {
  const { enabled = true, streams, transforms: givenTransforms } = given;
  const issues: ConfigIssue[] = Object.keys(given)
    .filter((key) => !valueKeys.has(key))
    .map((key) => ({ key: key.slice(0, 100), code: 'unknown_key', message: 'is no value of a connector' }));
  if (typeof enabled !== 'boolean')
    issues.push({ key: 'enabled', code: 'wrong_type', message: 'has to be true or false' });
  const bindings = readStreams(type, streams, issues);
  const { transforms, issues: wrong } = readTransforms(givenTransforms);
  issues.push(...wrong);
  if (needJson(transforms) && bindings.some(({ schema }) => schema !== 'json'))
    issues.push({
      key: 'transforms',
      code: 'not_allowed',
      message: 'on fields need the schema json in all streams',
    });
  return { values: { enabled: enabled === true, streams: bindings, transforms }, issues };
}

function readStreams(type: ConnectorType, given: unknown, issues: ConfigIssue[]): StreamBinding[] {
  const wrong = (code: string, message: string) => {
    issues.push({ key: 'streams', code, message });
    return [];
  };
  if (given === undefined) return wrong('required', 'is required');
  if (!Array.isArray(given)) return wrong('wrong_type', 'has to be a list');
  if (given.length === 0) return wrong('too_few', 'has to have at least one entry');
  if (given.length > mostStreams) return wrong('too_many', `has to have at most ${mostStreams} entries`);
  const entries = streamEntries(type);
  const bindings = given.flatMap((item: unknown, index): StreamBinding[] => {
    if (typeof item !== 'object' || item === null || Array.isArray(item)) {
      issues.push({ key: `streams.${index}`, code: 'wrong_type', message: 'has to be an object' });
      return [];
    }
    const relevant = Object.entries(item).filter(([key]) => type === 'sink' || !unused.includes(key));
    const { values, issues: wrongHere } = readConfigValues(entries, Object.fromEntries(relevant));
    issues.push(...wrongHere.map((one) => ({ ...one, key: `streams.${index}.${one.key.slice(0, 100)}` })));
    return wrongHere.length > 0 ? [] : [bindingOf(values)];
  });
  const names = bindings.map(({ stream, consumer_group }) => JSON.stringify([stream, consumer_group]));
  if (type === 'sink' && new Set(names).size < names.length)
    return wrong('duplicate', 'has to name each stream once per consumer group');
  return bindings;
}

function bindingOf(values: ReturnType<typeof readConfigValues>['values']): StreamBinding {
  const { stream, topics, schema, batch_length, poll_interval, consumer_group } = values;
  return {
    stream: String(stream),
    topics: Array.isArray(topics) ? topics : [],
    schema: contentSchemas.find((one) => one === schema) ?? 'raw',
    batch_length: Number(batch_length ?? 1),
    poll_interval: Number(poll_interval ?? 0),
    consumer_group: typeof consumer_group === 'string' ? consumer_group : null,
  };
}
