import { randomBytes } from 'node:crypto';
import { validateHeaderName, validateHeaderValue } from 'node:http';
import {
  channelKinds,
  destinationForms,
  isMailAddress,
  keepSecrets,
  type ChannelKind,
  type ChannelSettings,
  type SecretFields,
  type TenantId,
} from '@sluice/contracts';
import { fieldProblem, problem } from '@sluice/service';
import { addressIssue } from '@sluice/system/destinations';
import type { NotifierClient } from '../../notifier-client.ts';

const mostHeaders = 20;
/** those that say how a message is framed, where it goes and who has signed it */
const ownHeaders =
  /^(host|content-.*|transfer-encoding|connection|keep-alive|upgrade|expect|te|trailer|proxy-.*|webhook-.*)$/i;

/** What of the settings is sent to the destination and may open it. The signing secret itself is never sent. */
export const channelSecretFields: SecretFields = {
  secrets: [['settings', 'webhook', 'headers', '*']],
  destination: [{ path: ['destination'], form: destinationForms.url }],
};

export const newSigningSecret = () => `whsec_${randomBytes(32).toString('base64')}`;

export const isCustomized = ({ webhook }: ChannelSettings): boolean =>
  Object.keys(webhook?.headers ?? {}).length > 0 || (webhook?.method ?? 'POST') !== 'POST';

/**
 * The rules of destinations (interface, 4.14 and 6.2). The notifier looks up the host, so this is called outside of transactions.
 * @throws Problem `invalid_request`, naming the field
 */
export async function checkDestination(
  notifier: NotifierClient,
  tenant_id: TenantId,
  kind: ChannelKind,
  destination: string,
): Promise<void> {
  const invalid = (message: string) => fieldProblem('destination', 'invalid_format', message);
  if (kind === 'email') {
    if (!isMailAddress(destination)) throw invalid('has to be a mail address');
    return;
  }
  const url = URL.parse(destination);
  if (url?.protocol !== 'https:') throw invalid('has to be an https:// address');
  const issue = addressIssue(destination);
  if (issue !== null) throw invalid(issue);
  if (url.username !== '' || url.password !== '') throw invalid('must not hold a login: use a header');
  await notifier('check_host', { tenant_id, host: url.hostname });
}

/** @throws Problem `invalid_request` for settings of another kind, or that no request could carry */
export function checkSettings(kind: ChannelKind, settings: ChannelSettings): void {
  for (const other of channelKinds)
    if (other !== kind && other in settings)
      throw fieldProblem(`settings/${other}`, 'not_applicable', `is not for a channel of the kind ${kind}`);
  const headers = Object.entries(settings.webhook?.headers ?? {});
  if (headers.length > mostHeaders)
    throw fieldProblem('settings/webhook/headers', 'too_many', `must not be more than ${mostHeaders}`);
  for (const [name, value] of headers) checkHeader(name, value);
  const names = headers.map(([name]) => name.toLowerCase());
  const twice = names.find((name, position) => names.indexOf(name) < position);
  if (twice !== undefined) throw headerProblem(`has ${twice} twice: the case of a header does not matter`);
}

/**
 * A destination and settings, with stored secrets in the place of `***`.
 * @throws Problem `invalid_request` where nothing is stored for this destination
 */
export function withSecrets<Given extends { destination: string; settings: ChannelSettings }>(
  given: Given,
  stored: Given | undefined,
): Given {
  const { values, issues } = keepSecrets(given, stored, channelSecretFields);
  const fieldIssues = issues.map(({ path, ...issue }) => ({ path: `/body${path}`, ...issue }));
  if (fieldIssues.length > 0) throw problem('invalid_request', { fieldIssues });
  return values;
}

const headerProblem = (message: string) =>
  fieldProblem('settings/webhook/headers', 'invalid_header', message);

function checkHeader(name: string, value: string): void {
  try {
    validateHeaderName(name);
    validateHeaderValue(name, value);
  } catch {
    // neither is repeated: a value may be secret
    throw headerProblem('has a name or a value that no request can carry');
  }
  if (ownHeaders.test(name)) throw headerProblem(`must not set ${name.toLowerCase()}`);
}
