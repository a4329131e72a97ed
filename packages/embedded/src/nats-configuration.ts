export interface NatsUser {
  /** the public NKey by which it is known */
  nkey: string;
  /** undefined: everything */
  permissions?: NatsUserPermissions;
}

export interface NatsUserPermissions {
  /** an account of its own; default: the one that has JetStream */
  account?: string | undefined;
  publish: readonly string[];
  subscribe: readonly string[];
  answers: boolean;
  /** of `subscribe`, what an account of its own hears of the one with JetStream */
  hears?: readonly string[];
  /** of `subscribe`, what an account of its own answers to the one with JetStream */
  serves?: readonly string[];
}

/** The account that has JetStream. */
const streamsAccount = 'SLUICE';

/**
 * nats-server's configuration (which may be JSON): these users, and no others; anybody where none are given. An account of its own shares
 * no subject with others but by import: a request goes to the account with JetStream, and what answers it can reach the
 * requesting account alone, not to the reply subject that the request names.
 * @param more what it says besides
 */
export function natsConfiguration(users?: readonly NatsUser[], more: Record<string, unknown> = {}): string {
  return `${JSON.stringify({ ...(users && { accounts: accountsOf(users) }), ...more }, null, 2)}\n`;
}

function accountsOf(users: readonly NatsUser[]) {
  const own = new Map<string, NatsUser[]>();
  for (const user of users) {
    const name = user.permissions?.account;
    if (name !== undefined) own.set(name, [...(own.get(name) ?? []), user]);
  }
  const isolated = [...own].map(([name, [first, ...others]]) => {
    const { publish = [], hears = [], serves = [] } = first?.permissions ?? {};
    return { name, users: [first, ...others].filter((user) => user !== undefined), publish, hears, serves };
  });
  const requests = new Set(isolated.flatMap(({ publish }) => publish));
  const heard = new Set(isolated.flatMap(({ hears }) => hears));
  return {
    [streamsAccount]: {
      jetstream: 'enabled',
      users: users.filter(({ permissions }) => permissions?.account === undefined).map(configured),
      exports: [
        ...[...requests].map((service) => ({
          service,
          ...(isAnsweredOften(service) && { response_type: 'stream' }),
        })),
        ...[...heard].map((stream) => ({ stream })),
      ],
      imports: isolated.flatMap(({ name, serves }) =>
        serves.map((subject) => ({ service: { account: name, subject } })),
      ),
    },
    ...Object.fromEntries(
      isolated.map(({ name, users, publish, hears, serves }) => [
        name,
        {
          users: users.map(configured),
          exports: serves.map((service) => ({ service })),
          imports: [
            ...publish.map((subject) => ({ service: { account: streamsAccount, subject } })),
            ...hears.map((subject) => ({ stream: { account: streamsAccount, subject } })),
          ],
        },
      ]),
    ),
  };
}

/** Messages of a consumer, and those of a batch, are many answers to one request. */
const isAnsweredOften = (subject: string) => /^\$JS\.API\.(CONSUMER\.MSG\.NEXT|DIRECT\.GET)\./.test(subject);

function configured({ nkey, permissions }: NatsUser) {
  if (!permissions) return { nkey };
  const { publish, subscribe, answers } = permissions;
  return {
    nkey,
    permissions: {
      publish: { allow: publish },
      subscribe: { allow: subscribe },
      ...(answers && { allow_responses: { max: 1, expires: '1m' } }),
    },
  };
}
