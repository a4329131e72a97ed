import { EC2Client } from '@aws-sdk/client-ec2';
import { AssumeRoleCommand, STSClient } from '@aws-sdk/client-sts';
import type { CloudAccess, NodeId } from '@sluice/contracts';
import type { CopyAccess, NodeAccess, StoredNodes } from '@sluice/drivers';
import { leastRecentlyUsed } from '@sluice/system/least-recently-used';
import { codeOf } from '../error-code.ts';

/** The role in a customer's account, as they have prepared it. */
export type RoleAccess = Pick<
  NonNullable<CloudAccess['cloud_a']>,
  'account_id' | 'identity_arn' | 'external_id' | 'vpc_id'
>;

export type RoleOfNode = NodeAccess<NonNullable<CloudAccess['cloud_a']>>;
export type RoleOfCopy = CopyAccess<NonNullable<CloudAccess['cloud_a']>>;

export interface RoleNodes extends StoredNodes {
  findAccess: (node: NodeId) => Promise<RoleOfNode | undefined>;
  findCopyAccess: (copy: string) => Promise<RoleOfCopy | undefined>;
  listAccesses: (driver: string) => Promise<RoleOfNode[]>;
}

/** What the cloud has said to a request, as the customer may read it: it is their account, and nothing of the installation's is in it. */
class CloudFailure extends Error {
  readonly code: string;

  constructor(action: string, code: string, options?: ErrorOptions) {
    super(`the cloud does not do ${action} (${code})`, options);
    this.code = code;
  }
}

/** For a change that another client may have made already. */
export const unlessCode = (code: string) => (error: unknown) => {
  if (!(error instanceof CloudFailure) || error.code !== code) throw error;
};

const busyCodes =
  /^(RequestLimitExceeded|Throttling.*|\w*RateExceeded|ConcurrentSnapshotLimitExceeded|InternalError|InternalFailure|ServiceUnavailable|Unavailable|RequestTimeout|TimeoutError|IncorrectState|E[A-Z]+)$/;
/** Whether the same request may succeed later. */
export const isCloudBusy = (error: unknown) => error instanceof CloudFailure && busyCodes.test(error.code);

const accessCodes = /^(UnauthorizedOperation|AccessDenied|AccessDeniedException|AuthFailure)$/;
export const isDenied = (error: unknown) => accessCodes.test(codeOf(error));

/** seconds that a session lasts, the least that there is, and before its end from which on it is not used any more */
const sessionSeconds = 900;
const spareSeconds = 120;
const mostSessions = 500;

/** ARNs have the cloud's own name of its partition, not the catalogue's name of the cloud. */
const arnOf = (written: string) => written.replace(/^arn:cloud_a:/, 'arn:aws:');

export async function assumeRole(
  sts: STSClient,
  { identity_arn }: Pick<RoleAccess, 'identity_arn'>,
  ExternalId: string | undefined,
  abortSignal: AbortSignal,
) {
  const command = new AssumeRoleCommand({
    RoleArn: arnOf(identity_arn),
    RoleSessionName: 'sluice',
    DurationSeconds: sessionSeconds,
    ...(ExternalId !== undefined && { ExternalId }),
  });
  const { Credentials: given } = await sts.send(command, { abortSignal });
  if (!given?.AccessKeyId || !given.SecretAccessKey || !given.SessionToken)
    throw new Error('the cloud has given a session and does not say which');
  return {
    accessKeyId: given.AccessKeyId,
    secretAccessKey: given.SecretAccessKey,
    sessionToken: given.SessionToken,
  };
}

/** Nothing is tried again by the SDK: the caller looks for what there is, and repeats the whole. */
export const clientOptions = (region: string) => ({ region, maxAttempts: 1 });

/**
 * Sessions in the roles of customers, each used until shortly before its end. Credentials of this installation are found as the SDK finds
 * them (`AWS_…`, files, the machine's role).
 */
export function roleSessions(region: string, now: () => Date) {
  const sts = new STSClient(clientOptions(region));
  const sessions = leastRecentlyUsed<string, { ec2: EC2Client; until: number }>(mostSessions);

  return async (access: RoleAccess, signal: AbortSignal): Promise<EC2Client> => {
    const key = `${access.identity_arn} ${access.external_id}`;
    const known = sessions.get(key);
    if (known && now().getTime() < known.until) return known.ec2;
    const credentials = await assumeRole(sts, access, access.external_id, signal).catch((error: unknown) => {
      signal.throwIfAborted();
      const options = { cause: error };
      if (isDenied(error))
        throw new Error(
          `the role ${access.identity_arn} cannot be assumed: its trust policy has to be that of the setup`,
          options,
        );
      throw new CloudFailure('AssumeRole', codeOf(error), options);
    });
    const ec2 = new EC2Client({ ...clientOptions(region), credentials });
    // what the cloud answers is the account's, so people may read it; an aborted call is not an answer
    ec2.middlewareStack.add(
      (next, { commandName = '' }) =>
        async (request) =>
          await next(request).catch((error: unknown) => {
            if (error instanceof Error && error.name === 'AbortError') throw error;
            throw new CloudFailure(commandName.replace(/Command$/, ''), codeOf(error), { cause: error });
          }),
      { step: 'initialize', name: 'readableErrors' },
    );
    sessions.set(key, { ec2, until: now().getTime() + (sessionSeconds - spareSeconds) * 1_000 });
    return ec2;
  };
}
