import { nameOf } from './place-path.ts';
import type { Existing, KindName, Organization } from './entries.ts';
import { initialRule } from './kinds/access-rule.ts';

type Part = Record<string, unknown>;

/** An organization as a document. What is secret becomes a reference to a variable that is named after its place. */
export function exportOf({ entries }: Organization): Part {
  const all = [...entries.values()].sort((a, b) => (a.place < b.place ? -1 : a.place > b.place ? 1 : 0));
  const ofKind = (kind: KindName, parent: string | null = null) =>
    all.filter((entry) => entry.kind === kind && entry.parent === parent);
  const [configuration] = ofKind('tenant configuration');
  const [sink] = ofKind('audit sink');
  return filled({
    tenant: configuration?.fields,
    audit_sink: sink && secretsReferred(sink, sink.fields),
    roles: ofKind('role').map(({ fields }) => fields),
    members: ofKind('member')
      .filter(({ isOwner }) => !isOwner)
      .map(({ name, fields: { roles, active } }) =>
        filled({ email: name, roles, active: active === false ? false : undefined }),
      ),
    channels: ofKind('channel').map(channelPart),
    divisions: ofKind('division').map(divisionPart),
  });

  function divisionPart({ fields, place }: Existing): Part {
    return filled({
      ...fields,
      protected: fields['protected'] || undefined,
      channels: ofKind('channel', `division ${place}`).map(channelPart),
      environments: ofKind('environment', `division ${place}`).map(environmentPart),
    });
  }

  function environmentPart({ fields, place }: Existing): Part {
    return filled({
      ...fields,
      protected: fields['protected'] || undefined,
      deployments: ofKind('deployment', `environment ${place}`)
        .filter(({ status }) => status !== 'deleting')
        .map(deploymentPart),
    });
  }

  function deploymentPart({ name, fields, place }: Existing): Part {
    const within = (kind: KindName) => ofKind(kind, `deployment ${place}`);
    const { nodes, ...own } = fields;
    const [schedule] = within('backup schedule');
    const rules = within('access rule').filter(isInForce);
    // a new one would begin with it
    const isClosed =
      own['tier'] === initialRule.tier && rules.every((rule) => rule.name !== initialRule.name);
    const part = filled({
      name,
      ...own,
      protected: own['protected'] || undefined,
      nodes: own['cluster'] === 'cluster' ? nodes : undefined,
      access_rules: [
        ...(isClosed ? [{ name: initialRule.name, absent: true }] : []),
        ...rules.map((rule) => filled({ name: rule.name, ...rule.fields })),
      ],
      configurations: within('configuration').map((one) => ({
        name: one.name,
        ...secretsReferred(one, one.fields),
      })),
      connectors: within('connector').map((one) => ({ key: one.name, ...secretsReferred(one, one.fields) })),
      backups: schedule?.fields['enabled'] === true ? schedule.fields : undefined,
    });
    // empty, so that applying it elsewhere asks for the access, and creates no managed one
    return own['byoc'] ? { ...part, byoc: own['byoc'] } : part;
  }
}

/** A rule whose end is over cannot be made again. */
const isInForce = ({ fields: { valid_to: end } }: Existing): boolean =>
  typeof end !== 'string' || new Date(end) > new Date();

function channelPart(channel: Existing): Part {
  const { destination, settings, ...fields } = channel.fields as { destination: string; settings: Part };
  const webhook = settings['webhook'] as { headers?: Record<string, string> | null } | undefined;
  const headers = Object.keys(webhook?.headers ?? {}).map((name) => [
    name,
    referenceOf(channel, ['header', name]),
  ]);
  return filled({
    ...fields,
    // who has the address of a chat or webhook can write there
    destination:
      fields['channel' as keyof typeof fields] === 'email'
        ? destination
        : referenceOf(channel, ['destination']),
    settings: filled({
      ...settings,
      webhook:
        webhook &&
        filled({ ...webhook, headers: headers.length > 0 ? Object.fromEntries(headers) : undefined }),
    }),
  });
}

/** The same with a reference for each value that a server keeps to itself. */
function secretsReferred(entry: Existing, fields: Readonly<Part>): Part {
  const referred = (value: unknown, path: readonly string[]): unknown => {
    if (value === '***') return referenceOf(entry, path);
    if (Array.isArray(value)) return value.map((item, at) => referred(item, [...path, String(at)]));
    if (value === null || typeof value !== 'object') return value;
    return Object.fromEntries(
      Object.entries(value).map(([key, item]) => [key, referred(item, [...path, key])]),
    );
  };
  return referred(fields, []) as Part;
}

/** `${env:PAYMENTS_DEV_ORDERS_WAREHOUSE_VALUES_PASSWORD}` */
function referenceOf({ kind, place }: Existing, path: readonly string[]): string {
  const words = [place === '' ? kind : nameOf(place), ...path].join('_');
  return `\${env:${words.toUpperCase().replaceAll(/[^A-Z0-9]+/g, '_')}}`;
}

/** Without what is empty. */
const filled = (part: Part): Part =>
  Object.fromEntries(
    Object.entries(part).filter(([, value]) => {
      if (value === undefined || value === null) return false;
      return typeof value !== 'object' || Object.keys(value).length > 0;
    }),
  );
