import { Resolver } from 'node:dns/promises';
import type { ChallengeRecord } from './dns-provider.ts';

export type FindInvisible = (records: readonly ChallengeRecord[]) => Promise<ChallengeRecord[]>;

/** @param servers addresses of name servers, with a port or without; where there are none nothing is asked */
export function visibility(servers: readonly string[]): FindInvisible {
  const resolvers = servers.map((server) => {
    const resolver = new Resolver({ timeout: 2_000, tries: 2 });
    resolver.setServers([server]);
    return resolver;
  });
  return async (records) => {
    const shown = await Promise.all(records.map((record) => isShownBy(resolvers, record)));
    return records.filter((_record, index) => !shown[index]);
  };
}

async function isShownBy(resolvers: readonly Resolver[], { fqdn, value }: ChallengeRecord): Promise<boolean> {
  const answers = await Promise.all(
    // an error is how a server says that there is nothing
    resolvers.map((resolver) => resolver.resolveTxt(fqdn).catch(() => [])),
  );
  return answers.every((texts) => texts.some((pieces) => pieces.join('') === value));
}
