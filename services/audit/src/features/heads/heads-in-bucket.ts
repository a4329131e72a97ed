import { createHash } from 'node:crypto';
import { lookup } from 'node:dns';
import type { ListObjectVersionsCommandOutput, ObjectVersion, S3Client } from '@aws-sdk/client-s3';
import { s3Client } from '@sluice/connectors';
import type { PublishedHead } from '@sluice/contracts';
import type { Log } from '@sluice/service';
import { headOf, type HeadPublisher } from './head-publisher.ts';

export interface HeadsBucket {
  bucket: string;
  /** with which all names begin */
  prefix: string;
  region: string;
  /** storage with the API of S3 that is not AWS's */
  endpoint: string | undefined;
  /** how long a head cannot be deleted, where the bucket can lock; as the bucket says when absent */
  lockDays: number | undefined;
  now: () => Date;
  log: Log;
}

/** requests at a time */
const atATime = 4;
const versionsOfPage = 500;
/** many times what a head has */
const mostBytes = 4_096;
const patience = 30_000;

/**
 * A bucket with an object for each head, of a name that its hash is part of: a log that was written anew gets other names, and takes no
 * place of what was published before. All versions of all objects are read, so that a deletion that a lock has survived hides nothing.
 * Who Sluice is there, the SDK finds out (`AWS_…`, files, the role of the machine or pod).
 */
export async function headsInBucket(place: HeadsBucket): Promise<HeadPublisher> {
  const { endpoint = null, region } = place;
  const pathStyle = endpoint !== null;
  const client = await s3Client({ endpoint, region, credentials: null, pathStyle, ca: null, lookup });
  const locks = locksOf(client, place);
  return {
    async publish(heads, signal) {
      if (heads.length === 0) return;
      const locked = await locks(signal);
      for (let first = 0; first < heads.length; first += atATime)
        await Promise.all(
          heads.slice(first, first + atATime).map((head) => put(client, place, head, locked, signal)),
        );
    },

    async *publishedOf(tenant) {
      for await (const versions of versionsIn(client, place, `${place.prefix}${tenant}/`))
        for (let first = 0; first < versions.length; first += atATime)
          yield* await Promise.all(
            versions.slice(first, first + atATime).map((version) => read(client, place, version)),
          );
    },

    close: () => client.destroy(),
  };
}

/** In the order of the log when names are sorted. */
const nameOf = ({ tenant_id, seq, hash }: PublishedHead) =>
  `${tenant_id}/${String(seq).padStart(16, '0')}-${hash}.json`;

async function put(
  client: S3Client,
  { bucket, prefix, now, lockDays }: HeadsBucket,
  head: PublishedHead,
  locked: boolean,
  signal: AbortSignal,
): Promise<void> {
  const { PutObjectCommand } = await import('@aws-sdk/client-s3');
  const body = `${JSON.stringify(head)}\n`;
  const until = new Date(now().getTime() + (lockDays ?? 0) * 24 * 3_600_000);
  const request = new PutObjectCommand({
    Bucket: bucket,
    Key: `${prefix}${nameOf(head)}`,
    Body: body,
    ContentType: 'application/json',
    // what is locked has to have one
    ContentMD5: createHash('md5').update(body).digest('base64'),
    // published before, or by another replica: another version of it would be kept, and locked, for nothing
    IfNoneMatch: '*',
    ...(locked &&
      lockDays !== undefined && { ObjectLockMode: 'COMPLIANCE', ObjectLockRetainUntilDate: until }),
  });
  for (let left = 3; left > 0; left--) {
    const kind = await client.send(request, { abortSignal: soon(signal) }).then(
      () => 'kept',
      (error: unknown) => {
        if (putByAnother.includes(kindOf(error))) return kindOf(error);
        throw asReason(error);
      },
    );
    if (kind !== 'ConditionalRequestConflict') return;
  }
  throw new Error('The bucket for heads is being written to by others all the time');
}
/** it was there, or is being written at the same moment, which may fail */
const putByAnother = ['PreconditionFailed', 'ConditionalRequestConflict'];

/** Asks whether what is put into the bucket can be locked; says so where it cannot, once. */
function locksOf(client: S3Client, { bucket, lockDays, log }: HeadsBucket) {
  let told = false;
  return async (signal: AbortSignal): Promise<boolean> => {
    const { GetObjectLockConfigurationCommand } = await import('@aws-sdk/client-s3');
    const asked = client.send(new GetObjectLockConfigurationCommand({ Bucket: bucket }), {
      abortSignal: soon(signal),
    });
    const rule = await asked.then(
      ({ ObjectLockConfiguration: found }) => found,
      (error: unknown) => {
        if (!noLocks.includes(kindOf(error))) throw asReason(error);
        return undefined;
      },
    );
    const enabled = rule?.ObjectLockEnabled === 'Enabled';
    const kept = enabled && (lockDays !== undefined || rule.Rule?.DefaultRetention !== undefined);
    if (!kept && !told)
      log.warn(
        'heads of the audit log are not locked in their bucket: whoever may write there can delete them',
        {
          bucket,
          object_lock: enabled,
        },
      );
    told = !kept;
    return enabled;
  };
}
/** what storage answers that locks nothing, in this bucket or at all */
const noLocks = ['ObjectLockConfigurationNotFoundError', 'NotImplemented', 'MethodNotAllowed'];

async function* versionsIn(
  client: S3Client,
  { bucket }: HeadsBucket,
  prefix: string,
): AsyncGenerator<ObjectVersion[]> {
  const { ListObjectVersionsCommand } = await import('@aws-sdk/client-s3');
  let page: ListObjectVersionsCommandOutput | undefined;
  do {
    const asked = new ListObjectVersionsCommand({
      ...{ Bucket: bucket, Prefix: prefix, MaxKeys: versionsOfPage },
      ...(page && { KeyMarker: page.NextKeyMarker, VersionIdMarker: page.NextVersionIdMarker }),
    });
    page = await client.send(asked, { abortSignal: soon() }).catch((error: unknown) => {
      throw asReason(error);
    });
    yield page.Versions ?? [];
  } while (page.IsTruncated);
}

async function read(
  client: S3Client,
  { bucket }: HeadsBucket,
  { Key, VersionId, Size = 0 }: ObjectVersion,
): Promise<PublishedHead | undefined> {
  if (Size > mostBytes) return undefined;
  const { GetObjectCommand } = await import('@aws-sdk/client-s3');
  const version = VersionId === undefined || VersionId === 'null' ? {} : { VersionId };
  try {
    const command = new GetObjectCommand({ Bucket: bucket, Key, ...version });
    const { Body } = await client.send(command, { abortSignal: soon() });
    return headOf((await Body?.transformToString()) ?? '');
  } catch (error) {
    throw asReason(error);
  }
}

const soon = (signal?: AbortSignal) => {
  const limit = AbortSignal.timeout(patience);
  return signal ? AbortSignal.any([signal, limit]) : limit;
};

const kindOf = (error: unknown) => (error instanceof Error ? error.name : '');

/** Without the request, in which there is who Sluice is. */
const asReason = (error: unknown) =>
  new Error(`The bucket for heads answered ${kindOf(error)}: ${error instanceof Error ? error.message : ''}`);
