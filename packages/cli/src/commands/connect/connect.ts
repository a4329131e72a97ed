import { getCredentials } from '@sluice/client';
import { hasTls, reach } from '../broker/broker.ts';
import { findEndpoint, type Endpoint } from '../broker/endpoint.ts';
import { explainUnreachable } from '../broker/failures.ts';
import { Unreachable } from '../broker/server-info.ts';
import type { Cli } from '../../cli.ts';
import { writeAuthority, writeNatsContext } from './files.ts';
import { environmentLines, snippets, type Language, type Target } from '@sluice/client/snippets';

interface ConnectFlags {
  language?: Language;
  env?: boolean;
  showLogin?: boolean;
  caFile?: string;
  natsContext?: string;
}

export async function connect(
  cli: Cli,
  at: string | undefined,
  { language, env = false, showLogin = false, caFile, natsContext }: ConnectFlags,
): Promise<void> {
  const endpoint = await findEndpoint(cli, at);
  const { authority, place, call, servers } = endpoint;
  const isSecure = await speaksTls(cli, endpoint);
  const needsFile = isSecure && authority !== null;
  const url = `${isSecure ? 'tls' : 'nats'}://${servers[0]}`;
  const readLogin = async () => (await getCredentials(call)).data;

  if (caFile !== undefined) {
    const path = await writeAuthority(caFile, authority);
    cli.say(`The authority of ${place} is in ${path}.`);
  }
  if (natsContext !== undefined) {
    const context = {
      name: natsContext,
      place,
      url,
      login: await readLogin(),
      authority: needsFile ? authority : null,
    };
    cli.say(`The context ${natsContext} is in ${await writeNatsContext(cli.io.env, context)}.`);
    if (!env && language === undefined && !showLogin) return;
  }
  if (needsFile && caFile === undefined)
    cli.say(`The certificates of its authority are needed: sluice connect ${place} --ca-file ca.pem`);
  const target: Target = {
    url,
    isSecure,
    caFile: needsFile ? (caFile ?? 'ca.pem') : undefined,
    login: showLogin ? await readLogin() : undefined,
  };
  if (env) return cli.output.raw(environmentLines(target));
  const all = snippets(target);
  if (!cli.output.isForPeople) return cli.output.value({ url, tls: isSecure, lines: all });
  const chosen = language ? [all[language]] : Object.values(all);
  await cli.output.raw(chosen.join('\n'));
}

/** Whether the broker has TLS; where it does not answer, it is taken to. */
async function speaksTls(cli: Cli, endpoint: Endpoint): Promise<boolean> {
  try {
    return hasTls((await reach(endpoint, cli.signal)).info);
  } catch (error) {
    if (!(error instanceof Unreachable)) throw error;
    const { message, next } = await explainUnreachable(cli, endpoint, error);
    cli.say(`${message}${next === undefined ? '' : ` Next: ${next}`}`);
    return endpoint.authority !== null;
  }
}
