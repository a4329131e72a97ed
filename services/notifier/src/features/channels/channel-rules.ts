import { validateHeaderName, validateHeaderValue } from 'node:http';
import {
  channelKinds,
  isMailAddress,
  keepSecrets,
  type ChannelKind,
  type ChannelSettings,
} from '@sluice/contracts';
import { fieldProblem, problem } from '@sluice/service';
import { addressIssue, DestinationRefused, type Destinations } from '@sluice/system/destinations';
import { channelSecretFields, isCustomized } from './channel-secrets.ts';

const mostHeaders = 20;
/** those that say how a message is framed, where it goes and who has signed it */
const ownHeaders =
  /^(host|content-.*|transfer-encoding|connection|keep-alive|upgrade|expect|te|trailer|proxy-.*|webhook-.*)$/i;

/**
 * The rules of what a channel is told (interface, 4.14 and 6.2).
 * @throws Problem `invalid_request`, naming the field
 */
export async function checkDestination(
  kind: ChannelKind,
  destination: string,
  destinations: Destinations,
): Promise<void> {
  if (kind === 'email') {
    if (!isMailAddress(destination))
      throw fieldProblem('destination', 'invalid_format', 'has to be a mail address');
    return;
  }
  const url = URL.parse(destination);
  if (url?.protocol !== 'https:')
    throw fieldProblem('destination', 'invalid_format', 'has to be an https:// address');
  const issue = addressIssue(destination);
  if (issue !== null) throw fieldProblem('destination', 'invalid_format', issue);
  if (url.username !== '' || url.password !== '')
    throw fieldProblem('destination', 'invalid_format', 'must not hold a login: use a header');
  try {
    await destinations.checkNow(url.hostname);
  } catch (error) {
    if (!(error instanceof DestinationRefused)) throw error;
    throw fieldProblem('destination', 'destination_not_allowed', 'must not be a private or internal address');
  }
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

/** @throws Problem `feature_not_available` where the plan has webhooks as they are alone */
export function checkPlan(settings: ChannelSettings, mayCustomize: boolean): void {
  if (mayCustomize || !isCustomized(settings)) return;
  const feature = 'advanced_notification_channels_enabled';
  throw problem('feature_not_available', {
    detail: `The tenant's plan does not have ${feature}, which headers and another method of a webhook need.`,
    extensions: { feature },
  });
}

/** @throws Problem `limit_reached`, naming the limit and its value */
export function checkLimit(name: string, limit: number, wanted: number): void {
  if (wanted <= limit) return;
  throw problem('limit_reached', {
    detail: `The tenant's plan allows ${limit} (${name}).`,
    extensions: { limit: { name, value: limit } },
  });
}
