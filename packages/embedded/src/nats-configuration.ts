/** A user of a nats-server. */
export interface NatsUser {
  /** the public NKey by which it is known */
  nkey: string;
  /** undefined: everything */
  permissions?: { publish: readonly string[]; subscribe: readonly string[]; answers: boolean };
}

/**
 * nats-server's configuration (which may be JSON): these users, and nobody else; anybody where none are given.
 * @param more what it says besides
 */
export function natsConfiguration(users?: readonly NatsUser[], more: Record<string, unknown> = {}): string {
  const authorization = users && { authorization: { users: users.map(configured) } };
  return `${JSON.stringify({ ...authorization, ...more }, null, 2)}\n`;
}

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
